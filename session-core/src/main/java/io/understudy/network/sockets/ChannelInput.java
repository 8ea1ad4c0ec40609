package io.understudy.network.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Reads from a channel that does not wait, and waits for it. While it waits, it also lets {@link ChannelOutput} write
 * what it keeps. If something is kept, each read begins with that.
 *
 * <p>Threads: one.
 */
final class ChannelInput extends InputStream {

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Selector selector;
    private final ChannelOutput output;
    private final IntSupplier timeoutMillis;
    private final byte[] one = new byte[1];

    /** Whether the last read had no room for more: there may be more. */
    private boolean more;

    /** @param timeoutMillis for how long a read waits; 0 is without an end */
    ChannelInput(SocketChannel channel, SelectionKey key, ChannelOutput output, IntSupplier timeoutMillis) {
        this.channel = channel;
        this.key = key;
        this.selector = key.selector();
        this.output = output;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        boolean interrupted = false;
        try {
            ByteBuffer target = ByteBuffer.wrap(bytes, offset, length);
            int count = more && !output.keeps() ? channel.read(target) : 0;
            long limit = TimeUnit.MILLISECONDS.toNanos(timeoutMillis.getAsInt());
            long begun = limit == 0 ? 0 : System.nanoTime();
            while (count == 0) {
                interrupted |= Thread.interrupted(); // It would end the wait at once, each time.
                await(limit, begun);
                count = channel.read(target);
            }
            more = count == length;
            return count;
        } catch (IOException | ClosedSelectorException | CancelledKeyException e) {
            throw Broken.told(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void await(long limit, long begun) throws IOException {
        if (limit == 0) {
            selector.select();
        } else {
            long left = limit - (System.nanoTime() - begun);
            if (left <= 0) {
                throw new SocketTimeoutException("Read timed out");
            }
            selector.select(TimeUnit.NANOSECONDS.toMillis(left) + 1);
        }
        selector.selectedKeys().clear();
        if (key.isWritable()) {
            output.writeKept();
        }
    }
}
