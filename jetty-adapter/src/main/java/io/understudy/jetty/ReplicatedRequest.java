package io.understudy.jetty;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.RequestCoherence;
import io.understudy.session.SessionUse;
import io.understudy.session.lock.SessionLock;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the server, and what its response has to wait for: the sessions it uses, in any context,
 * and their commits.
 *
 * <p>Threads: any; a request may go from one to another.
 */
final class ReplicatedRequest extends Request.Wrapper {

    /** The outcome if a change could not be sent, or its acknowledgements can't be awaited. */
    static final CompletableFuture<Settled> NOT_SENT = CompletableFuture.completedFuture(Settled.FAILED);

    private final UnderstudySessionFactory factory;

    /** This request's uses of its sessions: each is here before it begins, and until the request is over. */
    private final Map<UnderstudySession, SessionUse> sessions = new ConcurrentHashMap<>();

    /** Sessions, also those of other requests, that this one has read or changed since it committed them. */
    private final Set<UnderstudySession> touched = ConcurrentHashMap.newKeySet(1);

    /** The thread in which the last part of the response, which has waited, goes through the handlers around ours. */
    private volatile @Nullable Thread passing;

    /** Whether the last part of the response has begun to leave. */
    private volatile boolean answered;

    /** The session that was used last, for failures that are none's in particular. */
    private volatile @Nullable UnderstudySession last;

    /** What the response is, as something failed; {@code null} if nothing did. */
    private volatile @Nullable Settled failed;

    private final IdChanges.Found found = new IdChanges.Found();

    private volatile boolean over;
    private final Queue<CompletableFuture<Settled>> commits = new ConcurrentLinkedQueue<>();
    private final LongAccumulator longestMillis = new LongAccumulator(Math::max, 0);

    /** The lock of the request's session. The end of the request closes it. */
    private volatile @Nullable SessionLock lock;

    private final VersionCookies versions;
    private final WeakReference<ReplicatedRequest> weakly = new WeakReference<>(this);

    /** The request has taken no lock and no session yet. {@link #over} gives back what it takes. */
    ReplicatedRequest(Request wrapped, UnderstudySessionFactory factory) {
        super(wrapped);
        this.factory = factory;
        this.versions = new VersionCookies(wrapped);
    }

    /** @param settled what the response is already */
    void admitted(Settled settled) {
        commits.add(CompletableFuture.completedFuture(settled));
    }

    /**
     * Takes the lock of the request's session, if requests to its path take it.
     *
     * @return {@code false} if the request is to be refused
     */
    boolean lock() {
        SessionLock taken = factory.lock(getWrapped());
        lock = taken;
        return taken == null || !taken.refused();
    }

    static @Nullable ReplicatedRequest of(@Nullable Request request) {
        return request == null ? null : Request.as(request, ReplicatedRequest.class);
    }

    /** For what may outlive the request. */
    WeakReference<ReplicatedRequest> weakly() {
        return weakly;
    }

    void uses(UnderstudySession session) {
        uses(session, ReplicatedRequest::made);
    }

    private static SessionUse made(UnderstudySession session) {
        return session.live().use();
    }

    /** Does not fail: a request that could not begin its use goes on, and its response is degraded. */
    void uses(UnderstudySession session, Function<UnderstudySession, SessionUse> made) {
        if (over) {
            return;
        }
        last = session;
        try {
            touched.add(session);
            SessionUse use = sessions.computeIfAbsent(session, made);
            use.begin();
            if (over) {
                use.end(); // The request's end, on another thread, may have looked before.
            }
        } catch (Throwable e) {
            failed(session, "starting a request's use of a session", e);
        }
    }

    /** The request reads or changes something of a session, which need not be its own. Does not fail. */
    void touches(LiveSession session) {
        if (session.objects().container() instanceof UnderstudySession ours) {
            try {
                touched.add(ours);
            } catch (Throwable e) {
                failed(ours, "recording which sessions a response waits for", e);
            }
        }
    }

