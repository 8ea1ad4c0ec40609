package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import io.understudy.config.session.OnDegraded;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.RequestCoherence;
import io.understudy.session.SessionUse;
import io.understudy.session.lock.SessionLock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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

    /** Seconds after which a refused client may try again: longer than a fetch, shorter than a person's patience. */
    private static final String RETRY_AFTER_SECONDS = "2";

    private static final String NOTE = RequestScope.class.getName();
    private static final ThreadLocal<RequestScope> CURRENT = new ThreadLocal<>();

    private final Request request;
    private final Response response;
    private final UnderstudyManager manager;
    private final ApplicationConfig settings;

    /** Inside the application that the request was mapped to. */
    private final String path;

    /** The lock of the request's session. The end of the request closes it. */
    private volatile @Nullable SessionLock lock;

    private final UsedSessions sessions;

    /** The id that the request bore of a session that has another one now, until the response tells the client. */
    @GuardedBy("this")
    private Map<UnderstudySession, String> outdated = Map.of();

    /** Until they are decided: of two threads that settle each waits for all. */
    @GuardedBy("this")
    private final List<Commit> awaited = new ArrayList<>(1);

    /** Whether fewer members than asked for acknowledged a change; with fewer than all the response is only degraded. */
    private volatile boolean unacknowledged;

    private volatile boolean degraded;

    private final VersionCookies versions;

    /** The request has taken no lock and no session yet. The caller ends the scope by {@link #endPass} or {@link #leave}. */
    RequestScope(Request request, Response response, UnderstudyManager manager) {
        this.request = request;
        this.response = response;
        this.manager = manager;
        this.settings = manager.config().application();
        this.path = String.valueOf(request.getRequestPathMB());
        this.versions = new VersionCookies(request, response);
        this.sessions = new UsedSessions(manager);
    }

    /**
     * Takes the lock of the session that the request bears, if requests to its path take it.
     *
     * @return {@code false} if the request is to be refused
     */
    boolean lock() {
        String id = request.getRequestedSessionId();
        SessionLock taken = id == null ? null : manager.lock(id, path);
        lock = taken;
        if (taken != null && taken.refused()) {
            return false;
        }
        if (taken != null && manager.findSession(id) instanceof UnderstudySession locked) {
            // Also if only a thread outside of the pipeline uses it: what that changes is sent before the lock is
            // released.
            use(locked);
        }
        return true;
    }

    /** Later passes of the request find it. */
    void keep() {
        request.setNote(NOTE, this);
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
        return scope == null ? 0 : scope.sessions.ticketOf(session);
    }

    /** Makes this the calling thread's scope; what is returned is to be {@linkplain #restore restored}, also if it fails. */
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

    /** What the request changes in the session is sent when it settles. Does not fail: if it is not sent then, the response is degraded. */
    void use(UnderstudySession session) {
        try {
            sessions.add(session);
        } catch (Throwable e) {
            failed("recording that a request uses a session", e);
        }
    }

    /**
     * The request begins to use the session, and will end its access to it. Does not fail, as Tomcat ends the access in any case:
     * a request without a use of its own is degraded.
     */
    void access(UnderstudySession session) {
        boolean kept = false;
        try {
            SessionUse use = sessions.useOf(session);
            kept = true; // From now on the end of the request ends it.
            use.begin();
        } catch (Throwable e) {
            if (!kept) {
                session.uses().endedBeforeAccess();
            }
            failed("starting a request's use of a session", e);
        }
    }

    /** A valve outside of the host's frame asked for the session before the request came here: it is used like any other. */
    void adopt(UnderstudySession session) {
        sessions.adopt(session);
    }

    /** A pass of the pipeline is over: sends what changed and waits for it, and gives up what the request has. Does not fail. */
    void endPass() {
        settle();
        try {
            if (request.isAsync()) {
                goesOn();
                return;
            }
        } catch (Throwable e) {
            failed("passing a request's sessions to its asynchronous part", e);
        }
        leave(false);
    }

    /** Whatever failed: the response is degraded, and goes on. A container answers no request whose thread ends with an Error. */
    private void failed(String what, Throwable e) {
        unacknowledged = true;
        degraded = true;
        manager.survived(what, e);
        try {
            degraded();
        } catch (Throwable again) {
            manager.survived("reporting a degraded response", again);
        }
    }

    /** Ends its uses, each although another failed, and then gives the lock back. Does not fail. */
    void leave(boolean accessEnded) {
        sessions.end(accessEnded);
        SessionLock held = lock;
        if (held != null) {
            try {
                held.close();
            } catch (Throwable e) {
                manager.survived("releasing a session's lock; the node retries", e);
            }
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

    /** The change is made: if the response can't wait for it, it is degraded. */
    private void awaitLater(Commit commit) {
        try {
            synchronized (this) {
                awaited.add(commit);
            }
        } catch (Throwable e) {
            failed("recording the changes that a response waits for", e);
        }
    }

    /** The response is to give the client the session's current id in place of this one. */
    synchronized void outdated(UnderstudySession session, String id) {
        if (outdated.isEmpty()) {
            outdated = new HashMap<>();
        }
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
                awaited.add(live.dropSupersededId(entry.getValue()));
                all.remove();
            }
        }
    }

    /** Sends what changed and waits until it is acknowledged or the time for that is over. Does not fail. */
    void settle() {
        try {
            send();
        } catch (Throwable e) {
            failed(
                    "sending the changes of a request",
                    e); // Each session's end of access tries again what was not sent.
        }
    }

    private void send() {
        List<Commit> before;
        List<UnderstudySession> used = sessions.sessions();
        synchronized (this) {
            if (!outdated.isEmpty() && !response.isCommitted()) {
                retireOutdated();
            }
            if (used.isEmpty() && awaited.isEmpty()) {
                return;
            }
            before = List.copyOf(awaited);
        }
        List<Commit> commits = new ArrayList<>(before);
        for (UnderstudySession session : used) {
            commits.add(session.commits().commit(coherence(session)));
        }
        Outcome outcome = Outcome.UNCHANGED;
        for (Commit commit : commits) {
            outcome = Outcome.worse(outcome, commit.await());
        }
        if (!before.isEmpty()) {
            decided(before);
        }
        for (UnderstudySession session : used) {
            if (!versions.tell(session)) {
                // The response has begun without what the session is now: who comes back finds it because we wait.
                outcome = Outcome.worse(
                        outcome, session.commits().commit(Coherence.COHERENT).await());
            }
        }
        if (outcome.degraded()) {
            unacknowledged |= outcome == Outcome.DEGRADED;
            degraded();
        }
    }

    private synchronized void decided(List<Commit> commits) {
        awaited.removeAll(commits);
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
        sessions.answered();
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

    /** The same at the end of a pass, unless the request goes on. */
    void refuseAtEnd() throws IOException {
        try {
            if (!request.isAsync()) {
                refuseIfDegraded();
            }
        } catch (RuntimeException | Error e) {
            failed("refusing a degraded response", e);
        }
    }

    /**
     * Answers with 500 after an error that Tomcat gives no answer to.
     *
     * @return {@code false} if it can't, as the response has begun to leave, or the request goes on
     */
    boolean fail(Error e) throws IOException {
        if (response.isCommitted() || request.isAsync()) {
            return false;
        }
        manager.survived("a request; the valve answers 500", e);
        fail(response);
        return true;
    }

    /** The request goes on outside the pipeline: the end of the request looks at its sessions again. */
    private void goesOn() {
        sessions.unsettle();
        if (lock == null) {
            sessions.endWithAccess();
            return;
        }
        // The request keeps its lock, and its own uses of the sessions: the next one is to find them at an end.
        request.getAsyncContextInternal().addListener(new AsyncEnd(this));
        sessions.endLast(this);
    }

    /** The request that went on outside the pipeline is over: sends what it changed, which nobody waits for. Does not fail. */
    void over() {
        over(false);
    }

    /** The same after the end of its access, if nobody said that it was over. */
    void overAfterAccess() {
        over(true);
    }

    private void over(boolean accessEnded) {
        sessions.commitLast(lock != null);
        leave(accessEnded);
    }

    /** Answers 503 and when to try again. Cookies are kept: a session id may have changed. */
    static void refuse(Response response, String reason) throws IOException {
        Collection<String> cookies = List.copyOf(response.getHeaders("Set-Cookie"));
        response.reset();
        cookies.forEach(cookie -> response.addHeader("Set-Cookie", cookie));
        response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
        response.sendError(503, reason);
    }

    /** Answers 500, unless the response has begun to leave. */
    static void fail(Response response) throws IOException {
        response.reset();
        response.sendError(500);
    }
}
