package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.SessionUse;
import io.understudy.threads.PerThread;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The accesses to one session object, each from Tomcat's {@code access} to its {@code endAccess}, which does not say
 * whose end it is. A request may access the session several times, and Tomcat ends accesses of dispatches before the
 * request ends. So a {@link RequestScope} counts its accesses, and ends its use of the session itself. An access
 * without a scope has a use of its own.
 *
 * <p>Threads: any.
 */
final class SessionUses {

    /** An asynchronous request between passes of the pipeline. Threads: any. */
    interface Asynchronous {

        /** A thread of no pass has changed a session that the request uses. */
        void changedOutside(UnderstudySession session, Outcome outcome);

        /** No access to the session is open any more, and nobody said that the request was over. Does not fail. */
        void overAfterAccess();
    }

    /**
     * Tomcat may give up a request without a word. One of the accesses ends then, if it has any. One without is of no
     * concern once nobody else has it.
     *
     * @param accessing the request, if one of the open accesses is its own
     */
    private record GoingOn(
            WeakReference<Asynchronous> request, @Nullable Asynchronous accessing) {

        boolean is(Asynchronous other) {
            return request.refersTo(other);
        }

        boolean gone() {
            return request.refersTo(null);
        }
    }

    /**
     * By {@code HttpSession.Accessor}, a valve outside of the host's frame, or any other. No record: the end of a use
     * compares these, which is to take no memory.
     */
    private static final class WithoutScope {

        private final SessionUse use;
        private final Thread by;

        /** The place of {@link #BEGUN_EARLY} in that thread. */
        private final AtomicReference<@Nullable Boolean> begunEarly;

        WithoutScope(SessionUse use, Thread by, AtomicReference<@Nullable Boolean> begunEarly) {
            this.use = use;
            this.by = by;
            this.begunEarly = begunEarly;
        }

        SessionUse use() {
            return use;
        }
    }

    /** Whether the thread began a use without a scope. It may be that of a request that comes to its scope later. */
    private static final PerThread<Boolean> BEGUN_EARLY = new PerThread<>();

    /** Accesses that have begun and not ended; {@code StandardSession} counts only on demand. */
    @GuardedBy("this")
    private int open;

    /** Those of them whose scope is over, or that have no use: their ends are at hand, and end nothing more. */
    @GuardedBy("this")
    private int overBefore;

    /** The uses without a scope, in the order in which they began. */
    @GuardedBy("this")
    private final List<WithoutScope> early = new ArrayList<>(1);

    /** The asynchronous requests that use the object. */
    @GuardedBy("this")
    private final List<GoingOn> goingOn = new ArrayList<>(1);

    synchronized boolean any() {
        return open > 0 || goesOn();
    }

    @GuardedBy("this")
    private boolean goesOn() {
        for (int i = goingOn.size() - 1; i >= 0; i--) {
            if (goingOn.get(i).gone()) {
                goingOn.remove(i);
            }
        }
        return !goingOn.isEmpty();
    }

    /** An access begins. */
    synchronized void begin() {
        open++;
    }

    /** The access that the thread has begun is in no scope. */
    void beginEarly(LiveSession session) {
        boolean kept = false;
        try {
            WithoutScope mine = new WithoutScope(session.use(), Thread.currentThread(), BEGUN_EARLY.place());
            mine.begunEarly.setPlain(true);
            synchronized (this) {
                kept = early.add(mine); // Before it begins: from now on an end of access ends it.
            }
            mine.use().begin();
        } finally {
            if (!kept) {
                overBefore(1);
            }
        }
    }

    /** Whether the thread has begun a use without a scope, of whichever session, since this was asked last. */
    static boolean takeBegunEarly() {
        AtomicReference<@Nullable Boolean> mine = BEGUN_EARLY.place();
        boolean begun = mine.getPlain() != null;
        mine.setPlain(null);
        return begun;
    }

