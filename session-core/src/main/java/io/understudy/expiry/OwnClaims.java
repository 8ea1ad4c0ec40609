package io.understudy.expiry;

import io.understudy.replica.SessionKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that one member wants to end, or ends; found by key, and by the number of the message that claimed them.
 *
 * <p>Threads: one at a time, but for {@link #get}, {@link #contains}, {@link #isEmpty} and {@link #size}, which any may ask.
 */
final class OwnClaims<M> {

    private final ConcurrentMap<SessionKey, LocalClaim<M>> claims;

    /** What is left of each message: votes answer all of it at once. */
    private final Map<Long, Set<SessionKey>> byNumber = new HashMap<>();

    /** @param claims empty */
    OwnClaims(ConcurrentMap<SessionKey, LocalClaim<M>> claims) {
        this.claims = claims;
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    int size() {
        return claims.size();
    }

    boolean contains(SessionKey key) {
        return !claims.isEmpty() && claims.containsKey(key);
    }

    @Nullable
    LocalClaim<M> get(SessionKey key) {
        return claims.get(key);
    }

    /** In place of an earlier one, if there is any: who asks meanwhile finds one of the two. */
    void put(SessionKey key, LocalClaim<M> claim) {
        forget(key, claims.put(key, claim));
        byNumber.computeIfAbsent(claim.number, number -> new HashSet<>()).add(key);
    }

    @Nullable
    LocalClaim<M> remove(SessionKey key) {
        LocalClaim<M> removed = claims.remove(key);
        forget(key, removed);
        return removed;
    }

    private void forget(SessionKey key, @Nullable LocalClaim<M> claim) {
        if (claim != null) {
            byNumber.computeIfPresent(claim.number, (number, keys) -> {
                keys.remove(key);
                return keys.isEmpty() ? null : keys;
            });
        }
    }

    Set<SessionKey> keys() {
        return claims.keySet();
    }

    /** The sessions that the message with this number claimed, and that are still claimed by it. */
    Set<SessionKey> numbered(long number) {
        return byNumber.getOrDefault(number, Set.of());
    }

    List<SessionKey> in(LocalClaim.State state) {
        return claims.entrySet().stream()
                .filter(entry -> entry.getValue().state == state)
                .map(Map.Entry::getKey)
                .toList();
    }

    void forEach(BiConsumer<SessionKey, LocalClaim<M>> action) {
        claims.forEach(action);
    }

    @Override
    public String toString() {
        return claims.toString();
    }
}
