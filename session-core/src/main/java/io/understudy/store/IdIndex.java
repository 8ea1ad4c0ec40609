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

    /** A {@link SessionKey}, or a list of them where several sessions have one id: 24 bytes less for almost each. */
    private final ConcurrentMap<String, Object> keys = new ConcurrentHashMap<>();

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
        for (String id : now) {
            Object holders = keys.compute(id, (same, others) -> with(others, key));
            if (holders instanceof List) {
                shared.add(id);
            }
        }
        for (String id : old) { // Last: without memory for all this an id names a key too many, and none too few.
            if (!now.contains(id)) {
                keys.computeIfPresent(id, (same, holders) -> without(holders, key));
            }
        }
        return shared;
    }

    private static @Nullable Object without(Object holders, SessionKey key) {
        if (holders.equals(key)) {
            return null;
        }
        List<SessionKey> rest =
                list(holders).stream().filter(holder -> !holder.equals(key)).toList();
        return rest.isEmpty() ? null : rest.size() == 1 ? rest.get(0) : rest;
    }

    private static Object with(@Nullable Object holders, SessionKey key) {
        if (holders == null || list(holders).contains(key)) {
            return holders == null ? key : holders;
        }
        List<SessionKey> more = new ArrayList<>(list(holders));
        more.add(key);
        return List.copyOf(more);
    }

    private static List<SessionKey> list(@Nullable Object holders) {
        if (holders instanceof SessionKey key) {
            return List.of(key);
        }
        return holders instanceof List<?> several
                ? several.stream().map(SessionKey.class::cast).toList()
                : List.of();
    }

    /** The live session that answers to this id; of several the one that keeps it. */
    @Nullable
    StoredReplica holder(String id, Function<SessionKey, @Nullable StoredReplica> stored) {
        Object noted = keys.get(id);
        if (noted instanceof SessionKey key) {
            StoredReplica holder = stored.apply(key);
            return holder != null && holder.replica().answersTo(id) ? holder : null;
        }
        List<StoredReplica> holders = noted == null ? List.of() : holders(id, stored);
        return holders.isEmpty() ? null : holders.get(0);
    }

    /** The live sessions that answer to this id, the one that keeps it first. */
    List<StoredReplica> holders(String id, Function<SessionKey, @Nullable StoredReplica> stored) {
        List<SessionKey> noted = list(keys.get(id));
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
