package io.understudy.junit.front;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.doctor.Likeness;
import io.understudy.junit.comparison.Answer;
import io.understudy.junit.comparison.Course;
import io.understudy.junit.comparison.Exchange;
import io.understudy.junit.servers.TomcatServer;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A request from its arrival until its response and its session are noted. Threads: any; guarded by this. */
final class OpenRequest {

    private static final AtomicLong TOKENS = new AtomicLong();

    private static final String EVENTS = "text/event-stream";

    /** More of a body is not compared: a stream may have no end. */
    private static final int MOST_BYTES = 16 << 20;

    private final int number;
    private final String method;
    private final String target;
    private final TomcatServer node;
    private final long begin;
    private final String token = String.valueOf(TOKENS.incrementAndGet());

    @GuardedBy("this")
    private final Set<String> sessions = new LinkedHashSet<>();

    @GuardedBy("this")
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    @GuardedBy("this")
    private int status;

    /** Until there is a response. */
    @GuardedBy("this")
    private @Nullable HttpHeaders headers;

    @GuardedBy("this")
    private boolean asynchronous;

    /** Whether all of the response is here. */
    @GuardedBy("this")
    private boolean whole;

    @GuardedBy("this")
    private boolean cut;

    /** Not over while it is 0. */
    @GuardedBy("this")
    private long end;

    /** @param session the id that the client sent; {@code null} if it has none */
    OpenRequest(int number, String method, String target, TomcatServer node, @Nullable String session, long begin) {
        this.number = number;
        this.method = method;
        this.target = target;
        this.node = node;
        this.begin = begin;
        if (session != null) {
            sessions.add(session);
        }
    }

    TomcatServer node() {
        return node;
    }

    /** The number that it bears on its way to the server, in {@link TomcatServer#REQUEST_NUMBER}. */
    String token() {
        return token;
    }

    /**
     * The begin of the response is here.
     *
     * @param session the id that the client has from now on; {@code null} if it has none
     */
    synchronized void answered(int code, HttpHeaders all, @Nullable String session) {
        status = code;
        headers = all;
        if (session != null) {
            sessions.add(session);
        }
    }

    synchronized void add(byte[] bytes, int count) {
        if (body.size() + count > MOST_BYTES) {
            cut = true;
        } else {
            body.write(bytes, 0, count);
        }
    }

    /** The client gets the rest of the response now, or none any more. */
    synchronized void ended(long moment, boolean complete) {
        if (end == 0) {
            asynchronous |= node.asynchronous(token);
            end = moment;
            whole = complete;
        }
    }

    synchronized boolean over() {
        return end != 0;
    }

    /** Whether others go on beside it: it is asynchronous, or a stream of events. */
    synchronized boolean background() {
        asynchronous |= node.asynchronous(token);
        return asynchronous
                || (headers != null
                        && headers.firstValue("content-type").orElse("").startsWith(EVENTS));
    }

    /** Whether the client waits for its response. */
    synchronized boolean waits() {
        return end == 0 && !background();
    }

    synchronized boolean of(@Nullable String session) {
        return session != null && sessions.contains(session);
    }

    /** The client's session; {@code null} if it has none. */
    synchronized @Nullable String session() {
        String last = null;
        for (String each : sessions) {
            last = each;
        }
        return last;
    }

    /**
     * The request as it is now.
     *
     * @param attributes of its session; {@code null} if they are not known
     * @param address host and port of the run
     */
    synchronized Exchange exchange(@Nullable Map<String, Likeness> attributes, String address) {
        Answer answer = headers == null ? Answer.NONE : Answer.of(status, headers, body.toByteArray(), address);
        return new Exchange(
                number,
                method,
                target,
                node.name(),
                answer,
                attributes == null ? Map.of() : attributes,
                new Course(
                        Set.copyOf(sessions),
                        begin,
                        end == 0 ? Long.MAX_VALUE : end,
                        background(),
                        whole && !cut,
                        attributes != null));
    }
}
