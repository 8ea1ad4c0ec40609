package io.understudy.cluster.locking;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.delivery.AtRisk;
import io.understudy.lock.LockMessage;
import io.understudy.lock.LockOutput;
import io.understudy.lock.LockView;
import io.understudy.lock.SessionLocks;
import io.understudy.replica.SessionKey;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import io.understudy.threads.SerialDispatcher;
import io.understudy.wire.Frame.Locking;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session locks of this node's requests, and of those sessions this node is the home of, on a channel: drives {@link
 * SessionLocks}.
 *
 * <p>Threads: any; none waits here. The rules are guarded by this. What they want sent leaves in their order, from whichever
 * thread finds no other sending.
 */
public final class ClusterLocks {

    private final Supplier<Address> self;
    private final BiConsumer<Address, Locking> send;

    /** The requests here that wait for a lock. */
    private final Map<Long, CompletableFuture<Long>> waiting = new ConcurrentHashMap<>();

    /** Those that were not released wholly. */
    private final Map<Long, LockClaim> open = new ConcurrentHashMap<>();

    private final SerialDispatcher<LockOutput<Address>> outputs;

    @GuardedBy("this")
    private @Nullable SessionLocks<Address> rules;

    private volatile boolean closed;

    /**
     * @param self this node's address, known once the channel connects
     * @param send has to keep the order of messages to one member, must not wait, and throws if it could not send
     */
    public ClusterLocks(Supplier<Address> self, BiConsumer<Address, Locking> send, Failures failures) {
        this.self = self;
        this.send = send;
        this.outputs = new SerialDispatcher<>(this::handle, e -> {
            unsure();
            failures.report("reporting the state of a session's lock; the node retries", e);
        });
    }

    /** A request here wants the lock of a session; to be {@linkplain #release released} in any case. */
    public LockClaim claim(SessionKey key) {
        CompletableFuture<Long> granted = new CompletableFuture<>();
        LockClaim[] claim = new LockClaim[1];
        boolean claimed = false;
        try {
            act(locks -> {
                long request = locks.nextRequest();
                claim[0] = new LockClaim(key, request, granted);
                open.put(request, claim[0]);
                waiting.put(request, granted);
                return locks.claim(key);
            });
            claimed = true;
        } finally {
            if (!claimed && claim[0] != null) {
                release(claim[0]); // Whoever called does not know that there is anything to release.
            }
        }
        if (closed) {
            waiting.remove(claim[0].request());
            granted.cancel(false);
        }
        return claim[0];
    }

    /** Whether no other request here holds the lock, or waits for it. */
    public boolean isOnly(LockClaim claim) {
        return open.values().stream()
                .noneMatch(other ->
                        other.request() != claim.request() && other.key().equals(claim.key()) && !other.isReleased());
    }

    /** The request holds the lock no longer, or waits for it no longer. */
    void release(LockClaim claim) {
        claim.released();
        waiting.remove(claim.request());
        act(locks -> locks.release(claim.request()));
        open.remove(claim.request());
    }

    /** The same as soon as the session has no change at risk: the next holder of the lock sees them. */
    public void releaseAfterwards(LockClaim claim, SessionKey key, AtRisk atRisk, ChannelThreads threads) {
        boolean handedOn = false;
        try {
            Runnable release = () -> release(claim);
            Runnable handOn = () -> {
                if (!threads.executeInOrder("giving a session's lock back", release)) {
                    release.run(); // Not in its own time, but not never.
                }
            };
            handedOn = atRisk.afterwards(key.value(), handOn);
        } finally {
            if (!handedOn) {
                release(claim); // Also if there was no memory to wait.
            }
        }
    }

    public void enter(View view) {
        Address creator = view.getViewId().getCreator();
        long name = creator instanceof UUID id
                ? id.getMostSignificantBits() ^ id.getLeastSignificantBits()
                : creator.hashCode();
        LockView.Tag tag = new LockView.Tag(view.getViewId().getId(), name);
        act(locks -> locks.enter(new LockView<>(tag, view.getMembers())));
    }

    public void received(Address sender, LockMessage message) {
        act(locks -> locks.receive(sender, message));
    }

    /** To be called now and then. */
    public void remind() {
        open.values().forEach(claim -> {
            if (claim.isReleased()) {
                release(claim); // There was no memory to do it.
            }
        });
        act(SessionLocks::remind);
    }

    /** How many requests here hold a lock. */
    public long held() {
        return claims() - waiting.size();
    }

    private synchronized long claims() {
        return rules == null ? 0 : rules.claims();
    }

    /** How many locks that this node is the home of are held or waited for. */
    public synchronized long atHome() {
        return rules == null ? 0 : rules.locksAtHome();
    }

    /** How many requests here wait for a lock. */
    public long waiting() {
        return waiting.size();
    }

    /** Nobody here gets a lock any more. */
    public void close() {
        closed = true;
        waiting.values().forEach(granted -> granted.cancel(false));
        waiting.clear();
    }

    private synchronized void unsure() {
        if (rules != null) {
            rules.unsure(); // What is tried too often is given up.
        }
    }

    private void act(Function<SessionLocks<Address>, List<LockOutput<Address>>> step) {
        List<LockOutput<Address>> decided;
        synchronized (this) {
            SessionLocks<Address> locks = rules;
            if (locks == null) {
                locks = new SessionLocks<>(self.get());
                rules = locks;
            }
            boolean done = false;
            try {
                decided = step.apply(locks);
                outputs.add(decided);
                done = true;
            } finally {
                if (!done) {
                    locks.unsure();
                }
            }
        }
        outputs.handOut();
    }

    private void handle(LockOutput<Address> output) {
        if (output instanceof LockOutput.Send<Address> message) {
            send.accept(message.to(), new Locking(message.message()));
        } else if (output instanceof LockOutput.Granted<Address> grant) {
            CompletableFuture<Long> granted = waiting.get(grant.request());
            if (granted != null) {
                granted.complete(grant.fence());
                waiting.remove(grant.request()); // Not before: if this fails the grant is handed out again.
            }
        }
    }
}
