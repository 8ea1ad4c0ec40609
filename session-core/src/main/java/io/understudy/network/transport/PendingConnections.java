package io.understudy.network.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jgroups.PhysicalAddress;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.util.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections, each in a thread of its own, and keeps packets until their connection is there. The thread that sends
 * to all members does not wait for a member that is out of reach, or for the TLS handshake of one that stands still.
 *
 * <p>If a connection is not made, its packets are dropped: the reliable protocols send them again. Threads: any.
 */
final class PendingConnections {

    /** In bytes, for each peer: as much as the flow controls let go. */
    private static final int MAX_BYTES = FlowCredits.MAX_BYTES;

    private static final class Waiting {

        private final Deque<byte[]> packets = new ArrayDeque<>();
        private int bytes;

        Waiting(byte[] first) {
            add(first);
        }

        void add(byte[] packet) {
            if (bytes + packet.length <= MAX_BYTES) {
                packets.add(packet);
                bytes += packet.length;
            }
        }
    }

    private final ThreadFactory threads;

    @GuardedBy("waiting")
    private final Map<PhysicalAddress, Waiting> waiting = new HashMap<>();

    PendingConnections(ThreadFactory threads) {
        this.threads = threads;
    }

    /** Sends this when there is a connection. */
    void send(TcpServer server, PhysicalAddress to, byte[] bytes, int offset, int length) {
        byte[] packet = Arrays.copyOfRange(bytes, offset, offset + length);
        boolean first;
        synchronized (waiting) {
            Waiting others = waiting.get(to);
            first = others == null;
            if (others == null) {
                put(to, new Waiting(packet));
            } else {
                others.add(packet);
            }
        }
        if (first) {
            begin(server, to);
        }
    }

    /** Wholly or not at all: what is here without a thread that opens a connection would keep all that is sent later. */
    @GuardedBy("waiting")
    private void put(PhysicalAddress to, Waiting first) {
        boolean put = false;
        try {
            waiting.put(to, first);
            put = true;
        } finally {
            if (!put) {
                waiting.remove(to); // A map without memory to grow has taken the entry before.
            }
        }
    }

    private void begin(TcpServer server, PhysicalAddress to) {
        boolean begun = false;
        try {
            threads.newThread(() -> open(server, to), "opening to " + to).start();
            begun = true;
        } finally {
            if (!begun) {
                end(to); // There is no thread for it: whoever sends next tries again.
            }
        }
    }

    private void end(PhysicalAddress to) {
        synchronized (waiting) {
            waiting.remove(to);
        }
    }

    /** Whether there is no connection to it yet, or something waits for one, which is not to be passed. */
    boolean needed(TcpServer server, PhysicalAddress to) {
        return server.running()
                && !to.equals(server.localAddress())
                && (!server.connectionEstablishedTo(to) || underWay(to));
    }

    private boolean underWay(PhysicalAddress to) {
        synchronized (waiting) {
            return waiting.containsKey(to);
        }
    }

    private void open(TcpServer server, PhysicalAddress to) {
        boolean through = false;
        boolean partly = false;
        try {
            server.getConnection(to);
            if (!server.running()) {
                server.closeConnection(to, false); // It was stopped meanwhile, and closes none that came later.
            }
            partly = true;
            for (byte[] next = next(to); next != null; next = next(to)) {
                server.send(to, next, 0, next.length);
            }
            through = true;
        } catch (Exception e) {
            partly = false; // JGroups closes the connection; what there is now may be one that the peer has opened.
            server.log().trace("%s: %s is out of reach: %s", server.localAddress(), to, e);
        } finally {
            if (!through) {
                end(to); // Else nothing would ever be sent to it again.
            }
            if (!through && partly) {
                ConnectionWatch.close(server, to); // After an error, a part of a packet may be with the peer.
            }
        }
    }

    /** The next packet; if there is none, what comes later goes its own way. */
    private byte @Nullable [] next(PhysicalAddress to) {
        synchronized (waiting) {
            Waiting others = waiting.get(to);
            byte[] next = others == null ? null : others.packets.poll();
            if (next == null) {
                waiting.remove(to);
            } else if (others != null) {
                others.bytes -= next.length;
            }
            return next;
        }
    }
}
