package io.understudy.cluster;

import io.understudy.codec.Frame.Beginnings;
import io.understudy.codec.Frame.Update;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sessions that began here without attributes and are to be announced: all together, when the interval is over. A change
 * of one of them before that carries it whole.
 *
 * <p>Threads: any.
 */
final class UnsentBeginnings {

    /** Sessions in one frame: about 400 KB. */
    private static final int MAX_BEGINNINGS = 4096;

    private final ApplicationGroup group;
    private final ClusterChannel channel;
    private final Set<SessionKey> keys = ConcurrentHashMap.newKeySet();

    UnsentBeginnings(ApplicationGroup group, ClusterChannel channel) {
        this.group = group;
        this.channel = channel;
    }

    /** It is announced with the next, unless it goes out by itself before. */
    void note(SessionKey key) {
        keys.add(key);
    }

    /**
     * A member asks for a session by its id, and is about to be told; the others are with the next announcement. To be called
     * before claims are looked at: who ends a session that is not shared asks nobody.
     */
    void askedFor(String id) {
        StoredReplica found = group.store().header(id);
        if (found != null && found.unshared()) {
            group.store().share(found.replica().key());
            note(found.replica().key());
        }
    }

    /** Whether it is announced with the next. */
    boolean noted(SessionKey key) {
        return keys.contains(key);
    }

    /** A change goes out that carries it whole. */
    void sent(SessionKey key) {
        keys.remove(key);
    }

    /** Sends all but those that are being ended: their turn comes when that was given up. What can't be sent stays. */
    void send() {
        List<SessionKey> noted = List.copyOf(keys);
        boolean sent = false;
        try {
            send(noted);
            sent = true;
        } finally {
            if (!sent) {
                keys.addAll(noted); // Shared already: what is told twice is as good as once.
            }
        }
    }

    private void send(List<SessionKey> noted) {
        List<Update> begun = new ArrayList<>();
        for (SessionKey key : noted) {
            // Before the looks: who changes or ends it from now on finds that it is announced.
            group.store().share(key);
            if (keys.remove(key)) {
                if (group.expiry().claimed(key)) {
                    note(key);
                    continue;
                }
                StoredReplica stored = group.store().whole(key);
                if (stored != null && stored.replica().live()) {
                    begun.add(group.update(stored));
                }
            }
        }
        for (int from = 0; from < begun.size(); from += MAX_BEGINNINGS) {
            List<Update> part = List.copyOf(begun.subList(from, Math.min(begun.size(), from + MAX_BEGINNINGS)));
            channel.metrics().count(Counter.SESSIONS_ANNOUNCED, part.size());
            channel.metrics().count(Counter.ANNOUNCEMENTS_SENT);
            channel.sendToAll(new Beginnings(group.number(), part));
        }
    }
}
