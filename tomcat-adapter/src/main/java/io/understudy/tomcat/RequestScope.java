package io.understudy.tomcat;

import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.RequestCoherence;
import io.understudy.session.SessionUse;
import io.understudy.session.lock.SessionLock;
import io.understudy.threads.PerThread;
import io.understudy.tomcat.barrier.Barrier;
import io.understudy.tomcat.barrier.Degradation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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
final class RequestScope implements SessionUses.Asynchronous, Barrier {

    private static final String NOTE = RequestScope.class.getName();
    private static final PerThread<RequestScope> CURRENT = new PerThread<>();

    private final Request request;
    private final Response response;
    private final UnderstudyManager manager;
    private final Degradation degradation;

    /** Inside the application that the request was mapped to. */
    private final String path;

    /** The lock of the request's session. The end of the request closes it. */
    private volatile @Nullable SessionLock lock;

    private final UsedSessions sessions;

    private final AwaitedCommits awaited = new AwaitedCommits();

    /** Whether Tomcat will tell when the asynchronous request is complete. */
    private volatile boolean listening;

    /** Whether nothing is left to do for the request: Tomcat may use its object for another one. */
    private volatile boolean over;

    /**
     * The request has taken no lock and no session yet. The caller ends the scope by {@link #endPass} or {@link
     * #leave}.
     */
    RequestScope(Request request, Response response, UnderstudyManager manager) {
        this.request = request;
        this.response = response;
        this.manager = manager;
        this.degradation = new Degradation(request, response, manager.config().application());
        this.path = String.valueOf(request.getRequestPathMB());
        this.sessions = new UsedSessions(manager);
    }

