package io.understudy.cluster;

import io.understudy.codec.Frame.Beginning;
import io.understudy.codec.Frame.Beginnings;
import io.understudy.codec.Frame.Update;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.store.StoredReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sessions that began here without attributes and that the other members do not know yet. They go out together; a change
 * of one of them before that carries it whole.
 *
 * <p>Threads: any.
 */
public final class UnsentBeginnings {

    /** Sessions in one frame: about 250 KB. */
    private static final int MAX_BEGINNINGS = 4096;

    private final ApplicationGroup group;
    private final ClusterChannel channel;
    private final Set<SessionKey> keys = ConcurrentHashMap.newKeySet();

    UnsentBeginnings(ApplicationGroup group, ClusterChannel channel) {
        this.group = group;
        this.channel = channel;
    }

    /** A session began that has no attributes: the others learn of it with others, when the interval is over. */
    public void note(SessionKey key) {
        keys.add(key);
    }

    /** Whether the others do not know it yet, and will not from here: its next change, by who asks, has to be whole. */
    public boolean take(SessionKey key) {
        return keys.remove(key);
    }

    int count() {
        return keys.size();
    }

    /** Sends all. */
    void send() {
        if (keys.isEmpty()) {
            return;
        }
        List<Beginning> beginnings = new ArrayList<>();
        for (SessionKey key : List.copyOf(keys)) {
            StoredReplica stored = keys.remove(key) ? group.store().header(key) : null;
            SessionReplica replica = stored == null ? null : stored.replica();
            Stamp created = replica == null ? null : replica.created();
            String id = replica == null ? null : replica.id();
            if (stored != null && replica != null && created != null && id != null && replica.live()) {
                long age = Math.max(0, channel.time().monotonicMillis() - stored.createdAt());
                beginnings.add(new Beginning(key, created, id, replica.maxInactiveSeconds(), age));
            }
        }
        for (int from = 0; from < beginnings.size(); from += MAX_BEGINNINGS) {
            List<Beginning> part =
                    List.copyOf(beginnings.subList(from, Math.min(beginnings.size(), from + MAX_BEGINNINGS)));
            channel.metrics().count(Counter.SESSIONS_ANNOUNCED, part.size());
            channel.sendToAll(new Beginnings(group.number(), part));
        }
    }

    /** Nobody waits for these: whoever misses one learns of it when members compare, or by its first change. */
    void received(Beginnings received) {
        for (Beginning begun : received.beginnings()) {
            SessionDelta session =
                    SessionDelta.created(begun.key(), begun.created(), begun.id(), begun.maxInactiveSeconds());
            group.taken(new Update(begun.ageMillis(), begun.ageMillis(), session));
        }
    }
}
