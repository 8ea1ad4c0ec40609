package io.understudy.session;

import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sessions that have objects on this node, which count in {@code maxMemory} beside the replicas. Where there is no room
 * for them, sessions that no request uses {@linkplain SessionObjects#letGo let go} of the objects of their attributes,
 * the least recently used first. Then the container drops its session object. As long as there is room the objects stay
 * as they are, with their transient fields.
 *
 * <p>Each request looks at a few sessions when it ends, so no thread is needed; a session is in the queue once at most.
 * Threads: any.
 */
final class IdleSessions {

    /** How often, in milliseconds, a session is looked at while there is room: to find those that are gone. */
    static final long KEPT_MILLIS = 10_000;

    /** At how many sessions a request looks at its end: more than it adds. */
    private static final int AT_ONCE = 2;

    /** The same as long as there is no room. */
    private static final int AT_ONCE_IF_FULL = 16;

    /** How long, in milliseconds, values that were put off are encoded at once. */
    private static final long TRYING_MILLIS = 1_000;

    /** A session's place among them. */
    static final class Place {
        private final WeakReference<LiveSession> session;
        private final AtomicBoolean taken = new AtomicBoolean();
        private final AtomicLong bytes = new AtomicLong();
        private volatile long usedAt;

        Place(LiveSession session) {
            this.session = new WeakReference<>(session);
        }
    }

    /** @param at when it was put here */
    private record Used(Place place, long at) {}

    private final TimeSource time;
    private final Memory memory;
    private final Queue<Used> used = new ConcurrentLinkedQueue<>();

    /** Those with objects that threads of no request used. */
    private final Set<LiveSession> lent = ConcurrentHashMap.newKeySet();

    /** Those with values that a commit put off. */
    private final Set<LiveSession> putOff = ConcurrentHashMap.newKeySet();

    /** Whether the application has left: a request that goes on longer leaves nothing here. */
    private volatile boolean closed;

    private volatile Predicate<LiveSession> drop = session -> true;

    IdleSessions(TimeSource time, Memory memory) {
        this.time = time;
        this.memory = memory;
    }

    /** @param container lets go of its object of a session, unless that has more than the session */
    void dropBy(Predicate<LiveSession> container) {
        drop = container;
    }

    /**
     * A use of the session ends, or it has objects now. Looks at no other session: the caller may hold locks.
     *
     * @param bytes of heap that its objects take, by estimate
     */
    void used(Place place, long bytes) {
        long now = time.monotonicMillis();
        place.usedAt = now;
        account(place, bytes);
        if (!place.taken.get() && place.taken.compareAndSet(false, true)) {
            put(place, now);
        }
        if (closed) {
            account(place, 0); // Last: it may have been counted after all others were counted out.
        }
    }

    /** Of a place that is taken. If there is no memory for it, the next use takes it again. */
    private void put(Place place, long now) {
        boolean put = false;
        try {
            put = used.add(new Used(place, now));
        } finally {
            if (!put) {
                place.taken.set(false);
                account(place, 0);
            }
        }
    }

    private void account(Place place, long bytes) {
        if (place.bytes.get() != bytes) {
            memory.objects(bytes - place.bytes.getAndSet(bytes));
        }
    }

    /** A commit put a value of the session off: other nodes may have an old state of it. */
    void putOff(LiveSession session) {
        if (!closed) {
            putOff.add(session);
        }
    }

    /** Some of the session's objects are gone, and the rest takes so many bytes; nothing if there was less before. */
    void lessened(Place place, long bytes) {
        long before = place.bytes.getAndUpdate(counted -> Math.min(counted, bytes));
        memory.objects(Math.min(before, bytes) - before);
    }

    /** Looks at the sessions that nobody looked at for the longest; to be called without locks. */
    void makeRoom() {
        long now = time.monotonicMillis();
        boolean more = true;
        for (int i = 0; more && i < (memory.roomForObjects() ? AT_ONCE : AT_ONCE_IF_FULL); i++) {
            more = lookAtNext(now);
        }
    }

    /** Lets go of all that are idle, until there is room. What threads of no request used is committed first. */
    void letGo() {
        long now = time.monotonicMillis();
        boolean more = true;
        while (more) {
            more = lookAtNext(now);
        }
        for (LiveSession session : List.copyOf(lent)) {
            lent.remove(session); // Before: who uses it meanwhile is added again.
            session.objects().letGoOfLent();
        }
    }

    /**
     * Commits once more, in sessions that no request uses, the values that were put off. What a second does not suffice for
     * is left for the next time.
     *
     * @param survived learns of what the application's classes throw
     */
    void tryAgain(Consumer<Throwable> survived) {
        long end = time.monotonicMillis() + TRYING_MILLIS;
        for (LiveSession session : List.copyOf(putOff)) {
            if (time.monotonicMillis() > end) {
                return;
            }
            putOff.remove(session); // Before: a request that puts off another value meanwhile adds it again.
            boolean left = true;
            try {
                left = session.objects().tryAgain();
            } catch (RuntimeException | Error e) {
                survived.accept(e);
            } finally {
                if (left) {
                    putOff(session);
                }
            }
        }
    }

    /** @return false if there is none to look at */
    private boolean lookAtNext(long now) {
        boolean room = memory.roomForObjects();
        Used next = used.peek();
        if (next == null || now - next.at() < (room ? KEPT_MILLIS : 1) || !used.remove(next)) {
            return false;
        }
        Place place = next.place();
        LiveSession session = place.session.get();
        if (session == null) {
            account(place, 0);
        } else if (room || place.usedAt > next.at()) {
            put(place, now); // Those that were used since come after those that were not.
        } else {
            letGo(place, session, now);
        }
        return true;
    }

    private void letGo(Place place, LiveSession session, long now) {
        place.taken.set(false); // Before it lets go: who uses it meanwhile, and holds what he used, takes a place anew.
        boolean gone = false;
        try {
            if (session.objects().letGo()) {
                lent.add(session);
            }
            gone = session.objects().idle() && drop.test(session);
        } finally {
            if (gone) {
                account(place, 0);
            } else if (place.taken.compareAndSet(false, true)) {
                put(place, now);
            }
        }
    }

    /** The application has left. */
    void close() {
        closed = true;
        for (Used left = used.poll(); left != null; left = used.poll()) {
            account(left.place(), 0);
        }
        lent.clear();
        putOff.clear();
    }
}
