package io.understudy.store;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for sessions, by their ids.
 *
 * <p>Threads: any.
 */
final class SessionWatches {

    private final Map<String, Set<SessionWatch>> watches = new ConcurrentHashMap<>();

    SessionWatch open(String id) {
        SessionWatch[] watch = new SessionWatch[1];
        watch[0] = new SessionWatch(() -> close(id, watch[0]));
        watches.compute(id, (same, others) -> {
            Set<SessionWatch> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(watch[0]);
            return all;
        });
        return watch[0];
    }

    private void close(String id, SessionWatch watch) {
        watches.computeIfPresent(id, (same, all) -> {
            all.remove(watch);
            return all.isEmpty() ? null : all;
        });
    }

    /** To be called after each merge, and cheap when nobody waits. */
    void merged(@Nullable StoredReplica before, StoredReplica after) {
        if (!watches.isEmpty()) {
            wake(before); // The id of a session that is over finds nothing.
            wake(after);
        }
    }

    private void wake(@Nullable StoredReplica stored) {
        if (stored != null) {
            for (String id : stored.replica().ids()) {
                watches.getOrDefault(id, Set.of()).forEach(SessionWatch::wake);
            }
        }
    }
}
