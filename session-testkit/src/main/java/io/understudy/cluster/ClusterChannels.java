package io.understudy.cluster;

import io.understudy.NodeStart;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.wire.Frame.Phase;
import org.jgroups.stack.Protocol;

/** Channels of members that run no application's requests, and what a test changes or asks in them. */
public final class ClusterChannels {

    private ClusterChannels() {}

    /** A member without applications. */
    public static ClusterChannel connect(UnderstudyConfig config) {
        return connect(config, StackCustomizer.NONE);
    }

    /** The same with other protocols. */
    public static ClusterChannel connect(UnderstudyConfig config, StackCustomizer stack) {
        return connect(config, TimeSource.SHARED_PROCESS, stack);
    }

    /** The same with a clock. */
    public static ClusterChannel connect(UnderstudyConfig config, TimeSource time, StackCustomizer stack) {
        return ClusterChannel.connect(config, time, new ReplicationMetrics(), NodeStart.among(config, stack));
    }

    /** Puts a protocol on top of a channel of ours, above the flow control. */
    public static void onTop(ClusterChannel channel, Protocol protocol) {
        channel.jgroups().getProtocolStack().insertProtocolAtTop(protocol);
    }

    /** How many other members count for this application, as its senders see it. */
    public static int others(ClusterChannel channel, ApplicationGroup group) {
        return channel.services()
                .members()
                .others(group.number(), Phase.COUNTED)
                .size();
    }
}
