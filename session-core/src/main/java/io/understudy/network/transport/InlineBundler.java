package io.understudy.network.transport;

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
 * Hands each message to the transport in the thread that sends it.
 *
 * <p>JGroups' bundlers pass a message through a queue to another thread, so that several messages share a packet. The
 * outbox and the acknowledgements already put together what waits. So the thread of a bundler only added a switch between
 * threads each way.
 *
 * <p>The sending thread does not wait here: the transport makes connections in threads of their own, and keeps what a peer
 * does not read.
 *
 * <p>A packet may be lost if the reliable multicast has numbered its message: the receiver knows what it lacks, and asks
 * for it. Heartbeats, the numbers of last messages, and views may not be lost. The transport learns which is which.
 *
 * <p>Threads: any.
 */
final class InlineBundler extends BaseBundler {

    private static final short NUMBERS = ClassConfigurator.getProtocolId(NAKACK4.class);
    private static final short MEMBERSHIP = ClassConfigurator.getProtocolId(GMS.class);

    /** Bytes for headers, beside what a message carries; the buffer grows. */
    private static final int HEADERS = 128;

    /** How a transport sends a packet that may be lost, as its message is numbered. */
    @FunctionalInterface
    interface Numbered {
        void send(byte[] bytes, int offset, int length, int messages) throws Exception;
    }

    private final Numbered numbered;

    /** The buffer that nobody uses now: mostly one thread sends. */
    private final AtomicReference<@Nullable ByteArrayDataOutputStream> spare = new AtomicReference<>();

    /** @param numbered sends packets that may be lost */
    InlineBundler(Numbered numbered) {
        this.numbered = numbered;
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
        numbered.send(out.buffer(), 0, out.position(), 1);
        transport.getMessageStats().incrNumSingleMsgsSent();
        num_single_msgs_sent.increment();
    }
}
