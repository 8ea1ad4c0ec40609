package io.understudy.cluster;

import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.BaseBundler;
import org.jgroups.protocols.NAKACK4;
import org.jgroups.protocols.NakAckHeader;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * The thread that sends a message hands it to the transport itself. JGroups' bundlers pass each message through a queue to a thread of their own, which
 * puts what waits into one packet. The outbox and the acknowledgements do that already, by the time a message gets here, and a connection has a queue
 * and a thread below: the bundler's cost a switch between threads each way and spared nothing.
 *
 * <p>The thread does not wait here: {@link STEADY_TCP} makes connections in threads of their own, and drops what a full queue does not take.
 *
 * <p>It tells the transport of packets to all that may be lost: those of a message that the reliable multicast has numbered, so that a receiver knows what
 * it lacks and asks for it. Heartbeats, the numbers of last messages, and views may not.
 *
 * <p>Threads: any.
 */
final class InlineBundler extends BaseBundler {

    private static final short NUMBERS = ClassConfigurator.getProtocolId(NAKACK4.class);
    private static final short MEMBERSHIP = ClassConfigurator.getProtocolId(GMS.class);

    /** Bytes for headers, beside what a message carries; the buffer grows. */
    private static final int HEADERS = 128;

    private final STEADY_TCP tcp;

    /** The buffer that nobody uses now: mostly one thread sends. */
    private final AtomicReference<@Nullable ByteArrayDataOutputStream> spare = new AtomicReference<>();

    InlineBundler(STEADY_TCP tcp) {
        this.tcp = tcp;
    }

    @Override
    public void send(Message message) throws Exception {
        ByteArrayDataOutputStream out = spare.getAndSet(null);
        if (out == null) {
            out = new ByteArrayDataOutputStream(message.getLength() + HEADERS).growExponentially(true);
        }
        out.position(0);
        sendSingle(message.getDest(), message, out);
        spare.lazySet(out);
    }

    private static boolean mayBeLost(Message message) {
        NakAckHeader header = message.getHeader(NUMBERS);
        return header != null && header.getType() == NakAckHeader.MSG && message.getHeader(MEMBERSHIP) == null;
    }

    @Override
    protected void sendSingleMessage(@Nullable Address dest, Message message, ByteArrayDataOutputStream out)
            throws Exception {
        if (dest != null || !mayBeLost(message)) {
            super.sendSingleMessage(dest, message, out);
            return;
        }
        Util.writeMessage(message, out, true);
        tcp.sendNumbered(out.buffer(), 0, out.position(), 1);
        transport.getMessageStats().incrNumSingleMsgsSent();
        num_single_msgs_sent.increment();
    }
}
