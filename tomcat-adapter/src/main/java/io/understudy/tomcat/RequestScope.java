package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.Commit;
import io.understudy.Commit.Outcome;
import io.understudy.LiveSession;
import io.understudy.RequestCoherence;
import io.understudy.SessionLock;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.Coherence;
import io.understudy.config.OnDegraded;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.jspecify.annotations.Nullable;

/**
 * What one request changed in its sessions, through all its passes of the pipeline.
 *
 * <p>{@link #settle} is the barrier: it sends what changed and waits for the acknowledgements. It is asked each time
 * before the client could have the whole response.
 *
 * <p>Threads: any; {@link #current} is the scope of the request whose pipeline pass the calling thread runs.
 */
final class RequestScope {

    private static final Logger LOG = System.getLogger(RequestScope.class.getName());

    /** Seconds after which a refused client may try again: longer than a fetch, shorter than a person's patience. */
    private static final String RETRY_AFTER_SECONDS = "2";

    private static final String NOTE = RequestScope.class.getName();
    private static final ThreadLocal<RequestScope> CURRENT = new ThreadLocal<>();

    private final Request request;
    private final Response response;
    private final UnderstudyManager manager;
    private final @Nullable SessionLock lock;
    private final ApplicationConfig settings;

    /** Inside the application that the request was mapped to. */
    private final String path;

    @GuardedBy("this")
    private final List<UnderstudySession> sessions = new ArrayList<>(1);

    /** This request's uses of its sessions, until they are over or handed on. */
    @GuardedBy("this")
    private final Map<UnderstudySession, Long> tickets = new HashMap<>();

    /** The id that the request bore of a session that has another one now, until the response tells the client. */
    @GuardedBy("this")
    private final Map<UnderstudySession, String> outdated = new HashMap<>(1);

    @GuardedBy("this")
    private List<Commit> awaited = new ArrayList<>(1);

    /** Whether fewer members than asked for acknowledged a change; with fewer than all the response is only degraded. */
    private volatile boolean unacknowledged;

    private volatile boolean degraded;

    private final VersionCookies versions;

    private RequestScope(Request request, Response response, UnderstudyManager manager, @Nullable SessionLock lock) {
        this.request = request;
        this.response = response;
        this.manager = manager;
        this.lock = lock;
        this.settings = manager.config().application();
        this.path = String.valueOf(request.getRequestPathMB());
        this.versions = new VersionCookies(request, response);
    }

    /**
     * The scope of the request, begun by its first pass.
     *
     * @param lock of its session, closed when the request is over
     */
    static RequestScope begin(
            Request request, Response response, UnderstudyManager manager, @Nullable SessionLock lock) {
        RequestScope scope = new RequestScope(request, response, manager, lock);
        if (lock != null && manager.findSession(request.getRequestedSessionId()) instanceof UnderstudySession locked) {
            // Also if only a thread outside of the pipeline uses it: what that changes is sent before the lock is
            // released.
            scope.use(locked);
        }
        request.setNote(NOTE, scope);
        return scope;
    }

    /** The scope that an earlier pass of the request began. */
    static @Nullable RequestScope of(Request request) {
        return (RequestScope) request.getNote(NOTE);
    }

    static @Nullable RequestScope current() {
        return CURRENT.get();
    }

    /** The ticket of the use that the thread's request makes of the session; 0 if it makes none, or has none. */
    static long ticket(LiveSession session) {
        RequestScope scope = CURRENT.get();
        return scope == null ? 0 : scope.ticketOf(session);
    }

    private synchronized long ticketOf(LiveSession session) {
        for (Map.Entry<UnderstudySession, Long> used : tickets.entrySet()) {
            if (used.getKey().standsOn(session)) {
                return used.getValue();
            }
        }
        return 0;
    }

    /** Makes this the calling thread's scope; what is returned is to be {@linkplain #restore restored}. */
    @Nullable
    RequestScope enter() {
        RequestScope outer = CURRENT.get();
        CURRENT.set(this);
        return outer;
    }

    static void restore(@Nullable RequestScope outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    synchronized void use(UnderstudySession session) {
        if (!sessions.contains(session)) {
            sessions.add(session);
        }
    }

    /** The request begins to use the session, and will end its access to it. */
    synchronized void access(UnderstudySession session) {
        use(session);
        tickets.computeIfAbsent(session, UnderstudySession::enter);
    }

    /** A valve outside of the host's frame asked for the session before the request came here: it is used like any other. */
    synchronized void adopt(UnderstudySession session) {
        use(session);
        Long ticket = tickets.containsKey(session) ? null : session.adopted();
        if (ticket != null) {
            tickets.put(session, ticket);
        }
    }

    /** A pass of the pipeline is over: sends what changed and waits for it, and gives up what the request has. */
    void endPass() {
        settle();
        guarded(() -> {
            if (request.isAsync()) {
                goesOn(request.getAsyncContextInternal());
            } else {
                leave(UnderstudySession::exit);
            }
        });
    }

    /** Whatever fails: the response is degraded, and goes on. A container answers no request whose thread ends with an Error. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, manager + ": the changes of a request to " + path + " were not all sent", e);
            unacknowledged = true;
            degraded();
        }
    }

    private void leave(BiConsumer<UnderstudySession, Long> exit) {
        try {
            Map<UnderstudySession, Long> left;
            synchronized (this) {
                left = Map.copyOf(tickets);
                tickets.clear();
            }
            each(left.entrySet(), used -> exit.accept(used.getKey(), used.getValue()));
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }

    /** Does it for each, whichever fails, and then fails as the first did. */
    private static <T> void each(Collection<T> all, Consumer<T> what) {
        Throwable failed = null;
        for (T one : all) {
            try {
                what.accept(one);
            } catch (RuntimeException | Error e) {
                failed = failed == null ? e : failed;
            }
        }
        if (failed instanceof RuntimeException e) {
            throw e;
        } else if (failed instanceof Error e) {
            throw e;
        }
    }

    /** Makes the response of the thread's request wait for it; without a request it waits here. Not in a lock of Tomcat's. */
    static void await(Commit commit) {
        RequestScope scope = current();
        if (scope == null) {
            commit.await();
        } else {
            scope.awaitLater(commit);
        }
    }

    private synchronized void awaitLater(Commit commit) {
        awaited.add(commit);
    }

    /** The response is to give the client the session's current id in place of this one. */
    synchronized void outdated(UnderstudySession session, String id) {
        outdated.put(session, id);
    }

    /** Ends the ids that the response is about to replace: an application may have taken its cookies back. */
    @GuardedBy("this")
    private void retireOutdated() {
        Iterator<Map.Entry<UnderstudySession, String>> all = outdated.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<UnderstudySession, String> entry = all.next();
            LiveSession live = entry.getKey().live();
            String current = "=" + live.id();
            if (response.getHeaders("Set-Cookie").stream().anyMatch(cookie -> cookie.contains(current))) {
                awaited.add(live.retire(entry.getValue()));
                all.remove();
            }
        }
    }

