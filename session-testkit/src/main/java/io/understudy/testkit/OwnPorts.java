package io.understudy.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ports that no other JVM on this machine takes in its tests. Each JVM has a share of its own, by a lock on a file that
 * ends with the JVM. Otherwise a JVM could get a port that another one was given and has not taken yet.
 *
 * <p>A JVM takes one share: {@link io.understudy.testkit.faultpoints.PointedLoader} leaves this class to the class
 * path. A second claim would open the file again, and on POSIX systems the first close of a file ends all locks of the
 * process on it.
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

    private final FileLock lock; // Held until the JVM ends.
    private final int first;
    private int next;

    private OwnPorts(FileLock lock, int first) {
        this.lock = lock;
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
        try {
            for (int first = FIRST; first + SHARE <= LAST; first += SHARE) {
                Path file = Path.of(System.getProperty("java.io.tmpdir"), "understudy-tests-" + first + ".lock");
                FileLock lock = tryLock(file);
                if (lock != null) {
                    return new OwnPorts(lock, first);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("all ports from " + FIRST + " to " + LAST + " are other JVMs'");
    }

    private static @Nullable FileLock tryLock(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (AccessDeniedException e) {
            return null; // Another user's.
        }
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new IllegalStateException(
                    "this JVM has loaded " + OwnPorts.class.getName() + " twice: expected one class loader for it", e);
        }
        if (lock == null) {
            channel.close();
        }
        return lock;
    }

    private synchronized List<Integer> next(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            for (int tries = 0; ports.size() < count; tries++) {
                if (tries == SHARE) {
                    throw new IllegalStateException("no " + count + " free ports from " + first + " on, of " + lock);
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
        try {
            sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
            return true;
        } catch (IOException e) {
            return false; // Somebody has it.
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
