package io.understudy.session.requests;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.store.StoredReplica;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings the session that a request bears the id of to this node, if another one has it and this one may lack it,
 * before the container looks for it.
 *
 * <p>Threads: any; of one id one asks, and the others wait for its answer.
 */
public final class LookUps {

    /** No container makes longer ids; a client's longer ones would be remembered, and sent to every member. */
    private static final int MAX_ID_CHARS = 512;

    private final ApplicationGroup group;
    private final ReplicationMetrics metrics;
    private final boolean allShared;
    private final Map<String, CompletableFuture<Boolean>> fetches = new ConcurrentHashMap<>();

    /** @param allShared whether each session is sent to all members when it begins */
    public LookUps(ApplicationGroup group, ReplicationMetrics metrics, boolean allShared) {
        this.group = group;
        this.metrics = metrics;
        this.allShared = allShared;
    }

    /**
     * Whether this node has a session with this id that is not over. A request may not find it, as it is about to
     * expire.
     */
    public boolean here(String id) {
        StoredReplica stored = group.store().header(id);
        return stored != null && !group.expiry().over(stored.replica().key());
    }

    /** The session, if it is here and a request may look for it without waiting, as in most cases. */
    public @Nullable StoredReplica atOnce(String id) {
        if (group.suspended() || group.comparesFirst()) {
            return null;
        }
        StoredReplica stored = group.store().header(id);
        return stored == null
                        || stored.spilled()
                        || group.expiry().over(stored.replica().key())
                ? null
                : stored;
    }

    /**
     * @param turn of the request, which takes a place if it has to wait
     * @return whether the request may look for the session; else this node does not know whether there is one
     */
    public boolean present(String id, WaitLimit.Turn turn) {
        if (!group.awaitConfirmed(turn::mayWait)) {
            return false;
        }
        if (id.length() > MAX_ID_CHARS && !here(id)) {
            return true; // Before anything of it is sent, or remembered.
        }
        if (!group.compareFirst(id, turn::mayWait)) {
            return false;
        }
        boolean ready = group.ready();
        if (here(id) || (ready && allShared) || group.unknownIds().contains(id)) {
            return true;
        }
        if (!turn.mayWait()) {
            return false;
        }
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> other = fetches.putIfAbsent(id, mine);
        if (other != null) {
            return other.join();
        }
        try {
            metrics.count(Counter.SESSIONS_LOOKED_UP);
            if (ready) {
                group.findUnshared(id);
            }
            mine.complete(ready || group.fetch(id));
        } finally {
            fetches.remove(id);
            mine.complete(false);
        }
        boolean known = mine.join();
        if (known && !here(id)) {
            group.unknownIds().unknown(id);
        }
        return known;
    }
}
