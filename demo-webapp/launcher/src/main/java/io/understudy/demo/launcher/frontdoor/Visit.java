package io.understudy.demo.launcher.frontdoor;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * One client request on its way through the front door, over all nodes it is tried on.
 *
 * <p>It may go to another node if no byte of a response came, or the node says 503, and either nothing of it was sent, or it is a GET or HEAD. A
 * body that was partly read can't be sent again. Everything else that fails is the client's to repeat: the front door
 * can't know whether the node still did it.
 *
 * <p>Threads: attempts are one after the other; {@link #abandon} on any.
 */
final class Visit implements Backend.Exchange {

    private static final String ATTRIBUTE = Visit.class.getName();

    private final boolean repeatable;
    private final Set<Backend> tried = new HashSet<>();
    private volatile @Nullable Backend node;
    private volatile org.eclipse.jetty.client.@Nullable Request outgoing;
    private volatile @Nullable OnceContent content;
    private volatile boolean sent;
    private volatile boolean answered;
    private volatile boolean turnedAway;

    private Visit(String method) {
        repeatable = HttpMethod.GET.is(method) || HttpMethod.HEAD.is(method);
    }

    static Visit of(Request client) {
        Object known = client.getAttribute(ATTRIBUTE);
        if (known != null) {
            return (Visit) known;
        }
        Visit visit = new Visit(client.getMethod());
        client.setAttribute(ATTRIBUTE, visit);
        return visit;
    }

    /** The nodes it failed on. */
    Set<Backend> tried() {
        return tried;
    }

    /**
     * The node of the attempt that runs.
     *
     * @throws IllegalStateException before the first attempt
     */
    Backend node() {
        Backend current = node;
        if (current == null) {
            throw new IllegalStateException("no attempt was made yet");
        }
        return current;
    }

    /** Begins an attempt. */
    void begin(Backend next) {
        node = next;
        outgoing = null;
        sent = false;
        answered = false;
        turnedAway = false;
        next.enters(this);
    }

    /** Ends the attempt; the node is not tried again. */
    void end() {
        Backend current = node();
        current.leaves(this);
        tried.add(current);
    }

    void outgoing(org.eclipse.jetty.client.Request request) {
        outgoing = request;
        request.onRequestBegin(begun -> sent = true);
        if (!node().ready()) {
            // It was lost after it was chosen; whoever noticed may have looked for requests to abandon before this one.
            abandon();
        }
    }

    void content(OnceContent body) {
        content = body;
    }

    /** The first byte of a response came: from now on the client has this node's answer, whole or broken. */
    void answered() {
        answered = true;
    }

    /** The node's answer was that it can't, not yet: it does not count as one. */
    void turnAway() {
        turnedAway = true;
    }

    boolean turnedAway() {
        return turnedAway;
    }

    /** Whether another node may be tried, if no byte of a response came. */
    boolean mayMove() {
        OnceContent body = content;
        return (repeatable || !sent) && (body == null || !body.touched());
    }

    @Override
    public void abandon() {
        org.eclipse.jetty.client.Request request = outgoing;
        if (request != null && !answered && mayMove()) {
            // How it ends is for the response listener, as with every failure.
            var unused = request.abort(new TimeoutException(node().name() + " no longer answers"));
        }
    }
}
