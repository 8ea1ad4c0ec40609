package io.understudy.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.metrics.ReplicationMetrics;
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
 * it waits for has acknowledged it or has left the view.
 *
 * <p>Threads: any; guarded by this. Futures are completed outside the lock.
 */
final class AckTracker {

    private static final class Pending {
        private final Set<Address> waiting;
        private final long scope;
        private final int bytes;
        private final long sentNanos;
        private boolean held;
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();

        Pending(Set<Address> waiting, long scope, int bytes, long sentNanos) {
            this.waiting = waiting;
            this.scope = scope;
            this.bytes = bytes;
            this.sentNanos = sentNanos;
        }
    }

    private final ReplicationMetrics metrics;
    private final Function<Address, String> names;
    private final AtRisk atRisk = new AtRisk();

    @GuardedBy("this")
    private final Map<Long, Pending> pending = new HashMap<>();

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
     * @return completes with whether at least one member holds the change
     */
    CompletableFuture<Boolean> expect(ScopeHeader header, int bytes, Set<Address> members) {
        Pending entry;
        synchronized (this) {
            Set<Address> waiting = new HashSet<>(members);
            waiting.retainAll(present);
            if (waiting.isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            entry = new Pending(waiting, header.scope(), bytes, System.nanoTime());
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
        Pending complete = null;
        synchronized (this) {
            Pending entry = pending.get(number);
            if (entry != null && entry.waiting.remove(member)) {
                entry.held |= holds;
                metrics.lag(names.apply(member), System.nanoTime() - entry.sentNanos);
                if (entry.waiting.isEmpty()) {
                    pending.remove(number);
                    atRisk.remove(entry.scope, entry.bytes);
                    complete = entry;
                }
            }
        }
        if (complete != null) {
            complete.done.complete(complete.held);
        }
    }

    /** Takes over a view: changes that waited only for members that left are complete. */
    void view(Set<Address> members) {
        List<Pending> complete = new ArrayList<>();
        synchronized (this) {
            present = Set.copyOf(members);
            pending.values().removeIf(entry -> {
                entry.waiting.retainAll(members);
                if (entry.waiting.isEmpty()) {
                    atRisk.remove(entry.scope, entry.bytes);
                    complete.add(entry);
                }
                return entry.waiting.isEmpty();
            });
        }
        complete.forEach(entry -> entry.done.complete(entry.held));
    }

    /** What would be lost with this node now. Others may add to it what they have not sent yet. */
    AtRisk atRisk() {
        return atRisk;
    }
}
