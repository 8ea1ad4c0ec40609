package io.understudy.network.sockets;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes to a channel that does not wait. What the system has no room for, as the peer does not read, is kept, and goes
 * in its order when there is room. The thread that reads from the channel writes it then.
 *
 * <p>If anything fails within a write, the socket is closed: nobody knows which bytes the peer would get next.
 *
 * <p>Threads: any.
 */
final class ChannelOutput extends OutputStream {

    /** Kept at most, in bytes: above any answer of a member, which may have a whole session. */
    static final long MAX_KEPT = 512L << 20;

    /** In one call: the JDK keeps a native buffer as large as the largest write for each thread that writes. */
    private static final int PART = 1 << 15;

    /** Written of what is kept before the thread that reads does so: senders wait meanwhile. */
    private static final int MOST_AT_ONCE = 1 << 20;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Runnable close;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<byte[]> kept = new ArrayDeque<>();

    @GuardedBy("lock")
    private long keptBytes;

    /** How many bytes of the first that is kept are written. */
    @GuardedBy("lock")
    private int begun;

    /** Written in the lock. */
    private volatile boolean keeps;

    /** @param close closes the socket; throws nothing */
    ChannelOutput(SocketChannel channel, SelectionKey key, Runnable close) {
        this.channel = channel;
        this.key = key;
        this.close = close;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        boolean done = false;
        lock.lock();
        try {
            int written = kept.isEmpty() ? writeNow(bytes, offset, length) : 0;
            if (written < length) {
                keep(bytes, offset + written, length - written);
            }
            done = true;
        } catch (IOException | CancelledKeyException | ClosedSelectorException e) {
            throw Broken.told(e);
        } finally {
            lock.unlock();
            if (!done) {
                close.run();
            }
        }
    }

    /** @return how many bytes there was room for */
    @GuardedBy("lock")
    private int writeNow(byte[] bytes, int offset, int length) throws IOException {
        int written = 0;
        boolean room = true;
        while (room && written < length) {
            int part = Math.min(PART, length - written);
            int count = channel.write(ByteBuffer.wrap(bytes, offset + written, part));
            written += count;
            room = count == part;
        }
        return written;
    }

    @GuardedBy("lock")
    private void keep(byte[] bytes, int offset, int length) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        } else if (keptBytes + length > MAX_KEPT) {
            throw new SocketException("the peer has left " + keptBytes + " bytes unread, more than are kept for it");
        }
        kept.add(Arrays.copyOfRange(bytes, offset, offset + length));
        keptBytes += length;
        if (!keeps) {
            keeps = true;
            key.interestOpsOr(SelectionKey.OP_WRITE);
            key.selector().wakeup();
        }
    }

    /** Whether anything is kept. */
    boolean keeps() {
        return keeps;
    }

    /** There may be room. */
    void writeKept() throws IOException {
        boolean done = false;
        lock.lock();
        try {
            boolean room = true;
            int written = 0;
            byte[] first = kept.peek();
            while (room && first != null && written < MOST_AT_ONCE) {
                int count = writeNow(first, begun, first.length - begun);
                written += count;
                keptBytes -= count;
                begun += count;
                room = begun == first.length;
                if (room) {
                    kept.remove();
                    begun = 0;
                    first = kept.peek();
                }
            }
            if (first == null) {
                keeps = false;
                key.interestOpsAnd(~SelectionKey.OP_WRITE);
            }
            done = true;
        } finally {
            lock.unlock();
            if (!done) {
                close.run();
            }
        }
    }
}
