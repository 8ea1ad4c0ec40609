package io.understudy.network.transport;

import io.understudy.network.sockets.ChannelSocket;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that another member opened. Its greeting is read ahead: JGroups reads it in the thread that accepts.
 *
 * <pre>
 * greeting = "bela"(4) version(2) length(2) address(length)      ; address: of the sender, as it claims
 * </pre>
 *
 * <p>Threads: as a socket's.
 */
final class GreetedSocket extends ChannelSocket {

    private static final byte[] COOKIE = {'b', 'e', 'l', 'a'};
    private static final int HEAD = COOKIE.length + 2 * Short.BYTES;

    /** Above an address of IPv6 with its port. */
    private static final int MAX_ADDRESS = 64;

    private final byte[] greeting = new byte[HEAD + MAX_ADDRESS];
    private int read;
    private @Nullable InputStream in;

    /** @param channel that was accepted; is closed with this */
    GreetedSocket(SocketChannel channel) throws IOException {
        super(channel);
    }

    /**
     * Returns when the greeting is here, or what JGroups refuses at once.
     *
     * @throws IOException if it does not come in time
     */
    void awaitGreeting(long limitMillis) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        InputStream raw = super.getInputStream();
        readUpTo(COOKIE.length, raw, end);
        if (Arrays.equals(greeting, 0, COOKIE.length, COOKIE, 0, COOKIE.length)) {
            readUpTo(HEAD, raw, end);
            int length = ByteBuffer.wrap(greeting).getShort(HEAD - Short.BYTES);
            if (length < 0 || length > MAX_ADDRESS) {
                throw new IOException("an address of " + length + " bytes");
            }
            readUpTo(HEAD + length, raw, end);
        }
        setSoTimeout(0);
        in = new SequenceInputStream(new ByteArrayInputStream(greeting, 0, read), raw);
    }

    private void readUpTo(int count, InputStream raw, long end) throws IOException {
        while (read < count) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("no greeting");
            }
            setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            int more = raw.read(greeting, read, count - read);
            if (more < 0) {
                throw new EOFException("no greeting");
            }
            read += more;
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        InputStream greeted = in;
        return greeted == null ? super.getInputStream() : greeted;
    }
}
