package io.understudy.store;

import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which live sessions answer to which id. Two sessions with one id are both noted, and the one created earlier gets
 * it, whichever came first: so all members that know both choose alike.
 *
 * <p>Threads: any; what is noted of one session is to be changed by one thread at a time.
 */
final class IdIndex {

    /** The session created earlier first; by stamps, and of equal ones by key, as ages differ from member to member. */
    static final Comparator<SessionReplica> EARLIER_FIRST = Comparator.comparing(
                    (SessionReplica replica) -> replica.created(),
                    Comparator.nullsLast(Comparator.<Stamp>naturalOrder()))
            .thenComparing(SessionReplica::key);

    private final ConcurrentMap<String, List<SessionKey>> keys = new ConcurrentHashMap<>();

    /**
     * Notes that a session which answered to {@code old} ids answers to {@code now}.
     *
     * @return the ids among those now that another session answers to
     */
    List<String> change(SessionKey key, List<String> old, List<String> now) {
        if (old.equals(now)) {
            return List.of();
        }
        List<String> shared = new ArrayList<>(0);
        for (String id : old) {
            if (!now.contains(id)) {
                keys.computeIfPresent(id, (same, holders) -> without(holders, key));
            }
        }
        for (String id : now) {
            List<SessionKey> holders = keys.compute(id, (same, others) -> with(others, key));
            if (holders.size() > 1) {
                shared.add(id);
            }
        }
        return shared;
    }

    private static @Nullable List<SessionKey> without(List<SessionKey> holders, SessionKey key) {
        List<SessionKey> rest =
                holders.stream().filter(holder -> !holder.equals(key)).toList();
        return rest.isEmpty() ? null : rest;
    }

    private static List<SessionKey> with(@Nullable List<SessionKey> holders, SessionKey key) {
        if (holders == null || holders.contains(key)) {
            return holders == null ? List.of(key) : holders;
        }
        List<SessionKey> more = new ArrayList<>(holders);
        more.add(key);
        return List.copyOf(more);
    }

    /** The live sessions that answer to this id, the one that keeps it first. */
    List<StoredReplica> holders(String id, Function<SessionKey, @Nullable StoredReplica> stored) {
        List<SessionKey> noted = keys.getOrDefault(id, List.of());
        List<StoredReplica> holders = new ArrayList<>(noted.size());
        for (SessionKey key : noted) {
            StoredReplica holder = stored.apply(key);
            if (holder != null && holder.replica().answersTo(id)) {
                holders.add(holder);
            }
        }
        if (holders.size() > 1) {
            holders.sort(Comparator.comparing(StoredReplica::replica, EARLIER_FIRST));
        }
        return holders;
    }

    Collection<String> ids() {
        return List.copyOf(keys.keySet());
    }
}
