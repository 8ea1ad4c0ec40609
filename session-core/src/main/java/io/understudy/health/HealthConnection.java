package io.understudy.health;

import io.understudy.health.HealthRequest.MalformedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * One connection: a request is read, handled and answered, then what the client still sends is read and dropped until it
 * closes. (A connection that is closed with bytes unread is reset, and the response may be lost on its way.)
 *
 * <p>Threads: the listener's.
 */
final class HealthConnection {

    /** Larger heads are refused. */
    static final int MAX_HEAD_BYTES = 8192;

    private enum Phase {
        READING,
        HANDLING,
        WRITING,
        DROPPING
    }

    private final SocketChannel channel;
    private final SelectionKey key;
    private final InetAddress from;
    private final long limitNanos;
    private final LongSupplier nanos;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream(512);
    private Phase phase = Phase.READING;
    private long deadline;
    private boolean headOnly;
    private volatile boolean givenUp;
    private ByteBuffer unwritten = ByteBuffer.allocate(0);

    /**
     * @param limitNanos for the request, and again for the response
     * @param nanos the clock of the limit
     */
    HealthConnection(SocketChannel channel, SelectionKey key, long limitNanos, LongSupplier nanos) throws IOException {
        this.channel = channel;
        this.key = key;
        this.from = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
        this.limitNanos = limitNanos;
        this.nanos = nanos;
        this.deadline = nanos.getAsLong() + limitNanos;
    }

    /** Whether the client is waited for, and not the node. */
    boolean clientsTurn() {
        return phase != Phase.HANDLING;
    }

    /** Whether it is to be closed, as the client took too long, or nothing will be answered. */
    boolean late() {
        return givenUp || (clientsTurn() && nanos.getAsLong() - deadline >= 0);
    }

    /** There is no answer. Threads: any. */
    void giveUp() {
        givenUp = true;
    }

    /** Does what can be done without waiting. */
    void proceed(ByteBuffer scratch, HealthListener listener) throws IOException {
        if (phase == Phase.WRITING) {
            write();
            return;
        }
        scratch.clear();
        int count = channel.read(scratch);
        if (count < 0) {
            close();
        } else if (phase == Phase.READING) {
            byte[] bytes = new byte[count];
            scratch.flip().get(bytes);
            head.writeBytes(bytes);
            read(listener);
        }
    }

    private void read(HealthListener listener) throws IOException {
        String text = head.toString(StandardCharsets.ISO_8859_1);
        boolean whole = HealthRequest.ended(text);
        if (!whole && text.length() < MAX_HEAD_BYTES) {
            return;
        }
        phase = Phase.HANDLING;
        key.interestOps(0);
        if (!whole) {
            answer(new HealthResponse(431, "expected at most " + MAX_HEAD_BYTES + " bytes of headers\n"));
            return;
        }
        try {
            HealthRequest request = HealthRequest.parse(text, from);
            headOnly = request.method().equals("HEAD");
            listener.handle(request, this);
        } catch (MalformedException e) {
            answer(new HealthResponse(400, e.getMessage() + "\n"));
        }
    }

    void answer(HealthResponse response) throws IOException {
        if (phase == Phase.HANDLING) {
            phase = Phase.WRITING;
            deadline = nanos.getAsLong() + limitNanos;
            unwritten = ByteBuffer.wrap(response.bytes(headOnly, Instant.now()));
            write();
        }
    }

    private void write() throws IOException {
        channel.write(unwritten);
        if (unwritten.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
            return;
        }
        phase = Phase.DROPPING;
        channel.shutdownOutput();
        key.interestOps(SelectionKey.OP_READ);
    }

    void close() throws IOException {
        key.cancel();
        channel.close();
    }

    boolean open() {
        return channel.isOpen();
    }
}
