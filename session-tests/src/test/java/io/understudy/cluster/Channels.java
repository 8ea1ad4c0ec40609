package io.understudy.cluster;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Acks;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import io.understudy.store.StoredReplica;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jgroups.stack.ProtocolStack.Position;

/** Members with one application, without what is above the channel, whose messages can be interfered with. */
final class Channels implements AutoCloseable {

    private final TimeSource time;

    final List<ClusterChannel> channels = new ArrayList<>();
    final List<ApplicationGroup> groups = new ArrayList<>();

    Channels() {
        this(TimeSource.SHARED_PROCESS);
    }

    /** @param time the clock of all members */
    Channels(TimeSource time) {
        this.time = time;
    }

    /** Starts so many, and waits until all are ready for all. */
    void start(int count) {
        for (UnderstudyConfig config : LoopbackCluster.configs(count, Map.of(Setting.RECONCILE_INTERVAL, "1h"))) {
            ClusterChannel channel = ClusterChannels.connect(config, time, StackCustomizer.NONE);
            channels.add(channel);
            ApplicationGroup group = channel.join("/shop");
            groups.add(group);
            Await.until(Await.LIMIT, group::waitingFor, group::ready);
            for (ClusterChannel other : channels.subList(0, channels.size() - 1)) {
                Await.that(
                        "an earlier one knows that it is ready",
                        () -> other.services()
                                .members()
                                .others(group.number(), Phase.READY)
                                .contains(channel.services().members().self()));
            }
        }
    }

    /** From now on a rule decides what comes of messages to a member. */
    void interfere(int node, Position position, Class<? extends org.jgroups.stack.Protocol> beside, Interference rule)
            throws Exception {
        channels.get(node).jgroups().getProtocolStack().insertProtocol(rule, position, beside);
    }

    /** The first member writes an attribute of a session, which begins with its first. */
    CompletableFuture<AckResult> write(long session, String name, int bytes) {
        return write(channels.get(0), groups.get(0), session, name, bytes);
    }

    /** The member with this channel does. */
    static CompletableFuture<AckResult> write(
            ClusterChannel channel, ApplicationGroup group, long session, String name, int bytes) {
        Stamp stamp = channel.clock().next(0);
        SessionKey key = new SessionKey(session);
        boolean first = group.store().get(key) == null;
        SessionDelta delta = new SessionDelta(
                key,
                first,
                first ? new Stamped<>(stamp, "id" + session) : null,
                null,
                stamp,
                Map.of(name, StampedBytes.of(stamp, new byte[bytes])),
                null);
        return group.prepare(delta, 0, Acks.ALL).held();
    }

    boolean has(int node, long session, String name) {
        StoredReplica stored = groups.get(node).store().get(new SessionKey(session));
        return stored != null && stored.replica().attribute(name) != null;
    }

    @Override
    public void close() {
        channels.forEach(ClusterChannel::close);
    }
}
