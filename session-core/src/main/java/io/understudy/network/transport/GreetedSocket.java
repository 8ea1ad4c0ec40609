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
 * address  = 4(1) IPv4(4) port(2) | 16(1) IPv6(16) scope(4) port(2)
 * </pre>
 *
 * <p>JGroups does not look at the length: it reads as many bytes as the address begins with, and waits for each.
 *
 * <p>Threads: as a socket's.
 */
final class GreetedSocket extends ChannelSocket {

    private static final byte[] COOKIE = {'b', 'e', 'l', 'a'};
    private static final int HEAD = COOKIE.length + 2 * Short.BYTES;

    private static final int IPV4 = 4;
    private static final int IPV6 = 16;
    private static final int MAX_ADDRESS = Byte.BYTES + IPV6 + Integer.BYTES + Short.BYTES;

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
     * @throws IOException if it does not come in time, or is not as a member's
     */
    void awaitGreeting(long limitMillis) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        InputStream raw = super.getInputStream();
        readUpTo(COOKIE.length, raw, end);
        if (Arrays.equals(greeting, 0, COOKIE.length, COOKIE, 0, COOKIE.length)) {
            readUpTo(HEAD + Byte.BYTES, raw, end);
            int length = addressLength(greeting[HEAD]);
            int declared = ByteBuffer.wrap(greeting).getShort(HEAD - Short.BYTES);
            if (declared != length) {
                throw new IOException("an address of " + declared + " bytes that has " + length);
            }
            readUpTo(HEAD + length, raw, end);
        }
        setSoTimeout(0);
        in = new SequenceInputStream(new ByteArrayInputStream(greeting, 0, read), raw);
    }

    private static int addressLength(byte first) throws IOException {
        return switch (first) {
            case IPV4 -> Byte.BYTES + IPV4 + Short.BYTES;
            case IPV6 -> MAX_ADDRESS;
            default -> throw new IOException("an address that begins with " + first);
        };
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
