package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one member has promised others to end, and those that are gone: the orphans.
 *
 * <p>Threads: one at a time, but for {@link #holds}, {@link #over}, {@link #expiring} and {@link #count}, which any may ask.
 */
final class Promises<M extends Comparable<? super M>> {

    private final M self;
    private final ConcurrentMap<SessionKey, Map<M, Promise>> promises = new ConcurrentHashMap<>();

    /** @param self holds what it was told by others that members which are gone were promised */
    Promises(M self) {
        this.self = self;
    }

    boolean holds(SessionKey key) {
        return !promises.isEmpty() && promises.containsKey(key);
    }

    int count() {
        return promises.size();
    }

    Set<SessionKey> keys() {
        return promises.keySet();
    }

    /** Whether no request may have it again. */
    boolean over(SessionKey key) {
        Map<M, Promise> given = promises.isEmpty() ? null : promises.get(key);
        return given != null
                && (orphaned(given)
                        || given.values().stream()
                                .anyMatch(promise -> promise.claim().kind() == Kind.INVALIDATION));
    }

    /** Whether one of those it was promised to expires it. */
    boolean expiring(SessionKey key) {
        Map<M, Promise> given = promises.isEmpty() ? null : promises.get(key);
        return given != null
                && given.values().stream().anyMatch(promise -> promise.claim().kind() == Kind.EXPIRY);
    }

    private static <M> boolean orphaned(Map<M, Promise> given) {
        return given.values().stream().allMatch(Promise::orphan);
    }

    /** Whether one of those it was promised to is gone. */
    boolean anyOrphan(SessionKey key) {
        return promises.getOrDefault(key, Map.of()).values().stream().anyMatch(Promise::orphan);
    }

    /** What those wanted that are gone, if all are. */
    @Nullable
    Claim orphan(SessionKey key) {
        Map<M, Promise> given = promises.get(key);
        return given == null || !orphaned(given) ? null : strongest(given);
    }

    private static <M> Claim strongest(Map<M, Promise> given) {
        return given.values().stream()
                .map(Promise::claim)
                .max(Comparator.comparing(Claim::kind))
                .orElseThrow();
    }

    /** The orphans this member may take up: as their heir, or as nobody did for long. */
    List<Claim> orphans(Predicate<SessionKey> heir) {
        List<Claim> orphans = new ArrayList<>();
        promises.forEach((key, given) -> {
            if (orphaned(given)
                    && (heir.test(key)
                            || given.values().stream().allMatch(promise -> promise.asks() >= EndClaims.REMINDS))) {
                orphans.add(strongest(given));
            }
        });
        return orphans;
    }

    /**
     * Orphans that were looked at no more than once since they are, by heir.
     *
     * @param own sessions that this member wants to end itself
     */
    Map<M, List<Claim>> newOrphans(Set<SessionKey> own, Function<SessionKey, M> heir) {
        Map<M, List<Claim>> orphans = new TreeMap<>();
        promises.forEach((key, given) -> {
            if (!own.contains(key)
                    && orphaned(given)
                    && given.values().stream().allMatch(promise -> promise.asks() <= 1)) {
                orphans.computeIfAbsent(heir.apply(key), to -> new ArrayList<>())
                        .add(strongest(given));
            }
        });
        return orphans;
    }

    /** Whether a member that is here was promised the session for as good a reason. */
    boolean toOneHere(Claim claim) {
        return promises.getOrDefault(claim.key(), Map.of()).values().stream()
                .anyMatch(promise -> !promise.orphan() && promise.claim().kind().compareTo(claim.kind()) >= 0);
    }

    /** What members that are gone were promised passes to the one that claims it now. */
    void promise(SessionKey key, M to, Promise promise) {
        promises.compute(key, (same, given) -> {
            Map<M, Promise> more = withoutOrphans(given == null ? Map.of() : given);
            more.put(to, promise);
            return more;
        });
    }

    /** Another member has promised this one to one that is gone. What is promised to one that is here stays as it is. */
    void adopt(Claim claim, long number, Set<M> here) {
        promises.compute(claim.key(), (key, given) -> {
            Map<M, Promise> more = given == null ? new TreeMap<>() : looked(given, here);
            if (orphaned(more) && (more.isEmpty() || strongest(more).kind().compareTo(claim.kind()) < 0)) {
                more.put(self, new Promise(number, claim, true, 0));
            }
            return more;
        });
    }

    /** @return whether there was one of this number */
    boolean withdraw(SessionKey key, M to, long number) {
        Map<M, Promise> given = promises.get(key);
        Promise promise = given == null ? null : given.get(to);
        if (given == null || promise == null || promise.number() != number) {
            return false;
        }
        Map<M, Promise> rest = new TreeMap<>(given);
        rest.remove(to);
        put(key, rest);
        return true;
    }

    /** @return whether there was any */
    boolean remove(SessionKey key) {
        return promises.remove(key) != null;
    }

    void removeOrphans(SessionKey key) {
        Map<M, Promise> given = promises.get(key);
        if (given != null) {
            put(key, withoutOrphans(given));
        }
    }

    private void put(SessionKey key, Map<M, Promise> rest) {
        if (rest.isEmpty()) {
            promises.remove(key);
        } else {
            promises.put(key, rest);
        }
    }

    private Map<M, Promise> withoutOrphans(Map<M, Promise> given) {
        Map<M, Promise> rest = new TreeMap<>(given);
        rest.values().removeIf(Promise::orphan);
        return rest;
    }

    /** These are the others that are here now. */
    void enter(Set<M> now) {
        promises.replaceAll((key, given) -> looked(given, now));
    }

    private static <M extends Comparable<? super M>> Map<M, Promise> looked(Map<M, Promise> given, Set<M> here) {
        Map<M, Promise> looked = new TreeMap<>();
        given.forEach((member, promise) ->
                looked.put(member, new Promise(promise.number(), promise.claim(), !here.contains(member), 0)));
        return looked;
    }

    /**
     * Looks at all; who was promised long ago, and is still not here, is gone.
     *
     * @return whom to ask whether they still want what they were promised long ago, by the claims' numbers
     */
    Map<M, Map<Long, List<SessionKey>>> remind(Set<M> members) {
        Map<M, Map<Long, List<SessionKey>>> asked = new TreeMap<>();
        promises.replaceAll((key, given) -> {
            Map<M, Promise> looked = new TreeMap<>();
            given.forEach((member, promise) -> {
                int asks = promise.asks() + 1;
                boolean gone = asks >= EndClaims.REMINDS && !members.contains(member);
                if (asks % EndClaims.REMINDS == 0 && !gone) {
                    asked.computeIfAbsent(member, m -> new TreeMap<>())
                            .computeIfAbsent(promise.number(), n -> new ArrayList<>())
                            .add(key);
                }
                boolean orphan = promise.orphan() || gone;
                looked.put(
                        member,
                        new Promise(promise.number(), promise.claim(), orphan, promise.orphan() == orphan ? asks : 0));
            });
            return looked;
        });
        return asked;
    }

    @Override
    public String toString() {
        return promises.toString();
    }
}
