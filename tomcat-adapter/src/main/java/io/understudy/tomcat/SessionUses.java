package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.LiveSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The uses of one session object, each from Tomcat's {@code access} to its {@code endAccess}, which does not say whose end
 * it is. Those in a {@link RequestScope} end with it; all others with an end of access.
 *
 * <p>Threads: any.
 */
final class SessionUses {

    /** Whether the thread began a use without a scope. It may be that of a request that comes to its scope later. */
    private static final ThreadLocal<Boolean> BEGUN_EARLY = new ThreadLocal<>();

    /** Requests that have begun and not ended to use the object; {@code StandardSession} counts only on demand. */
    private final AtomicInteger running = new AtomicInteger();

    /** The threads of those without a scope, as {@code HttpSession.Accessor} and valves outside of the host's frame have it. */
    private final Set<Thread> accessors = ConcurrentHashMap.newKeySet();

    private final Queue<RequestScope> goingOn = new ConcurrentLinkedQueue<>();

    /** Tickets of uses that end with an end of access. */
    @GuardedBy("this")
    private final Deque<Long> laterExits = new ArrayDeque<>(1);

    /** Uses that were over before their end of access. */
    @GuardedBy("this")
    private int exitsDone;

    boolean any() {
        return running.get() > 0;
    }

    void begin() {
        running.incrementAndGet();
    }

    /** The use that the thread has begun is in no scope. */
    void beginEarly(LiveSession session) {
        BEGUN_EARLY.set(true);
        accessors.add(Thread.currentThread());
        endsWithAccess(session.enter());
    }

    /** Whether the thread has begun a use without a scope, of whichever session, since this was asked last. */
    static boolean takeBegunEarly() {
        boolean early = BEGUN_EARLY.get() != null;
        if (early) {
            BEGUN_EARLY.remove();
        }
        return early;
    }

    /** The thread's use, which began without a scope, belongs to one from now on; {@code null} if it has none. */
    @Nullable
    Long adopt() {
        if (!accessors.remove(Thread.currentThread())) {
            return null;
        }
        synchronized (this) {
            return laterExits.pollLast();
        }
    }

    /** Whether the end of access, which is at hand, is that of the thread's own use without a scope. */
    boolean endsOwn() {
        boolean own = accessors.remove(Thread.currentThread());
        if (own) {
            BEGUN_EARLY.remove();
        }
        return own;
    }

    /** A scope that goes on asynchronously, and is over at the latest when nobody uses the session. */
    void endsLast(RequestScope scope) {
        goingOn.add(scope);
    }

    /** A scope ends its use: an end of access will follow, which ends nothing more. */
    synchronized void endedBeforeAccess() {
        exitsDone++;
    }

    /** A use ends with an end of access. */
    synchronized void endsWithAccess(long ticket) {
        laterExits.add(ticket);
    }

    /** The tickets of those uses. */
    synchronized List<Long> endingWithAccess() {
        return List.copyOf(laterExits);
    }

    /** An end of access: what use it ends, or {@code null} if that ended before. */
    synchronized @Nullable Long endOfAccess() {
        if (exitsDone > 0) {
            exitsDone--;
            return null;
        }
        return laterExits.poll();
    }

    /** The end of access is done. Scopes that go on asynchronously are over when it was the last. */
    void end() {
        if (running.decrementAndGet() > 0) {
            return;
        }
        for (RequestScope scope = goingOn.poll(); scope != null; scope = goingOn.poll()) {
            scope.overAfterAccess();
        }
    }
}