    /**
     * Takes the lock of the session that the request bears, if requests to its path take it.
     *
     * @return {@code false} if the request is to be refused
     */
    boolean lock() {
        String id = request.getRequestedSessionId();
        if (id == null) {
            return true;
        }
        SessionLock taken = manager.arrivals().lock(id, path);
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

    /** Where the calling thread's scope is: a method that puts another one there puts back what it found. */
    static AtomicReference<@Nullable RequestScope> currentPlace() {
        return CURRENT.place();
    }

    /**
     * What the request changes in the session is sent when it settles. Does not fail: if it is not sent then, the
     * response is degraded.
     */
    void use(UnderstudySession session) {
        try {
            sessions.add(session);
        } catch (Throwable e) {
            failed("recording that a request uses a session", e);
        }
    }

    /**
     * The request accesses the session, perhaps not for the first time. Does not fail, as Tomcat ends the access in any
     * case: a request without a use of its own is degraded.
     *
     * @return false, and nothing happens, if the request is over and its thread goes on
     */
    boolean access(UnderstudySession session) {
        boolean counted = false;
        try {
            SessionUse use = sessions.accessed(session);
            if (use == null) {
                return false;
            }
            counted = true; // From now on the end of the request ends the use.
            use.begin();
        } catch (Throwable e) {
            if (!counted) {
                session.uses().overBefore(1);
            }
            failed("starting a request's use of a session", e);
        }
        return true;
    }

    /**
     * Tomcat ends an access of a dispatch: the use goes on, and the request sends what changed. False if it has none.
     */
    boolean accessEnds(UnderstudySession session) {
        return sessions.accessEnds(session);
    }

    /**
     * A valve outside of the host's frame asked for the session before the request came here: it is used like any
     * other.
     */
    void adopt(UnderstudySession session) {
        sessions.adopt(session);
    }

    /** A pass of the pipeline begins. It may be that of a request that went on asynchronously. Does not fail. */
    void beginPass() {
        over = false;
        sessions.begin();
        goOnNoMore();
    }

    private void goOnNoMore() {
        try {
            sessions.goOnNoMore(this);
        } catch (Throwable e) {
            manager.survived("taking back that a request goes on asynchronously", e);
        }
    }

    /**
     * A pass of the pipeline is over: sends what changed and waits for it, and gives up what the request has. Does
     * not fail.
     *
     * @param returned whether the pass returned: after an exception Tomcat forgets an asynchronous request without a
     *     word
     */
    void endPass(boolean returned) {
        settle();
        try {
            if (returned && AsyncEnd.follows(request, listening)) {
                goesOn();
                return;
            }
        } catch (Throwable e) {
            failed("passing a request's sessions to its asynchronous part", e);
        }
        leave(false);
    }

    /**
     * Whatever failed: the response is degraded, and goes on. A container answers no request whose thread ends with
     * an Error.
     */
    private void failed(String what, Throwable e) {
        degradation.unacknowledged();
        manager.survived(what, e);
        try {
            if (!over) { // Else the objects of request and response may be another one's.
                degradation.tell();
            }
        } catch (Throwable again) {
            manager.survived("reporting a degraded response", again);
        }
    }

    /**
     * Ends its uses, each although another failed, and then gives the lock back. Does not fail.
     *
     * @param accessesEnded whether Tomcat has ended all accesses
     */
    void leave(boolean accessesEnded) {
        over = true;
        goOnNoMore();
        sessions.end(accessesEnded);
        try {
            SessionLock taken = lock;
            if (taken != null) {
                taken.close();
            }
        } catch (Throwable e) {
            manager.survived("releasing a session's lock; the node retries", e);
        }
    }

    /**
     * Makes the response of the thread's request wait for it; without a request it waits here. Not in a lock of
     * Tomcat's.
     *
     * @param session that it changes; {@code null} if it is no application's
     */
    static void await(Commit commit, @Nullable UnderstudySession session) {
        RequestScope scope = current();
        if (scope == null) {
            Outcome outcome = commit.await();
            if (session != null) {
                session.uses().changedOutside(session, outcome);
            }
        } else {
            scope.awaitLater(commit);
        }
    }

    /** The change is made: if the response can't wait for it, it is degraded. */
    private void awaitLater(Commit commit) {
        try {
            awaited.add(commit);
        } catch (Throwable e) {
            failed("recording the changes that a response waits for", e);
        }
    }

    /** The response is to give the client the session's current id in place of this one. */
    void outdated(UnderstudySession session, String id) {
        awaited.outdated(session, id);
    }

    @Override
    public void changedOutside(UnderstudySession session, Outcome outcome) {
        sessions.changedOutside(session, outcome);
    }

    /** Sends what changed and waits until it is acknowledged or the time for that is over. Does not fail. */
    void settle() {
        if (over) {
            return; // The application writes to a response that is complete.
        }
        try {
            send();
        } catch (Throwable e) {
            failed(
                    "sending the changes of a request",
                    e); // Each session's end of access tries again what was not sent.
        }
    }

    private void send() {
        int used = sessions.count();
        List<Commit> before = awaited.all(response);
        if (used == 0 && before.isEmpty()) {
            return;
        }
        Commit first = used == 0 ? Commit.NOTHING : commit(sessions.session(0)); // Mostly the only one.
        List<Commit> others = List.of();
        for (int i = 1; i < used; i++) {
            others = i == 1 ? new ArrayList<>() : others;
            others.add(commit(sessions.session(i)));
        }
        Outcome outcome = Outcome.worse(first.await(), AwaitedCommits.worst(others));
        outcome = Outcome.worse(outcome, AwaitedCommits.worst(before));
        awaited.decided(before);
        for (int i = 0; i < used; i++) {
            UnderstudySession session = sessions.session(i);
            Outcome outside = sessions.takeOutside(session);
            if (outside != Outcome.UNCHANGED && session.live().waits(coherence(session))) {
                outcome = Outcome.worse(outcome, outside);
            }
            if (!VersionCookies.tell(session, request, response)) {
                // The response has begun without what the session is now: who comes back finds it because we wait.
                outcome = Outcome.worse(
                        outcome,
                        session.commits()
                                .commit(Coherence.COHERENT, sessions.use(session))
                                .await());
            }
        }
        if (outcome.degraded()) {
            if (outcome == Outcome.DEGRADED) {
                degradation.unacknowledged();
            }
            degradation.tell();
        }
    }

    private Commit commit(UnderstudySession session) {
        return session.commits().commit(coherence(session), sessions.use(session));
    }

    /** This node lacks what the client has seen of the session. */
    void behind() {
        degradation.tell();
    }

    /** What the request wants for its changes of a session; its path counts for those of its own application. */
    @Nullable
    Coherence coherence(UnderstudySession session) {
        return RequestCoherence.of(
                request.getAttribute(RequestCoherence.ATTRIBUTE),
                session.getManager() == manager ? path : null,
                session.live().settings());
    }

    /** Settles before the response ends, or replaces it. The client may be back before the request is over. */
    @Override
    public void settleOrRefuse() throws IOException {
        if (over) {
            return; // The application goes on with a response that is complete, whose object may be another one's.
        }
        settle();
        sessions.answered();
        degradation.refuse();
    }

    /** Refuses a degraded response at the end of a pass, unless the request goes on. */
    void refuseAtEnd() throws IOException {
        try {
            if (!request.isAsync()) {
                degradation.refuse();
            }
        } catch (RuntimeException | Error e) {
            failed("refusing a degraded response", e);
        }
    }

    /** The request goes on outside the pipeline: Tomcat tells when it is complete. */
    private void goesOn() {
        useBorne();
        sessions.goOn(this);
        if (!listening) {
            listening = true;
            request.getAsyncContextInternal().addListener(new AsyncEnd(this));
        }
    }

    /** The client may see its session in the response, also if only other requests change it until then. */
    private void useBorne() {
        if (manager.isReplicating()
                && manager.findSession(request.getRequestedSessionId()) instanceof UnderstudySession borne) {
            use(borne);
        }
    }

    /** Tomcat has forgotten its listeners. */
    void startedAnew() {
        listening = false;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    /** The asynchronous request is complete, and its response about to leave: it passes the barrier. Does not fail. */
    void completed() {
        try {
            if (CURRENT.get() == this) {
                return; // Tomcat completes it within the last pass: its end does the same, after error pages.
            }
            useCreated();
            settleOrRefuse();
        } catch (Throwable e) {
            failed("settling the sessions of an asynchronous request", e);
        }
        leaveAsync(false);
    }

    /** A thread of the request may have created its session. If the request bore one, {@link #useBorne} was enough. */
    private void useCreated() {
        if (manager.findSession(request.getRequestedSessionId()) == null
                && request.getSessionInternal(false) instanceof UnderstudySession created) {
            use(created);
        }
    }

    @Override
    public void overAfterAccess() {
        sessions.commitLast();
        leaveAsync(true);
    }

    private void leaveAsync(boolean accessesEnded) {
        if (lock != null) {
            sessions.answeredOutside();
        }
        leave(accessesEnded);
    }
}