    /**
     * The request has changed a session, which need not be its own. A change that neither the response nor the
     * request's end is sure to send is sent at once, and the thread waits: one of a thread that goes on after the end,
     * and one of a handler that the last part of the response passes.
     */
    void changed(UnderstudySession session) {
        touches(session.live()); // Anew: a commit may have been made since the change began.
        boolean late = over;
        if (late || isPassing()) {
            touched.remove(session);
            session.commit(late ? null : this).await();
        }
    }

    /** The ticket of this request's use of the session; 0 if it does not use it. */
    long ticket(LiveSession session) {
        SessionUse use = use(session);
        return use == null ? 0 : use.ticket();
    }

    /** This request's use of the session; {@code null} if it does not use it. */
    @Nullable
    SessionUse use(LiveSession session) {
        for (SessionUse use : sessions.values()) {
            if (use.session() == session) {
                return use;
            }
        }
        return null;
    }

    /** A part of the response that is neither its head nor its end is about to leave. Does not fail. */
    void goesOn() {
        try {
            touched.removeIf(session -> !session.live().valid()); // A response may go on for hours.
        } catch (Throwable e) {
            failed("forgetting sessions that are over", e);
        }
    }

    /** The last of the response is about to leave: the client may be back before {@link #over}. Does not fail. */
    void answered() {
        answered = true;
        try {
            for (SessionUse use : sessions.values()) {
                use.responseReady();
            }
        } catch (Throwable e) {
            failed("releasing the attribute values that an answered request has read", e);
        }
    }

    /** Whether the calling thread passes on the last part of the response, and waits itself for what it changes. */
    private boolean isPassing() {
        return Thread.currentThread().equals(passing);
    }

    /** The last part of the response has passed all handlers, and its request ends, perhaps in this thread. */
    void passed() {
        if (isPassing()) {
            passing = null;
        }
    }

    /**
     * The calling thread is about to hand the last part of the response to the handlers around ours, whose session handlers
     * commit only now; {@link #passesNoMore} follows.
     */
    void passes() {
        passing = Thread.currentThread();
    }

    void passesNoMore() {
        passing = null;
    }

    /** The request is over, its response has left, and its sessions were released. Does not fail. */
    void over() {
        over = true;
        commitLate();
        try {
            for (SessionUse use : sessions.values()) {
                end(use);
            }
        } catch (Throwable e) {
            factory.survived("ending a request's uses of its sessions", e);
        }
        SessionLock held = lock;
        if (held != null) {
            try {
                held.close();
            } catch (Throwable e) {
                factory.survived("releasing a session's lock; the node retries", e);
            }
        }
    }

    /** What the request changed after its response in sessions that it does not release. Does not fail. */
    private void commitLate() {
        try {
            for (UnderstudySession session : touched) {
                commitLate(session);
            }
        } catch (Throwable e) {
            factory.survived("finding the last changes of a request", e);
        }
    }

    private void commitLate(UnderstudySession session) {
        try {
            Commit unused = session.commitAfterResponse(use(session.live()));
        } catch (Throwable e) {
            factory.survived("sending the last changes of a request", e);
        }
    }

    private void end(SessionUse use) {
        try {
            use.end();
        } catch (Throwable e) {
            factory.survived("ending a request's use of a session; the use counts as ended", e);
        }
    }

    /**
     * Whatever failed, of an application's or ours: the response is degraded, and goes on. Jetty answers no request
     * whose response is not ended. Does not fail.
     */
    void failed(UnderstudySession session, String what, Throwable e) {
        Settled before = failed;
        failed = before != null && before.refused() ? before : session.unsent();
        factory.survived(what, e);
    }

