package io.understudy.session;

import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The live sessions somebody holds, one object per session; those nobody holds any more go. Threads: any. */
final class LiveSessions implements Predicate<SessionKey> {

    private static final class Reference extends WeakReference<LiveSession> {
        private final SessionKey key;

        Reference(LiveSession session, ReferenceQueue<LiveSession> dropped) {
            super(session, dropped);
            key = session.key();
        }
    }

    private final Map<SessionKey, Reference> sessions = new ConcurrentHashMap<>();
    private final ReferenceQueue<LiveSession> dropped = new ReferenceQueue<>();

    /** @param published of one that is not here yet: whether a commit of it was made, here or elsewhere */
    LiveSession of(SessionServices services, StoredReplica stored, boolean published) {
        removeDropped();
        LiveSession present = get(stored.replica().key()); // Mostly, and without a lock.
        return present != null ? present : computed(services, stored, published);
    }

    private @Nullable LiveSession get(SessionKey key) {
        Reference reference = sessions.get(key);
        return reference == null ? null : reference.get();
    }

    private LiveSession computed(SessionServices services, StoredReplica stored, boolean published) {
        LiveSession[] found = new LiveSession[1];
        sessions.compute(stored.replica().key(), (same, reference) -> {
            LiveSession session = reference == null ? null : reference.get();
            if (session != null) {
                found[0] = session;
                return reference;
            }
            found[0] = new LiveSession(services, stored, published);
            return new Reference(found[0], dropped);
        });
        return found[0];
    }

    /** Whether a request uses the session. */
    @Override
    public boolean test(SessionKey key) {
        LiveSession session = get(key);
        return session != null && session.inUse();
    }

    /** A request got the lock of the session. Others that run without it keep no older values from it. */
    void locked(SessionKey key) {
        LiveSession session = get(key);
        if (session != null) {
            for (long ticket : session.running().snapshot()) {
                session.slots().release(ticket);
            }
        }
    }

    /** The attributes of the session went to disk: they are not to stay in memory as objects. */
    void spilled(SessionKey key) {
        LiveSession session = get(key);
        if (session != null) {
            session.objects().letGo();
        }
    }

    /** Takes out those that nobody holds any more; also done when one is added. */
    void removeDropped() {
        for (@Nullable Object gone = dropped.poll(); gone != null; gone = dropped.poll()) {
            if (gone instanceof Reference reference) {
                sessions.remove(reference.key, reference);
            }
        }
    }

    void clear() {
        sessions.clear();
    }
}
