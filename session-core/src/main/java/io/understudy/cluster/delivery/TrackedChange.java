package io.understudy.cluster.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;

/**
 * A change that is sent, until all members that are waited for have acknowledged it or left.
 *
 * <p>Threads: guarded by the {@link AckTracker}, but for {@link #complete}.
 */
final class TrackedChange {

    /** An acknowledgement that takes longer may be lost. */
    private static final long FIRST_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The other member remembers {@link SentAcks#WINDOW} numbers: for longer than this, unless changes come faster. */
    private static final long MAX_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Few: looked through faster than hashed. One alone is in a list that others have, too. */
    private List<Address> waiting;

    final long application;
    final AtRisk.Session session;
    final int changes;
    final int bytes;
    final int asked;
    final long sentNanos;
    int holders;

    /** Whether a member that is ready could not take it, or one that is there was apart before it acknowledged. */
    boolean lacking;

    private AckResult outcome = AckResult.NONE;
    private final CompletableFuture<AckResult> done;

    /** When to ask for what is missing, and how long to wait after that. */
    private long askNanos;

    private long patienceNanos = FIRST_PATIENCE_NANOS;

    TrackedChange(
            List<Address> waiting,
            long application,
            AtRisk.Session session,
            int changes,
            int bytes,
            int asked,
            long sentNanos,
            CompletableFuture<AckResult> done) {
        this.waiting = waiting.size() == 1 ? waiting : new ArrayList<>(waiting);
        this.application = application;
        this.session = session;
        this.changes = changes;
        this.bytes = bytes;
        this.asked = asked;
        this.sentNanos = sentNanos;
        this.askNanos = sentNanos + patienceNanos;
        this.done = done;
    }

    /** Whose acknowledgements are missing. */
    List<Address> waiting() {
        return waiting;
    }

    /** @return whether the member was waited for */
    boolean waitsNoMoreFor(Address member) {
        if (waiting.size() > 1) {
            return waiting.remove(member);
        }
        boolean last = waiting.contains(member);
        waiting = last ? List.of() : waiting;
        return last;
    }

    /** Waits for no others than these. */
    void waitsOnlyFor(Set<Address> members) {
        if (waiting.size() > 1) {
            waiting.retainAll(members);
        } else if (!members.containsAll(waiting)) {
            waiting = List.of();
        }
    }

    /** Whether it is time to ask for what is missing. */
    boolean toBeAsked(long now) {
        return now - askNanos >= 0;
    }

    /** It was asked for: the next time is twice as long after this one. */
    void askedAt(long now) {
        patienceNanos = Math.min(2 * patienceNanos, MAX_PATIENCE_NANOS);
        askNanos = now + patienceNanos;
    }

    AckResult held() {
        if (holders == 0) {
            return AckResult.NONE;
        } else if (waiting.isEmpty() && !lacking) {
            return AckResult.ALL;
        }
        return holders >= asked ? AckResult.ENOUGH : AckResult.FEW;
    }

    /** Enough is known of it: from now on {@link #complete} tells that. */
    TrackedChange answered() {
        outcome = held();
        return this;
    }

    /** Nobody answers any more: who did not answer does not hold it, as far as is known. */
    TrackedChange unanswered() {
        lacking = true;
        waiting = List.of();
        return answered();
    }

    void complete() {
        done.complete(outcome);
    }
}
