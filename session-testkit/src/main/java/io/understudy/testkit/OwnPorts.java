package io.understudy.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ports that no other JVM on this machine takes in its tests, of whichever user. Each JVM has a share of its own, as
 * it listens at the share's first port until it ends. Otherwise a JVM could get a port that another one was given and
 * has not taken yet.
 *
 * <p>A JVM takes one share: {@link io.understudy.testkit.faultpoints.PointedLoader} leaves this class to the class
 * path.
 *
 * <p>They are below those that systems give to outgoing connections, any of which could take one before the node does.
 * In a share they come one after the other, so one is given again as late as possible.
 */
public final class OwnPorts {

    private static final int FIRST = 12_000;
    private static final int LAST = 31_000;
    private static final int SHARE = 1000;

    /** Failure detection takes the next port, up to three times, if its own is taken; members look for it there, too. */
    private static final int APART = 4;

    /** Ports of nodes alternate with those of their failure detection. */
    private static final int STRIDE = 2 * LoopbackCluster.FAILURE_DETECTION;

    private static final OwnPorts OF_THIS_JVM = claim();

    private final ServerSocket claim; // Open until the JVM ends.
    private final int first;
    private int next;

    private OwnPorts(ServerSocket claim, int first) {
        this.claim = claim;
        this.first = first;
    }

    /**
     * Free ports for nodes.
     *
     * @throws IllegalStateException if this JVM's share has not as many
     */
    public static List<Integer> take(int count) {
        return OF_THIS_JVM.next(count);
    }

    private static OwnPorts claim() {
        for (int first = FIRST; first + SHARE <= LAST; first += SHARE) {
            ServerSocket claim = listening(first);
            if (claim != null) {
                return new OwnPorts(claim, first);
            }
        }
        throw new IllegalStateException("all ports from " + FIRST + " to " + LAST + " are other JVMs'");
    }

    private synchronized List<Integer> next(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            for (int tries = 0; ports.size() < count; tries++) {
                if (tries == SHARE) {
                    throw new IllegalStateException("no " + count + " free ports from " + first + " on, of " + claim);
                }
                int port = first + next;
                next = (next + APART) % SHARE;
                if (port % STRIDE < LoopbackCluster.FAILURE_DETECTION
                        && listen(port, sockets)
                        && listen(port + LoopbackCluster.FAILURE_DETECTION, sockets)) {
                    ports.add(port);
                }
            }
            return ports;
        } finally {
            sockets.forEach(OwnPorts::close);
        }
    }

    private static boolean listen(int port, List<ServerSocket> sockets) {
        ServerSocket socket = listening(port);
        if (socket == null) {
            return false;
        }
        sockets.add(socket);
        return true;
    }

    /** Null if somebody has the port. */
    private static @Nullable ServerSocket listening(int port) {
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            return null;
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
