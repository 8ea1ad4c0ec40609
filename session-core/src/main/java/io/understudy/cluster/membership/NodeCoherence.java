package io.understudy.cluster.membership;

import io.understudy.config.session.Coherence;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether this node is coherent, and whether the cluster is.
 *
 * <p>A node is coherent if its commits wait for acknowledgements unless their request wants it otherwise, and every
 * change that it sent before that is complete. The cluster is coherent if this node is, and each other member of the
 * view has announced that it is. A member that leaves the view is asked no more.
 *
 * <p>Threads: any; guarded by the members, whose changes are signalled. {@link #set} and {@link #awaitCluster} wait.
 */
public final class NodeCoherence {

    /** How long a member of the view may take to confirm an announcement: longer than failure detection takes. */
    private static final Duration HEARD_LIMIT = Duration.ofSeconds(10);

    private final Members members;
    private final Supplier<CompletableFuture<Void>> settled;
    private final LongSupplier announce;
    private volatile @Nullable Coherence mode;
    private boolean applicationsCoherent = true;
    private boolean coherent = true;
    private long turns;

    /** Whether a turn did not come to its end, for want of memory: the next look makes it again. */
    private volatile boolean again;

    private volatile boolean closed;

    /**
     * @param settled completes when all that this node sent until then is complete
     * @param announce announces to the other members whether this node is coherent, and returns the announcement's
     *     number
     */
    public NodeCoherence(Members members, Supplier<CompletableFuture<Void>> settled, LongSupplier announce) {
        this.members = members;
        this.settled = settled;
        this.announce = announce;
    }

    /** What the node was turned to; {@code null} if the applications' own settings hold. */
    public @Nullable Coherence mode() {
        return mode;
    }

    public boolean coherent() {
        synchronized (members) {
            return coherent;
        }
    }

    public boolean clusterCoherent() {
        synchronized (members) {
            return coherent && members.othersCoherent();
        }
    }

    /** Whether all applications of this node are configured to be coherent. To be called again now and then. */
    public void applications(boolean allCoherent) {
        synchronized (members) {
            if (applicationsCoherent == allCoherent && !again) {
                return;
            }
            applicationsCoherent = allCoherent;
            again = false;
        }
        CompletableFuture<Void> unused = turn();
    }

    /**
     * Turns all applications of this node coherent or incoherent, and waits until the node is, and every other member of
     * the view knows, 10 seconds more at most. Returns early if the node is closed, or the thread is interrupted, and stays
     * so.
     *
     * @throws IllegalStateException if waiting for earlier changes failed, for want of memory
     */
    public void set(boolean wanted) {
        mode = wanted ? Coherence.COHERENT : Coherence.INCOHERENT;
        try {
            turn().get();
            awaitHeard(announce.getAsLong());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the node is not turned yet; it tries again by itself", e);
        }
    }

    private CompletableFuture<Void> turn() {
        boolean begun = false;
        try {
            CompletableFuture<Void> turned = turnNow().whenComplete((nothing, failure) -> {
                if (failure != null) {
                    again = true;
                }
            });
            begun = true;
            return turned;
        } finally {
            if (!begun) {
                again = true;
            }
        }
    }

    private CompletableFuture<Void> turnNow() {
        long turn;
        boolean wanted;
        synchronized (members) {
            turn = ++turns;
            wanted = mode == null ? applicationsCoherent : mode == Coherence.COHERENT;
            coherent &= wanted;
        }
        members.changes().signal();
        if (!wanted) {
            long unused = announce.getAsLong();
            return CompletableFuture.completedFuture(null);
        }
        // Who expected a change before it saw the old mode is in what has to settle; who sees the new one waits
        // himself.
        return settled.get().thenRun(() -> turned(turn));
    }

    private void turned(long turn) {
        synchronized (members) {
            coherent |= turn == turns;
        }
        members.changes().signal();
        long unused = announce.getAsLong();
    }

    private void awaitHeard(long announcement) throws InterruptedException {
        boolean unused =
                members.changes().await(() -> closed || members.allHeard(announcement), HEARD_LIMIT.toMillis());
    }

    /** @return whether the cluster was coherent at some moment before {@code limit} was over */
    public boolean awaitCluster(Duration limit) throws InterruptedException {
        boolean[] was = new boolean[1];
        boolean unused = members.changes()
                .await(
                        () -> {
                            was[0] = clusterCoherent();
                            return was[0] || closed;
                        },
                        limit.toMillis());
        return was[0];
    }

    /** Ends all waiting. */
    public void close() {
        closed = true;
        members.changes().signal();
    }
}
