package io.understudy.cluster.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.config.session.Acks;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.ScopeHeader;
import io.understudy.wire.Frame.Ack;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Knows which members have not yet acknowledged which of this member's changes. A change is complete when every member
 * it waits for has acknowledged it or has left the view; until then it is {@linkplain #atRisk at risk}, also if nobody
 * waits for it, or only for fewer.
 *
 * <p>Threads: any; guarded by this. Futures are completed outside the lock.
 */
public final class AckTracker {

    /** Which members have to hold changes. */
    @FunctionalInterface
    public interface Ready {
        /** Whether a member is ready for an application: one that joins compares what it holds before it is. */
        boolean is(long application, Address member);
    }

    /** The changes that were not complete when somebody asked. */
    private record Barrier(Set<Long> numbers, CompletableFuture<Void> passed) {}

    private final ReplicationMetrics metrics;
    private final Function<Address, String> names;
    private final Ready ready;
    private final AtRisk atRisk = new AtRisk();

    /** By the number of the change; the oldest is the first. */
    @GuardedBy("this")
    private final Map<Long, TrackedChange> pending = new LinkedHashMap<>();

    @GuardedBy("this")
    private final List<Barrier> barriers = new ArrayList<>();

    @GuardedBy("this")
    private Set<Address> present = Set.of();

    /** The view that is taken over, and since when: what was sent before waits for fewer. */
    @GuardedBy("this")
    private Object lastView = this;

    @GuardedBy("this")
    private long viewNanos;

    /** Whose acknowledgements the last change waits for, and those of them that are {@link #present}. */
    @GuardedBy("this")
    private Collection<Address> lastAsked = List.of();

    @GuardedBy("this")
    private List<Address> lastPresent = List.of();

    /** For messages that no member has to hold. */
    AckTracker(ReplicationMetrics metrics, Function<Address, String> names) {
        this(metrics, names, (application, member) -> false);
    }

    public AckTracker(ReplicationMetrics metrics, Function<Address, String> names, Ready ready) {
        this.metrics = metrics;
        this.names = names;
        this.ready = ready;
    }

    /**
     * Begins to wait, before the change is sent.
     *
     * @param members whose acknowledgements count, a collection that does not change; those that have left the view
     *     already do not
     * @param acks how many of them are asked for
     * @return completes when so many hold the change, or no more can: all have acknowledged it or left
     */
    CompletableFuture<AckResult> expect(ScopeHeader header, int bytes, Collection<Address> members, Acks acks) {
        CompletableFuture<AckResult> done = new CompletableFuture<>();
        expect(header, bytes, members, 0, acks, 1, bytes, atRisk.add(header.scope(), bytes), done);
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
                change.application(),
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
            long application,
            Acks acks,
            int changes,
            int bytesAtRisk,
            AtRisk.Session session,
            CompletableFuture<AckResult> done) {
        synchronized (this) {
            List<Address> waiting = present(members);
            if (!waiting.isEmpty()) {
                int asked = acks.of(waiting.size());
                TrackedChange entry = new TrackedChange(
                        waiting, application, session, changes, bytes, asked, System.nanoTime(), done);
                await(header.number(), entry);
                atRisk.adjust(session, 0, bytes - bytesAtRisk);
                return;
            }
            atRisk.adjust(session, -changes, -bytesAtRisk);
        }
        done.complete(AckResult.NONE);
    }

    @GuardedBy("this")
    private void await(long number, TrackedChange entry) {
        boolean awaited = false;
        try {
            pending.put(number, entry);
            awaited = true;
        } finally {
            if (!awaited) {
                pending.remove(number); // A map without memory to grow has taken the entry before.
            }
        }
    }

    /**
     * A change was not sent: nobody is waited for any more, and nobody holds it.
     *
     * @return {@code false} if it is complete already, as those are gone that were to acknowledge it
     */
    boolean lost(long number) {
        TrackedChange entry;
        List<Barrier> passed;
        synchronized (this) {
            entry = pending.remove(number);
            if (entry == null) {
                return false;
            }
            passed = complete(number, entry);
        }
        entry.complete();
        passed.forEach(barrier -> barrier.passed().complete(null));
        return true;
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
        List<TrackedChange> answered = new ArrayList<>(acks.size());
        List<Barrier> passed = new ArrayList<>(0);
        long now = System.nanoTime();
        long[] lags = new long[acks.size()];
        int taken = 0;
        try {
            ReplicationMetrics.@Nullable Lag lag = null;
            synchronized (this) {
                for (Ack ack : acks) {
                    Long number = ack.number();
                    TrackedChange entry = pending.get(number);
                    if (entry == null || !entry.waitsNoMoreFor(member)) {
                        continue;
                    }
                    lag = taken == 0 ? lagOf(member) : lag; // Under the lock: a member that has left gets none.
                    lags[taken++] = now - entry.sentNanos;
                    entry.holders += ack.parked() ? 0 : 1;
                    entry.lacking |= ack.parked() && ready.is(entry.application, member);
                    if (!entry.waiting().isEmpty() && entry.holders < entry.asked) {
                        continue;
                    }
                    answered.add(entry.answered());
                    if (entry.waiting().isEmpty()) {
                        pending.remove(number);
                        passed.addAll(complete(number, entry));
                    }
                }
            }
            record(lag, lags, taken); // Without the lock, which each change on its way out needs.
        } finally {
            complete(answered); // Whatever was thrown meanwhile: nobody acknowledges them again.
        }
        passed.forEach(barrier -> barrier.passed().complete(null));
    }

    private static void record(ReplicationMetrics.@Nullable Lag lag, long[] lags, int count) {
        try {
            for (int i = 0; lag != null && i < count; i++) {
                lag.record(lags[i]);
            }
        } catch (Throwable e) {
            return; // A measurement is missing, not an acknowledgement.
        }
    }

    /** Without memory for it a measurement is missing, not an acknowledgement. */
    private ReplicationMetrics.@Nullable Lag lagOf(Address member) {
        try {
            return metrics.lag(names.apply(member));
        } catch (Throwable e) {
            return null;
        }
    }

    /**
     * The changes that members have not acknowledged for so long that an acknowledgement may be lost, by member. Each change
     * comes after a while, and then ever more seldom. To be called often.
     *
     * @param nowNanos by {@link System#nanoTime}
     * @param most changes for each member
     */
    synchronized Map<Address, List<Long>> missing(long nowNanos, int most) {
        if (pending.isEmpty()) {
            return Map.of();
        }
        Map<Address, List<Long>> missing = new HashMap<>();
        for (Map.Entry<Long, TrackedChange> numbered : pending.entrySet()) {
            TrackedChange entry = numbered.getValue();
            if (entry.toBeAsked(nowNanos) && ask(numbered.getKey(), entry.waiting(), most, missing)) {
                entry.askedAt(nowNanos);
            }
        }
        return missing;
    }

    /** Each member has its own share: one that answers nothing leaves the others theirs. */
    private static boolean ask(long number, List<Address> waiting, int most, Map<Address, List<Long>> missing) {
        boolean asked = false;
        for (int i = 0; i < waiting.size(); i++) {
            List<Long> numbers = missing.computeIfAbsent(waiting.get(i), key -> new ArrayList<>());
            if (numbers.size() < most) {
                numbers.add(number);
                asked = true;
            }
        }
        return asked;
    }

    /**
     * Waits no more for what was sent so long ago: an acknowledgement was lost, as there was no memory for it here or
     * there, and the others have compared what they hold since. To be called now and then.
     */
    public void forget(long olderNanos) {
        List<TrackedChange> lost = new ArrayList<>(0);
        List<Barrier> passed = new ArrayList<>(0);
        try {
            synchronized (this) {
                long sentBefore = System.nanoTime() - olderNanos;
                for (Map.Entry<Long, TrackedChange> numbered : List.copyOf(pending.entrySet())) {
                    if (numbered.getValue().sentNanos - sentBefore < 0) {
                        lost.add(numbered.getValue().unanswered());
                        pending.remove(numbered.getKey());
                        passed.addAll(complete(numbered.getKey(), numbered.getValue()));
                    }
                }
            }
        } finally {
            complete(lost);
        }
        passed.forEach(barrier -> barrier.passed().complete(null));
    }

    /** Takes no memory: nobody else completes them. */
    private static void complete(List<TrackedChange> answered) {
        for (int i = 0; i < answered.size(); i++) {
            answered.get(i).complete();
        }
    }

    /** The same for members that have all been in one view until now. */
    void view(Set<Address> members) {
        view(new Object(), members, members);
    }

    /**
     * Takes over a view: changes that waited only for members that left are complete. If it fails, call it again.
     *
     * @param change the same object if it is called again
     * @param together who was in a view with this member until now. Others never got what it sent meanwhile, and
     *     acknowledge nothing of it
     * @param members all of the view, who are waited for from now on
     */
    void view(Object change, Set<Address> together, Set<Address> members) {
        List<TrackedChange> complete = new ArrayList<>();
        List<Barrier> passed = new ArrayList<>();
        try {
            view(change, together, members, complete, passed);
        } finally {
            complete(complete);
        }
        passed.forEach(barrier -> barrier.passed().complete(null));
        forgetLagsOfOthers(members);
    }

    private void forgetLagsOfOthers(Set<Address> members) {
        try {
            metrics.peers(members.stream().map(names).collect(Collectors.toSet()));
        } catch (Throwable e) {
            return; // The next view is another chance.
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized void view(
            Object change,
            Set<Address> together,
            Set<Address> members,
            List<TrackedChange> complete,
            List<Barrier> passed) {
        Set<Address> next = Set.copyOf(members);
        if (change != lastView) {
            viewNanos = System.nanoTime();
            lastView = change;
        }
        present = next;
        lastAsked = List.of();
        lastPresent = List.of();
        for (Map.Entry<Long, TrackedChange> numbered : List.copyOf(pending.entrySet())) {
            TrackedChange entry = numbered.getValue();
            Set<Address> waitedFor = entry.sentNanos - viewNanos <= 0 ? together : members;
            entry.lacking |= isThereButNot(entry.waiting(), members, waitedFor);
            entry.waitsOnlyFor(waitedFor);
            if (entry.waiting().isEmpty()) {
                complete.add(entry.answered());
                pending.remove(numbered.getKey());
                passed.addAll(complete(numbered.getKey(), entry));
            }
        }
    }

    /** Whether one is there and not waited for any more: it comes from another side, and may lack the change. */
    private static boolean isThereButNot(List<Address> waiting, Set<Address> members, Set<Address> waitedFor) {
        for (int i = 0; i < waiting.size(); i++) {
            if (members.contains(waiting.get(i)) && !waitedFor.contains(waiting.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** @return the barriers that waited for nothing but this change */
    @GuardedBy("this")
    private List<Barrier> complete(long number, TrackedChange entry) {
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
    public AtRisk atRisk() {
        return atRisk;
    }
}