    /** The same, where no session is known. */
    void failed(String what, Throwable e) {
        UnderstudySession session = last;
        if (session != null) {
            failed(session, what, e);
        } else {
            failed = Settled.FAILED;
            factory.survived(what, e);
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

    /**
     * Sends what a session has changed by now, for its response to wait for. The request uses the session from now on.
     */
    void commits(UnderstudySession session) {
        uses(session);
        touched.remove(session);
        awaits(session.commit(this), session.live().settings());
    }

    /**
     * Sends the last changes of a session that the request releases. If the response has left, nobody waits for them.
     * Else it is another request's session, and the response waits.
     */
    void releases(UnderstudySession session) {
        if (answered) {
            touched.remove(session);
            Commit unused = session.commitAfterResponse(use(session.live()));
        } else {
            commits(session);
        }
    }

    /** The change is made: if the response can't wait for it, it is degraded, or the calling thread waits. */
    void awaits(Commit commit, ApplicationConfig settings) {
        try {
            if (isPassing()) {
                commit.await();
                return;
            }
            longestMillis.accumulate(settings.ackTimeout().toMillis());
            commits.add(commit.outcome().toCompletableFuture().thenApply(outcome -> Settled.of(outcome, settings)));
        } catch (Throwable e) {
            failed("recording the changes that a response waits for", e);
        }
    }

    /** The longest time, in milliseconds, that any commit awaited so far may take. */
    long longestMillis() {
        return longestMillis.get();
    }

    /** The ids by which the request has found its sessions. */
    IdChanges.Found found() {
        return found;
    }

    /**
     * Sends what the response has to wait for, and is not sent yet. Does not fail.
     *
     * @param head of the response, if that is what leaves: the session handlers inside of ours have committed the
     *     request's own sessions before it
     * @return to be {@linkplain #outcome looked at}, and waited for
     */
    CompletableFuture<Settled> settle(@Nullable HttpFields head) {
        try {
            if (head != null) {
                found.retireOutdated(this, head);
            } else {
                List.copyOf(sessions.keySet()).forEach(this::commit);
            }
            commitTouched();
            return settled();
        } catch (Throwable e) {
            failed("sending the changes of a request", e);
            return NOT_SENT;
        }
    }

    /**
     * What became of all that the response waited for, and of what failed meanwhile. Waits if it is not known. Does not
     * fail.
     */
    Settled outcome(CompletableFuture<Settled> settled) {
        try {
            return withFailures(settled.join());
        } catch (Throwable e) {
            failed("waiting for acknowledgements", e);
            Settled outcome = failed;
            return outcome == null ? Settled.FAILED : outcome;
        }
    }

    /** The same for what is known. */
    Settled withFailures(Settled settled) {
        Settled failure = failed;
        return failure == null ? settled : settled.and(failure);
    }

    /**
     * Whether a servlet sent an error or threw an exception, and its context's error handler is at work. Does not fail.
     */
    boolean failedInServlet() {
        try {
            return getAttribute(ErrorHandler.ERROR_CONTEXT) != null;
        } catch (Throwable e) {
            failed("checking whether a servlet failed", e);
            return true;
        }
    }

    /** Each once: listeners that it calls may read the same session again, and so touch it anew, without end. */
    private void commitTouched() {
        Set<UnderstudySession> committed = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (UnderstudySession session : List.copyOf(touched)) {
                if (committed.add(session)) {
                    commit(session);
                    more = true; // Its listeners may have changed other sessions.
                }
            }
        }
    }

    private void commit(UnderstudySession session) {
        try {
            touched.remove(session); // Before the commit: the next one sends what the request touches from now on.
            awaits(session.commit(this), session.live().settings());
            if (versions.outdated(session)) {
                awaits(session.commit(Coherence.COHERENT, this), session.live().settings());
            }
        } catch (Throwable e) {
            failed(session, "sending the changes of a request", e);
        }
    }

    /** The version cookies that the response is to have, whose head is about to leave. Does not fail. */
    List<HttpField> versionCookies() {
        try {
            return versions.of(sessions.keySet());
        } catch (Throwable e) {
            failed("sending a client the versions of its sessions", e);
            return List.of();
        }
    }

    /** Completes with what became of all commits made so far. */
    private CompletableFuture<Settled> settled() {
        CompletableFuture<Settled> all = CompletableFuture.completedFuture(Settled.NOTHING);
        for (CompletableFuture<Settled> commit = commits.poll(); commit != null; commit = commits.poll()) {
            all = all.thenCombine(commit, Settled::and);
        }
        return all;
    }
}
