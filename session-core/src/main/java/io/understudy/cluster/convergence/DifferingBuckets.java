package io.understudy.cluster.convergence;

import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.store.Comparison;
import java.util.BitSet;

/**
 * The buckets that two members hold differently. One comparison of sums finds every bucket that changed while news of
 * it was under way: under load that is nearly all. So sums are compared again while that rules more of them out.
 *
 * <p>A bucket that was equal once is ruled out for good: this member then held all that the other had told of it, and
 * later changes come as such.
 */
final class DifferingBuckets {

    /** At this many, what changes in the meantime rules few out that the ones before did not. */
    private static final int MAX_COMPARISONS = 6;

    /** Asks the other member for the sums of its buckets. */
    @FunctionalInterface
    interface Sums {
        long[] ask() throws NoAnswerException;
    }

    private DifferingBuckets() {}

    static BitSet of(Comparison ours, Sums theirs) throws NoAnswerException {
        BitSet differing = ours.differing(theirs.ask());
        boolean fewer = true;
        for (int i = 1; fewer && !differing.isEmpty() && i < MAX_COMPARISONS; i++) {
            int before = differing.cardinality();
            differing.and(ours.differing(theirs.ask()));
            fewer = differing.cardinality() < before;
        }
        return differing;
    }
}
