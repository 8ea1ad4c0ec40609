package io.understudy.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.config.Acks;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.ScopeHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jgroups.Address;

/**
 * Knows which members have not yet acknowledged which of this member's changes. A change is complete when every member
 * it waits for has acknowledged it or has left the view; until then it is {@linkplain #atRisk at risk}, also if nobody
 * waits for it, or only for fewer.
 *
 * <p>Threads: any; guarded by this. Futures are completed outside the lock.
 */
final class AckTracker {

    private static final class Pending {
        private final Set<Address> waiting;
        private final long scope;
        private final int bytes;
        private final int asked;
        private final long sentNanos;
        private int holders;
        private final CompletableFuture<Held> done = new CompletableFuture<>();

        Pending(Set<Address> waiting, long scope, int bytes, int asked, long sentNanos) {
            this.waiting = waiting;
            this.scope = scope;
            this.bytes = bytes;
            this.asked = asked;
            this.sentNanos = sentNanos;
        }

        Held held() {
            return holders == 0 ? Held.NONE : waiting.isEmpty() ? Held.ALL : Held.ENOUGH;
        }
    }

    /** The changes that were not complete when somebody asked. */
    private record Barrier(Set<Long> numbers, CompletableFuture<Void> passed) {}

    private final ReplicationMetrics metrics;
    private final Function<Address, String> names;
    private final AtRisk atRisk = new AtRisk();

    @GuardedBy("this")
    private final Map<Long, Pending> pending = new HashMap<>();

    @GuardedBy("this")
    private final List<Barrier> barriers = new ArrayList<>();

    @GuardedBy("this")
    private Set<Address> present = Set.of();

    AckTracker(ReplicationMetrics metrics, Function<Address, String> names) {
        this.metrics = metrics;
        this.names = names;
    }

    /**
     * Begins to wait, before the change is sent.
     *
     * @param members whose acknowledgements count; those that have left the view already do not
     * @param acks how many of them are asked for
     * @return completes when so many hold the change, or no more can: all have acknowledged it or left
     */
    CompletableFuture<Held> expect(ScopeHeader header, int bytes, Set<Address> members, Acks acks) {
        Pending entry;
        synchronized (this) {
            Set<Address> waiting = new HashSet<>(members);
            waiting.retainAll(present);
            if (waiting.isEmpty()) {
                return CompletableFuture.completedFuture(Held.NONE);
            }
            entry = new Pending(waiting, header.scope(), bytes, acks.of(waiting.size()), System.nanoTime());
            pending.put(header.number(), entry);
            atRisk.add(entry.scope, entry.bytes);
        }
        return entry.done;
    }

    /**
     * A member took the change. Unknown numbers are late or repeated, and ignored.
     *
     * @param holds whether it can show it to requests; otherwise it is no longer waited for, and does not count
     */
    void acknowledged(Address member, long number, boolean holds) {
        Pending entry;
        Held held;
        List<Barrier> passed = List.of();
        synchronized (this) {
            entry = pending.get(number);
            if (entry == null || !entry.waiting.remove(member)) {
                return;
            }
            entry.holders += holds ? 1 : 0;
            metrics.lag(names.apply(member), System.nanoTime() - entry.sentNanos);
            held = entry.held();
            if (entry.waiting.isEmpty()) {
                pending.remove(number);
                passed = complete(number, entry);
            } else if (entry.holders < entry.asked) {
                return;
            }
        }
        entry.done.complete(held);
        passed.forEach(barrier -> barrier.passed().complete(null));
    }

    /** Takes over a view: changes that waited only for members that left are complete. */
    void view(Set<Address> members) {
        List<Pending> complete = new ArrayList<>();
        List<Barrier> passed = new ArrayList<>();
        synchronized (this) {
            present = Set.copyOf(members);
            for (Map.Entry<Long, Pending> numbered : List.copyOf(pending.entrySet())) {
                Pending entry = numbered.getValue();
                entry.waiting.retainAll(members);
                if (entry.waiting.isEmpty()) {
                    pending.remove(numbered.getKey());
                    complete.add(entry);
                    passed.addAll(complete(numbered.getKey(), entry));
                }
            }
        }
        complete.forEach(entry -> entry.done.complete(entry.held()));
        passed.forEach(barrier -> barrier.passed().complete(null));
    }

    /** @return the barriers that waited for nothing but this change */
    @GuardedBy("this")
    private List<Barrier> complete(long number, Pending entry) {
        atRisk.remove(entry.scope, entry.bytes);
        if (barriers.isEmpty()) {
            return List.of();
        }
        barriers.forEach(barrier -> barrier.numbers().remove(number));
        List<Barrier> passed =
                barriers.stream().filter(barrier -> barrier.numbers().isEmpty()).toList();
        barriers.removeAll(passed);
        return passed;
    }

    /** Completes when every change that is expected to be acknowledged now is complete; later ones do not count. */
    CompletableFuture<Void> settled() {
        synchronized (this) {
            if (pending.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            Barrier barrier = new Barrier(new HashSet<>(pending.keySet()), new CompletableFuture<>());
            barriers.add(barrier);
            return barrier.passed();
        }
    }

    /** What would be lost with this node now. Others may add to it what they have not sent yet. */
    AtRisk atRisk() {
        return atRisk;
    }
}