    /** Sends what changed and waits until it is acknowledged or the time for that is over. Does not fail. */
    void settle() {
        guarded(this::send);
    }

    private void send() {
        List<Commit> commits;
        List<UnderstudySession> used;
        synchronized (this) {
            if (!outdated.isEmpty() && !response.isCommitted()) {
                retireOutdated();
            }
            if (sessions.isEmpty() && awaited.isEmpty()) {
                return;
            }
            commits = awaited;
            awaited = new ArrayList<>(1);
            used = List.copyOf(sessions);
        }
        for (UnderstudySession session : used) {
            commits.add(session.commit(coherence(session)));
        }
        Outcome outcome = Outcome.UNCHANGED;
        for (Commit commit : commits) {
            outcome = Outcome.worse(outcome, commit.await());
        }
        for (UnderstudySession session : used) {
            if (!versions.tell(session)) {
                // The response has begun without what the session is now: who comes back finds it because we wait.
                outcome = Outcome.worse(
                        outcome, session.commit(Coherence.COHERENT).await());
            }
        }
        if (outcome.degraded()) {
            unacknowledged |= outcome == Outcome.DEGRADED;
            degraded();
        }
    }

    /** This node lacks what the client has seen of the session. */
    void behind() {
        degraded();
    }

    private void degraded() {
        degraded = true;
        request.setAttribute(RequestCoherence.DEGRADED, true);
        tellClient();
    }

    /** What the request wants for its changes of a session; its path counts for those of its own application. */
    @Nullable
    Coherence coherence(UnderstudySession session) {
        return RequestCoherence.of(
                request.getAttribute(RequestCoherence.ATTRIBUTE),
                session.getManager() == manager ? path : null,
                session.live().settings());
    }

    private void tellClient() {
        if (degraded && !settings.degradedHeader().isEmpty() && !response.isCommitted()) {
            response.setHeader(settings.degradedHeader(), "true");
        }
    }

    /** Settles before the response ends, or replaces it. The client may be back before the request is over. */
    void settleOrRefuse() throws IOException {
        settle();
        synchronized (this) {
            tickets.forEach((session, ticket) -> session.live().answered(ticket));
        }
        refuseIfDegraded();
    }

    /** If the settings want it, replaces a response to unacknowledged changes by a 503, unless it has begun to leave. */
    void refuseIfDegraded() throws IOException {
        if (unacknowledged
                && settings.onDegraded() == OnDegraded.REFUSE
                && !response.isCommitted()
                && response.getStatus() != 503) {
            refuse(response, "Session changes could not be replicated");
            tellClient();
        }
    }

    /** The request goes on outside the pipeline: the end of the request looks at its sessions again. */
    private void goesOn(AsyncContext async) {
        synchronized (this) {
            sessions.forEach(UnderstudySession::unsettle);
            if (lock == null) {
                tickets.forEach(UnderstudySession::exitAtEndOfAccess);
                tickets.clear();
                return;
            }
            tickets.keySet().forEach(session -> session.endsLast(this));
        }
        // The request keeps its lock, and its own uses of the sessions: the next one is to find them at an end.
        async.addListener(new AsyncEnd(this));
    }

    /** The request that went on outside the pipeline is over: sends what it changed, which nobody waits for. */
    void over() {
        over(UnderstudySession::exit);
    }

    /** The same after the end of its access, if nobody said that it was over. */
    void overAfterAccess() {
        over(UnderstudySession::exitAfterAccess);
    }

    private void over(BiConsumer<UnderstudySession, Long> exit) {
        try {
            commitUsed();
        } finally {
            leave(exit);
        }
    }

    private void commitUsed() {
        List<UnderstudySession> used;
        synchronized (this) {
            used = List.copyOf(sessions);
        }
        try {
            each(used, session -> session.commit(Coherence.INCOHERENT));
        } finally {
            if (lock != null) {
                each(used, UnderstudySession::answered);
            }
        }
    }

    /** Answers 503 and when to try again. Cookies are kept: a session id may have changed. */
    static void refuse(Response response, String reason) throws IOException {
        Collection<String> cookies = List.copyOf(response.getHeaders("Set-Cookie"));
        response.reset();
        cookies.forEach(cookie -> response.addHeader("Set-Cookie", cookie));
        response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
        response.sendError(503, reason);
    }
}
