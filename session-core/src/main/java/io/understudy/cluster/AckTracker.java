package io.understudy.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.codec.Frame.Ack;
import io.understudy.config.Acks;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.ScopeHeader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Knows which members have not yet acknowledged which of this member's changes. A change is complete when every member
 * it waits for has acknowledged it or has left the view; until then it is {@linkplain #atRisk at risk}, also if nobody
 * waits for it, or only for fewer.
 *
 * <p>Threads: any; guarded by this. Futures are completed outside the lock.
 */
final class AckTracker {

    private static final class Pending {
        /** Few: looked through faster than hashed. */
        private final List<Address> waiting;

        private final AtRisk.Session session;
        private final int changes;
        private final int bytes;
        private final int asked;
        private final long sentNanos;
        private int holders;
        private final CompletableFuture<Held> done;

        Pending(
                List<Address> waiting,
                AtRisk.Session session,
                int changes,
                int bytes,
                int asked,
                long sentNanos,
                CompletableFuture<Held> done) {
            this.waiting = waiting;
            this.session = session;
            this.changes = changes;
            this.bytes = bytes;
            this.asked = asked;
            this.sentNanos = sentNanos;
            this.done = done;
        }

        Held held() {
            return holders == 0 ? Held.NONE : waiting.isEmpty() ? Held.ALL : Held.ENOUGH;
        }
    }

    /** A change of which enough is known, and what. */
    private record Answered(Pending entry, Held held) {}

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

    /** Whose acknowledgements the last change waits for, and those of them that are {@link #present}. */
    @GuardedBy("this")
    private Collection<Address> lastAsked = List.of();

    @GuardedBy("this")
    private List<Address> lastPresent = List.of();

    AckTracker(ReplicationMetrics metrics, Function<Address, String> names) {
        this.metrics = metrics;
        this.names = names;
    }

    /**
     * Begins to wait, before the change is sent.
     *
     * @param members whose acknowledgements count, a collection that does not change; those that have left the view
     *     already do not
     * @param acks how many of them are asked for
     * @return completes when so many hold the change, or no more can: all have acknowledged it or left
     */
    CompletableFuture<Held> expect(ScopeHeader header, int bytes, Collection<Address> members, Acks acks) {
        CompletableFuture<Held> done = new CompletableFuture<>();
        expect(header, bytes, members, acks, 1, bytes, atRisk.add(header.scope(), bytes), done);
        return done;
    }

    /**
     * The same for a change that is at risk already, and may be several joined into one. What is at risk is never counted
     * twice, nor missed, in between. {@link WaitingChange#held} is completed.
     */
    void expect(ScopeHeader header, int bytes, Collection<Address> members, WaitingChange change) {
        expect(
                header,
                bytes,
                members,
                change.acks(),
                change.changes(),
                change.bytes(),
                change.session(),
                change.held());
    }

    private void expect(
            ScopeHeader header,
            int bytes,
            Collection<Address> members,
            Acks acks,
            int changes,
            int bytesAtRisk,
            AtRisk.Session session,
            CompletableFuture<Held> done) {
        synchronized (this) {
            List<Address> waiting = new ArrayList<>(present(members));
            if (!waiting.isEmpty()) {
                int asked = acks.of(waiting.size());
                Pending entry = new Pending(waiting, session, changes, bytes, asked, System.nanoTime(), done);
                pending.put(header.number(), entry);
                atRisk.adjust(session, 0, bytes - bytesAtRisk);
                return;
            }
            atRisk.adjust(session, -changes, -bytesAtRisk);
        }
        done.complete(Held.NONE);
    }

    @GuardedBy("this")
    @SuppressWarnings("ReferenceEquality") // The same list is asked about for every change until something happens.
    private List<Address> present(Collection<Address> members) {
        if (members != lastAsked) {
            List<Address> there = new ArrayList<>(members);
            there.retainAll(present);
            lastPresent = there;
            lastAsked = members;
        }
        return lastPresent;
    }

    /**
     * A member took the change. Unknown numbers are late or repeated, and ignored.
     *
     * @param holds whether it can show it to requests; otherwise it is no longer waited for, and does not count
     */
    void acknowledged(Address member, long number, boolean holds) {
        acknowledged(member, List.of(new Ack(number, !holds)));
    }

    /** The same for many at once. */
    void acknowledged(Address member, List<Ack> acks) {
        List<Answered> answered = new ArrayList<>(acks.size());
        List<Barrier> passed = new ArrayList<>(0);
        long now = System.nanoTime();
        ReplicationMetrics.@Nullable Lag lag = null;
        synchronized (this) {
            for (Ack ack : acks) {
                Pending entry = pending.get(ack.number());
                if (entry == null || !entry.waiting.remove(member)) {
                    continue;
                }
                entry.holders += ack.parked() ? 0 : 1;
                lag = lag == null ? metrics.lag(names.apply(member)) : lag;
                lag.record(now - entry.sentNanos);
                if (entry.waiting.isEmpty()) {
                    pending.remove(ack.number());
                    passed.addAll(complete(ack.number(), entry));
                } else if (entry.holders < entry.asked) {
                    continue;
                }
                answered.add(new Answered(entry, entry.held()));
            }
        }
        answered.forEach(each -> each.entry().done.complete(each.held()));
        passed.forEach(barrier -> barrier.passed().complete(null));
    }

    /** Takes over a view: changes that waited only for members that left are complete. */
    void view(Set<Address> members) {
        List<Pending> complete = new ArrayList<>();
        List<Barrier> passed = new ArrayList<>();
        synchronized (this) {
            present = Set.copyOf(members);
            lastAsked = List.of();
            lastPresent = List.of();
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
        atRisk.adjust(entry.session, -entry.changes, -entry.bytes);
        if (barriers.isEmpty()) {
            return List.of();
        }
        barriers.forEach(barrier -> barrier.numbers().remove(number));
        List<Barrier> passed =
                barriers.stream().filter(barrier -> barrier.numbers().isEmpty()).toList();
        barriers.removeAll(passed);
        return passed;
    }

    /** Whether any change waits for an acknowledgement. */
    synchronized boolean expecting() {
        return !pending.isEmpty();
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
