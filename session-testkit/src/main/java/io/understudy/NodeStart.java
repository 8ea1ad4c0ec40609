package io.understudy;

import io.understudy.config.Transport;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.UnderstudyConfig.HostPort;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;

/**
 * Starts nodes with what only tests give them: a clock and a changed protocol stack.
 *
 * <p>A node none of whose {@code hosts} is there begins its cluster at once. By itself it would look for others for a
 * second, in each test.
 */
public final class NodeStart {

    /** How long a node waits for the answer of a cluster that is there, in milliseconds. The answer ends the wait. */
    private static final int PATIENCE_MILLIS = 10_000;

    private NodeStart() {}

    public static Understudy start(UnderstudyConfig config) {
        return start(config, TimeSource.SHARED_PROCESS, StackCustomizer.NONE);
    }

    public static Understudy start(UnderstudyConfig config, TimeSource time, StackCustomizer stack) {
        return Understudy.start(config, time, among(config, stack));
    }

    /** One of several that are started at the same moment: it looks for the others as a user's node does. */
    public static Understudy startAtOnce(UnderstudyConfig config, TimeSource time, StackCustomizer stack) {
        return Understudy.start(config, time, stack);
    }

    /** The stack of a node that looks for others only if one of its {@code hosts} is there now. */
    public static StackCustomizer among(UnderstudyConfig config, StackCustomizer stack) {
        if (nobodyThere(config)) {
            return first(stack);
        }
        return config.transport() == Transport.UDP || config.hosts().isEmpty() ? stack : patient(stack);
    }

    /**
     * For a node whose cluster is there. If it gets no answer within the time that users have, as this machine is
     * busy, it begins a cluster of its own, which is merged later.
     */
    public static StackCustomizer patient(StackCustomizer stack) {
        return joining(PATIENCE_MILLIS, stack);
    }

    /** For a node that nobody can answer: it does not wait for answers. */
    public static StackCustomizer first(StackCustomizer stack) {
        return joining(1, stack);
    }

    private static StackCustomizer joining(int millis, StackCustomizer stack) {
        return protocols -> {
            List<Protocol> changed = stack.apply(protocols);
            for (Protocol protocol : changed) {
                if (protocol instanceof GMS membership) {
                    membership.setJoinTimeout(millis);
                }
            }
            return changed;
        };
    }

    private static boolean nobodyThere(UnderstudyConfig config) {
        // Members that talk by UDP listen at no port that others know.
        return config.transport() != Transport.UDP
                && !config.hosts().isEmpty()
                && config.hosts().stream().allMatch(NodeStart::free);
    }

    /** Found without a connection, which a member would take for a stranger's. */
    private static boolean free(HostPort host) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host.host(), host.port()));
            return true;
        } catch (IOException e) {
            return false; // Somebody listens, or it is no address of this machine.
        }
    }
}
