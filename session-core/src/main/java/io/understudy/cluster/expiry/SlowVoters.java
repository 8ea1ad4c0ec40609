package io.understudy.cluster.expiry;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which members vote too late for requests that do not wait. One that was late is slow until it votes, and for a second: one that
 * gets little of a processor votes in time now and then.
 *
 * <p>Threads: any; guarded by this.
 */
final class SlowVoters<M> {

    /** How long a vote may take: far longer than a round trip, and hardly noticed by whoever waits for it once. */
    static final Duration SOON = Duration.ofMillis(20);

    private static final Duration SLOW = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;

    /** When claims were sent first, by their number. */
    private final Map<Long, Long> sent = new HashMap<>();

    /** When members were late last. */
    private final Map<M, Long> late = new HashMap<>();

    /** Members that have not voted since. */
    private final Set<M> silent = new HashSet<>();

    SlowVoters(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    synchronized Set<M> slow() {
        long now = nanoTime.getAsLong();
        late.entrySet().removeIf(entry -> !silent.contains(entry.getKey()) && now - entry.getValue() >= SLOW.toNanos());
        return Set.copyOf(late.keySet());
    }

    synchronized void claimed(long number) {
        sent.putIfAbsent(number, nanoTime.getAsLong());
    }

    /** These had not voted when a request could wait no longer. */
    synchronized void late(Collection<M> members) {
        silent.addAll(members);
        members.forEach(member -> late.put(member, nanoTime.getAsLong()));
    }

    synchronized void voted(M member, long number) {
        Long at = sent.get(number);
        if (at == null || nanoTime.getAsLong() - at > SOON.toNanos()) {
            late.put(member, nanoTime.getAsLong());
        }
        silent.remove(member);
    }

    /** Other members are gone. */
    synchronized void retain(Collection<M> members) {
        silent.retainAll(members);
        late.keySet().retainAll(members);
    }

    /** Forgets claims whose votes are late by now; to be called now and then. */
    synchronized void forget() {
        long now = nanoTime.getAsLong();
        sent.values().removeIf(at -> now - at > SOON.toNanos());
    }
}
