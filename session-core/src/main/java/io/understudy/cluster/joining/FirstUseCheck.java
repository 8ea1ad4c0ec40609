package io.understudy.cluster.joining;

import io.understudy.cluster.convergence.Reconciler;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.store.StoredReplica;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;

/**
 * The first use of a session after views were merged: it is compared with one member of each other side before. That member
 * knows this one by then: what it acknowledges later, this one holds.
 *
 * <p>Threads: any; the caller waits.
 */
public final class FirstUseCheck {

    /** How long to wait before a member that refused, as it has yet to see the merged view, is asked again. */
    private static final long ASK_AGAIN_MILLIS = 50;

    private final LocalApplication application;
    private final Members members;
    private final PartitionSides sides;
    private final Reconciler reconciler;

    public FirstUseCheck(LocalApplication application, Members members, PartitionSides sides, Reconciler reconciler) {
        this.application = application;
        this.members = members;
        this.sides = sides;
        this.reconciler = reconciler;
    }

    /** Whether there is a side to compare sessions with. */
    public boolean compares() {
        return sides.anyOpen();
    }

    /** @return false if the caller would have to wait, and must not */
    public boolean compare(String id, BooleanSupplier mayWait) {
        List<List<Address>> open = sides.toCompare(id);
        if (!open.isEmpty() && !mayWait.getAsBoolean()) {
            return false;
        }
        boolean complete = true;
        for (List<Address> side : open) {
            complete &= compareWithOne(side, id);
        }
        // Clients may send any number of ids that no session has.
        if (complete && !open.isEmpty() && application.store().header(id) != null) {
            sides.compared(id, open);
        }
        return true;
    }

    private boolean compareWithOne(List<Address> side, String id) {
        long end = System.nanoTime() + SessionFetch.FETCH_LIMIT.toNanos();
        while (true) {
            boolean refused = false;
            for (Address member : side) {
                if (!members.knownTo(member)) {
                    continue;
                }
                Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
                try {
                    StoredReplica here = application.store().header(id);
                    if (here == null) {
                        reconciler.find(member, id, left);
                    } else {
                        reconciler.pull(member, List.of(here.replica().key()), left);
                    }
                    return true;
                } catch (NoAnswerException e) {
                    application.waitingFor(e.reason());
                    refused = true;
                }
            }
            try {
                if (refused) {
                    Thread.sleep(ASK_AGAIN_MILLIS);
                } else {
                    boolean unused = members.awaitKnownToOne(side, ASK_AGAIN_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            if (System.nanoTime() > end) {
                return false;
            }
        }
    }
}
