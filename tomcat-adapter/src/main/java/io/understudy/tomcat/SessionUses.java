package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.session.LiveSession;
import io.understudy.session.SessionUse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The uses of one session object, each from Tomcat's {@code access} to its {@code endAccess}, which does not say whose end
 * it is. Those in a {@link RequestScope} end with it; all others with an end of access.
 *
 * <p>Threads: any.
 */
final class SessionUses {

    /** @param by the thread that began it, as {@code HttpSession.Accessor} and valves outside of the host's frame do; or none */
    private record WithoutScope(SessionUse use, @Nullable Thread by) {}

    /** Whether the thread began a use without a scope. It may be that of a request that comes to its scope later. */
    private static final ThreadLocal<Boolean> BEGUN_EARLY = new ThreadLocal<>();

    /** Uses that end with an end of access, in their order. */
    @GuardedBy("this")
    private final List<WithoutScope> later = new ArrayList<>(1);

    /** Requests that have begun and not ended to use the object; {@code StandardSession} counts only on demand. */
    @GuardedBy("this")
    private int running;

    /** Uses that were over before their end of access, or never began. */
    @GuardedBy("this")
    private int exitsDone;

    /** Ends of asynchronous requests that are over at the latest with the last use. */
    @GuardedBy("this")
    private final Queue<Runnable> goingOn = new ArrayDeque<>(1);

    synchronized boolean any() {
        return running > 0 || !later.isEmpty() || !goingOn.isEmpty();
    }

    synchronized void begin() {
        running++;
    }

    /** The use that the thread has begun is in no scope. */
    void beginEarly(LiveSession session) {
        boolean kept = false;
        try {
            WithoutScope mine = new WithoutScope(session.use(), Thread.currentThread());
            BEGUN_EARLY.set(true);
            synchronized (this) {
                kept = later.add(mine); // Before it begins: from now on an end of access ends it.
            }
            mine.use().begin();
        } finally {
            if (!kept) {
                endedBeforeAccess();
            }
        }
    }

    /** Whether the thread has begun a use without a scope, of whichever session, since this was asked last. */
    static boolean takeBegunEarly() {
        boolean early = BEGUN_EARLY.get() != null;
        if (early) {
            BEGUN_EARLY.remove();
        }
        return early;
    }

    /** The thread's use without a scope, if it has one: the end of access that is at hand ends it. */
    synchronized @Nullable SessionUse own() {
        WithoutScope own = ownOf(Thread.currentThread());
        return own == null ? null : own.use();
    }

    /** The thread's use, which began without a scope, belongs to one from now on. */
    synchronized void adopted() {
        later.remove(ownOf(Thread.currentThread()));
    }

    /** The last one: uses of one thread are inside each other. */
    @GuardedBy("this")
    private @Nullable WithoutScope ownOf(Thread thread) {
        for (int i = later.size() - 1; i >= 0; i--) {
            if (later.get(i).by() == thread) {
                return later.get(i);
            }
        }
        return null;
    }

    /**
     * A request that has begun to use the object goes on asynchronously, and is over at the latest when nobody uses it.
     *
     * @param over ends the request; does not fail
     */
    synchronized void endsLast(Runnable over) {
        goingOn.add(over);
    }

    /** A use is over, or never began: an end of access will follow, which ends nothing more. */
    synchronized void endedBeforeAccess() {
        exitsDone++;
    }

    /** A use ends with an end of access. */
    synchronized void endsWithAccess(SessionUse use) {
        later.add(new WithoutScope(use, null));
    }

    /** Those uses no longer keep what they used from requests that come now. */
    void answered() {
        List<SessionUse> uses;
        synchronized (this) {
            if (later.isEmpty()) {
                return;
            }
            uses = later.stream().map(WithoutScope::use).toList();
        }
        uses.forEach(SessionUse::responseReady);
    }

    /** What use the end of access that is at hand ends; {@code null} if that ended before. */
    synchronized @Nullable SessionUse ending() {
        WithoutScope own = ownOf(Thread.currentThread());
        WithoutScope ending = own != null || exitsDone > 0 || later.isEmpty() ? own : later.get(0);
        return ending == null ? null : ending.use();
    }

    /** An end of access: what use it ends, or {@code null} if that ended before. */
    synchronized @Nullable SessionUse endOfAccess() {
        WithoutScope ended = ownOf(Thread.currentThread());
        if (ended != null) {
            BEGUN_EARLY.remove();
        } else if (exitsDone > 0) {
            exitsDone--;
        } else if (!later.isEmpty()) {
            ended = later.get(0);
        }
        if (ended == null) {
            return null;
        }
        later.remove(ended);
        return ended.use();
    }

    /** The end of access is done. Requests that go on asynchronously are over if it was the last. */
    void end() {
        Runnable over = ended();
        while (over != null) {
            over.run();
            over = nextOver();
        }
    }

    private synchronized @Nullable Runnable ended() {
        running = Math.max(0, running - 1); // Tomcat ends an access, too, that it could not begin.
        return nextOver();
    }

    /** One at a time: a request that begins meanwhile, and goes on asynchronously, is not over with those before it. */
    private synchronized @Nullable Runnable nextOver() {
        return running > 0 ? null : goingOn.poll();
    }
}
