package io.understudy.jetty;

import io.understudy.Commit;
import io.understudy.Commit.Outcome;
import io.understudy.LiveSession;
import io.understudy.RequestCoherence;
import io.understudy.SessionLock;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.Coherence;
import io.understudy.config.OnDegraded;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the server, and what its response has to wait for: the sessions it uses, in any context,
 * and their commits.
 *
 * <p>Threads: any; a request may go from one to another.
 */
final class Exchange extends Request.Wrapper {

    private static final Logger LOG = System.getLogger(Exchange.class.getName());

    /**
     * What became of the commits of a response.
     *
     * @param degraded whether the response is
     * @param refused whether settings want it refused
     * @param header that says so; empty is none
     */
    record Settled(boolean degraded, boolean refused, String header) {

        static final Settled NOTHING = new Settled(false, false, "");

        static Settled of(Outcome outcome, ApplicationConfig settings) {
            return outcome.degraded()
                    ? new Settled(
                            true,
                            // With as many acknowledgements as were asked for the response is as it was wanted.
                            outcome == Outcome.DEGRADED && settings.onDegraded() == OnDegraded.REFUSE,
                            settings.degradedHeader())
                    : NOTHING;
        }

        Settled and(Settled other) {
            return new Settled(
                    degraded || other.degraded, refused || other.refused, header.isEmpty() ? other.header : header);
        }
    }

    /** The sessions, each with the ticket of this request's use. */
    private final Map<UnderstudySession, Long> sessions = new ConcurrentHashMap<>();

    /** The ids that the request bore of sessions that have another one now, until the response tells the client. */
    private final Map<UnderstudySession, String> outdated = new ConcurrentHashMap<>(1);

    private volatile boolean over;
    private final Queue<CompletableFuture<Settled>> commits = new ConcurrentLinkedQueue<>();
    private final LongAccumulator longestMillis = new LongAccumulator(Math::max, 0);

    private final @Nullable SessionLock lock;

    private final VersionCookies versions;

    /**
     * @param lock of its session, closed when the request is over
     * @param settled what the response is already
     */
    Exchange(Request wrapped, @Nullable SessionLock lock, Settled settled) {
        super(wrapped);
        this.lock = lock;
        this.versions = new VersionCookies(wrapped);
        commits.add(CompletableFuture.completedFuture(settled));
    }

    static @Nullable Exchange of(@Nullable Request request) {
        return request == null ? null : Request.as(request, Exchange.class);
    }

    void uses(UnderstudySession session) {
        if (over) {
            return;
        }
        sessions.computeIfAbsent(session, used -> used.live().enter());
        if (over) {
            leave(session); // Its end, on another thread, may have looked before.
        }
    }

    private void leave(UnderstudySession session) {
        Long ticket = sessions.remove(session);
        if (ticket != null) {
            session.live().exit(ticket);
        }
    }

    /** The ticket of this request's use of the session; 0 if it does not use it. */
    long ticket(LiveSession session) {
        for (Map.Entry<UnderstudySession, Long> used : sessions.entrySet()) {
            if (used.getKey().live() == session) {
                return used.getValue();
            }
        }
        return 0;
    }

    /** The last of the response is about to leave: the client may be back before {@link #over}. */
    void answered() {
        sessions.forEach((session, ticket) -> session.live().answered(ticket));
    }

    /** The request is over, its response has left, and its sessions were released. */
    void over() {
        over = true;
        try {
            for (UnderstudySession session : sessions.keySet()) {
                guarded(session, () -> leave(session));
            }
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }

    /**
     * Whatever fails, of an application's or ours: the response is degraded, and goes on. Jetty answers no request whose
     * response is not ended.
     */
    void guarded(UnderstudySession session, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            LOG.log(
                    Level.ERROR,
                    "the changes of a request to " + getHttpURI().getPath() + " in session "
                            + session.live().key() + " were not all sent",
                    e);
            commits.add(CompletableFuture.completedFuture(
                    Settled.of(Outcome.DEGRADED, session.live().settings())));
        }
    }

    /**
     * What the request says of its coherence to the application of a session, by its attribute or by the path that the
     * client asked for; {@code null} if nothing.
     *
     * @param contextPath of that application, {@code ""} or {@code "/"} for the root
     */
    @Nullable
    Coherence coherence(String contextPath, LiveSession session) {
        String path = getHttpURI().getDecodedPath();
        String prefix = contextPath.equals("/") ? "" : contextPath;
        String inside = path == null || !path.startsWith(prefix) ? null : path.substring(prefix.length());
        if (inside != null && inside.isEmpty()) {
            inside = "/";
        } else if (inside != null && !inside.startsWith("/")) {
            inside = null;
        }
        return RequestCoherence.of(getAttribute(RequestCoherence.ATTRIBUTE), inside, session.settings());
    }

    void awaits(Commit commit, ApplicationConfig settings) {
        longestMillis.accumulate(settings.ackTimeout().toMillis());
        commits.add(commit.outcome().toCompletableFuture().thenApply(outcome -> Settled.of(outcome, settings)));
    }

    /** The longest time, in milliseconds, that any commit awaited so far may take. */
    long longestMillis() {
        return longestMillis.get();
    }

    /** The response is to give the client the session's current id in place of this one. */
    void outdated(UnderstudySession session, String id) {
        outdated.put(session, id);
    }

    /** Ends the ids that the response, whose head this is, replaces in the cookies that the request bore. */
    void retireOutdated(HttpFields head) {
        outdated.forEach((session, id) -> guarded(session, () -> retire(session, id, head)));
    }

    private void retire(UnderstudySession session, String id, HttpFields head) {
        LiveSession live = session.live();
        boolean told = bears(id)
                && head.getValuesList(HttpHeader.SET_COOKIE).stream()
                        .anyMatch(cookie -> cookie.contains("=" + live.id()));
        if (told) {
            awaits(live.retire(id), live.settings());
            outdated.remove(session);
        }
    }

    private boolean bears(String id) {
        return Request.getCookies(this).stream()
                .anyMatch(cookie -> cookie.getValue().startsWith(id));
    }

    /** Whether a servlet sent an error or threw an exception, and its context's error handler is at work. */
    boolean failedInServlet() {
        return getAttribute(ErrorHandler.ERROR_CONTEXT) != null;
    }

    /** Commits what changed in its sessions since the response began. */
    void commit() {
        for (UnderstudySession session : sessions.keySet()) {
            guarded(session, () -> commit(session));
        }
    }

    private void commit(UnderstudySession session) {
        awaits(session.commit(this), session.live().settings());
        if (versions.outdated(session)) {
            awaits(session.commit(Coherence.COHERENT), session.live().settings());
        }
    }

    /** The version cookies that the response is to have, whose head is about to leave. */
    List<HttpField> versionCookies() {
        return versions.of(sessions.keySet());
    }

    /** Completes, never exceptionally, with what became of all commits made so far. */
    CompletableFuture<Settled> settled() {
        CompletableFuture<Settled> all = CompletableFuture.completedFuture(Settled.NOTHING);
        for (CompletableFuture<Settled> commit = commits.poll(); commit != null; commit = commits.poll()) {
            all = all.thenCombine(commit, Settled::and);
        }
        return all;
    }
}