    /** The thread's use without a scope, if it has one: the end of access that is at hand ends it. */
    synchronized @Nullable SessionUse own() {
        WithoutScope own = ownOf(Thread.currentThread());
        return own == null ? null : own.use();
    }

    /** The thread's use, which began without a scope, and its access belong to one from now on. */
    synchronized void adopted() {
        early.remove(ownOf(Thread.currentThread()));
    }

    /** The last one: uses of one thread are inside each other. */
    @GuardedBy("this")
    private @Nullable WithoutScope ownOf(Thread thread) {
        for (int i = early.size() - 1; i >= 0; i--) {
            if (early.get(i).by == thread) {
                return early.get(i);
            }
        }
        return null;
    }

    /** The uses of so many accesses are over, or never began: as many ends of access follow, which end nothing more. */
    synchronized void overBefore(int accesses) {
        overBefore += accesses;
    }

    /** The uses without a scope no longer keep what they used from requests that come now. */
    void answered() {
        List<SessionUse> all;
        synchronized (this) {
            if (early.isEmpty()) {
                return;
            }
            all = early.stream().map(WithoutScope::use).toList();
        }
        all.forEach(SessionUse::responseReady);
    }

    /** The use that the end of an access outside of a scope is going to end; {@code null} if that ended before. */
    synchronized @Nullable SessionUse ending() {
        WithoutScope ending = endingNext();
        return ending == null ? null : ending.use();
    }

    /** The thread's own, or else that of a thread whose access Tomcat ends by another one. */
    @GuardedBy("this")
    private @Nullable WithoutScope endingNext() {
        WithoutScope own = ownOf(Thread.currentThread());
        return own != null || overBefore > 0 || early.isEmpty() ? own : early.get(0);
    }

    /** The end of an access outside of a scope: what use it ends, or {@code null} if that ended before. */
    synchronized @Nullable SessionUse endOfAccess() {
        WithoutScope ended = endingNext();
        if (ended == null) {
            overBefore = Math.max(0, overBefore - 1);
            return null;
        }
        if (ended.by == Thread.currentThread()) {
            ended.begunEarly.setPlain(null);
        }
        early.remove(ended);
        return ended.use();
    }

    /**
     * A request that uses the object goes on asynchronously. If it accesses it, and Tomcat does not tell that it is
     * complete, it is over when no access is open any more.
     */
    synchronized void goesOn(Asynchronous request, boolean accessing) {
        goingOn.add(new GoingOn(new WeakReference<>(request), accessing ? request : null));
    }

    /** The request is over, or has another pass of the pipeline. Needs no memory. */
    synchronized void goesOnNoMore(Asynchronous request) {
        for (int i = goingOn.size() - 1; i >= 0; i--) {
            if (goingOn.get(i).is(request)) {
                goingOn.remove(i);
            }
        }
    }

    /** A thread of no pass has changed the session: perhaps for one of the asynchronous requests. */
    void changedOutside(UnderstudySession session, Outcome outcome) {
        List<GoingOn> all;
        synchronized (this) {
            if (!goesOn()) {
                return;
            }
            all = List.copyOf(goingOn);
        }
        for (GoingOn going : all) {
            Asynchronous request = going.request().get();
            if (request != null) {
                request.changedOutside(session, outcome);
            }
        }
    }

    /** The end of an access is done. Requests that go on asynchronously are over if it was the last. */
    void end() {
        Asynchronous over = ended();
        while (over != null) {
            over.overAfterAccess();
            over = nextOver();
        }
    }

    private synchronized @Nullable Asynchronous ended() {
        open = Math.max(0, open - 1); // Tomcat ends an access, too, that it could not begin.
        return nextOver();
    }

    /** One at a time: a request that begins meanwhile, and goes on asynchronously, is not over with those before it. */
    private synchronized @Nullable Asynchronous nextOver() {
        for (int i = 0; open == 0 && i < goingOn.size(); i++) {
            if (goingOn.get(i).accessing() != null) {
                return goingOn.remove(i).accessing();
            }
        }
        return null;
    }
}
