package io.understudy.cluster;

import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.network.detection.ASYNC_FD_SOCK2;
import io.understudy.network.detection.FAST_MERGE3;
import io.understudy.threads.ChannelThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.stack.ProtocolStack.Position;
import org.jspecify.annotations.Nullable;

/**
 * How a node leaves the view: when it is closed, or because it can't do its part any more. The others would wait for such a
 * one: each coherent request for {@code ackTimeout}, and all of them for its credits. It goes for good, as what stands still
 * in it can't be ended.
 *
 * <p>Threads: any; whoever leaves waits for JGroups.
 */
final class Withdrawal {

    private static final Logger LOG = System.getLogger(Withdrawal.class.getName());

    private final JChannel channel;
    private final ChannelThreads threads;
    private final String node;
    private final AtomicBoolean withdrawn = new AtomicBoolean();
    private final AtomicBoolean cut = new AtomicBoolean();
    private volatile @Nullable Address self;

    /** @param node its name in logs */
    Withdrawal(JChannel channel, ChannelThreads threads, String node) {
        this.channel = channel;
        this.threads = threads;
        this.node = node;
    }

    /** This member: also when it has left, as JGroups does not know then. */
    @SuppressWarnings("NullAway") // Nobody asks before the channel connects.
    Address self() {
        Address now = channel.getAddress();
        if (now == null) {
            return self;
        }
        self = now;
        return now;
    }

    /** Whether this node has left, or is about to, without being closed. */
    boolean withdrawn() {
        return withdrawn.get();
    }

    /** Leaves as this node can't do its part; the parts of the node then take over a view of itself alone. */
    void withdraw(String why, ViewInstaller views) {
        if (withdrawn.getAndSet(true)) {
            return;
        }
        LOG.log(
                Level.ERROR,
                "{0} - leaves the cluster, because other members would wait for it: it {1}. It is no longer ready: "
                        + "restart it",
                node,
                why);
        Address alone = self();
        threads.loop("leave", "leaving the cluster", () -> {
                    leave();
                    views.install(View.create(alone, views.number() + 1, alone));
                    return false;
                })
                .start();
    }

    /** Whether {@link #cut} was called. */
    boolean isCut() {
        return cut.get();
    }

    /**
     * Cuts this node off as a kill of its process does. Nothing leaves any more, the connections break without a goodbye,
     * and no port listens: the other members have to detect it. This node's parts get no view and no frame any more.
     */
    void cut() {
        if (cut.getAndSet(true) || !channel.isConnected()) {
            return;
        }
        Address unused = self();
        channel.setReceiver(null);
        ProtocolStack stack = channel.getProtocolStack();
        try {
            stack.insertProtocol(new DISCARD().discardAll(true), Position.ABOVE, TP.class);
            ASYNC_FD_SOCK2 detection = stack.findProtocol(ASYNC_FD_SOCK2.class);
            if (detection != null) {
                detection.cut();
            }
            if (stack.getTransport() instanceof BasicTCP tcp) {
                tcp.clearConnections(false);
            }
            // Alone, it waits for no other member's answer as it closes.
            GMS membership = stack.findProtocol(GMS.class);
            Address alone = self();
            membership.installView(View.create(alone, membership.getViewId().getId() + 1, alone));
        } catch (Exception e) {
            throw new IllegalStateException(node + " could not be cut off from the cluster", e);
        } finally {
            leave();
        }
    }

    /** Leaves, and ends JGroups' threads. */
    void leave() {
        Address unused = self();
        FAST_MERGE3 merging = channel.getProtocolStack().findProtocol(FAST_MERGE3.class);
        if (merging != null) {
            merging.leave();
        }
        channel.close();
    }
}
