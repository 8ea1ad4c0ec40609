package io.understudy;

import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sessions that were used here, until they are idle for a while and {@linkplain LiveSession#letGo let go} of the objects
 * of their attributes, as there is no room for them. The container holds each session's object until the session ends;
 * without this the heap would hold all attributes of all sessions as objects, beside the bytes that {@code maxMemory}
 * bounds. As long as there is room the objects stay as they are, with their transient fields.
 *
 * <p>Each use of a session looks at the two that nobody looked at for the longest, so no thread of its own is needed; a
 * session is in the queue once at most. Threads: any.
 */
final class IdleSessions {

    /** How long, in milliseconds, a session keeps its objects after its last use here. */
    static final long KEPT_MILLIS = 10_000;

    private static final int AT_ONCE = 2;

    /** Heap of an attribute's object for each byte of its encoding and name, by estimate. */
    private static final int OBJECT_BYTES_PER_BYTE = 4;

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

    /** @param at when it was put here: nobody looks at it earlier than {@link #KEPT_MILLIS} afterwards */
    private record Used(Place place, long at) {}

    private final TimeSource time;
    private final Memory memory;
    private final Queue<Used> used = new ConcurrentLinkedQueue<>();

    /** Those with objects that threads of no request used. */
    private final Queue<LiveSession> lent = new ConcurrentLinkedQueue<>();

    IdleSessions(TimeSource time, Memory memory) {
        this.time = time;
        this.memory = memory;
    }

    /**
     * A use of the session ends.
     *
     * @param attributeBytes of its attributes' encodings and names
     */
    void used(Place place, long attributeBytes) {
        long now = time.monotonicMillis();
        place.usedAt = now;
        account(place, OBJECT_BYTES_PER_BYTE * attributeBytes);
        if (!place.taken.get() && place.taken.compareAndSet(false, true)) {
            put(place, now);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            lookAtNext(now);
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
            }
        }
    }

    /** The session let go of its objects. */
    void letGone(Place place) {
        account(place, 0);
    }

    private void account(Place place, long bytes) {
        if (place.bytes.get() != bytes) {
            memory.objects(bytes - place.bytes.getAndSet(bytes));
        }
    }

    /**
     * Lets go of all that are idle for long enough, until there is room. What threads of no request used is committed
     * first.
     */
    void letGo() {
        long now = time.monotonicMillis();
        boolean more = true;
        while (more) {
            more = lookAtNext(now);
        }
        for (LiveSession session = lent.poll(); session != null; session = lent.poll()) {
            session.letGoOfLent();
        }
    }

    /** @return false if there is none to look at */
    private boolean lookAtNext(long now) {
        Used next = used.peek();
        if (next == null || now - next.at() < KEPT_MILLIS || !used.remove(next)) {
            return false;
        }
        Place place = next.place();
        LiveSession session = place.session.get();
        if (session == null) {
            account(place, 0);
        } else if (now - place.usedAt < KEPT_MILLIS || memory.roomForObjects()) {
            put(place, now);
        } else {
            place.taken.set(
                    false); // Before it lets go: who uses it meanwhile, and holds what he used, takes a place anew.
            if (session.letGo()) {
                lent.add(session);
            }
        }
        return true;
    }

    void clear() {
        for (Used left = used.poll(); left != null; left = used.poll()) {
            account(left.place(), 0);
        }
        lent.clear();
    }
}
