package io.understudy.cluster;

import java.util.List;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.NAKACK4;
import org.jgroups.protocols.NakAckHeader;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.Util;

/**
 * JGroups' bundler with a queue and a thread per destination, which tells the transport of packets to all that may be lost:
 * those whose messages are all numbered by the reliable multicast, so that a receiver knows what it lacks and asks for it.
 * Heartbeats, the numbers of last messages, and views may not.
 *
 * <p>Threads: as its superclass.
 */
final class NumberedBundler extends PerDestinationBundler {

    private static final short NUMBERS = ClassConfigurator.getProtocolId(NAKACK4.class);
    private static final short MEMBERSHIP = ClassConfigurator.getProtocolId(GMS.class);

    private final STEADY_TCP tcp;

    NumberedBundler(STEADY_TCP tcp) {
        this.tcp = tcp;
    }

    private static boolean mayBeLost(Message message) {
        NakAckHeader header = message.getHeader(NUMBERS);
        return header != null && header.getType() == NakAckHeader.MSG && message.getHeader(MEMBERSHIP) == null;
    }

    @Override
    protected void sendSingleMessage(Address dest, Message message, ByteArrayDataOutputStream out) throws Exception {
        if (dest != null || !mayBeLost(message)) {
            super.sendSingleMessage(dest, message, out);
            return;
        }
        Util.writeMessage(message, out, true);
        tcp.sendNumbered(out.buffer(), 0, out.position(), 1);
        transport.getMessageStats().incrNumSingleMsgsSent();
        num_single_msgs_sent.increment();
    }

    @Override
    protected void sendMessageList(Address dest, Address source, List<Message> list, ByteArrayDataOutputStream out)
            throws Exception {
        if (dest != null || !list.stream().allMatch(NumberedBundler::mayBeLost)) {
            super.sendMessageList(dest, source, list, out);
            return;
        }
        Util.writeMessageList(null, source, transport.getClusterNameAscii().val(), list, out, true);
        tcp.sendNumbered(out.buffer(), 0, out.position(), list.size());
        transport.getMessageStats().incrNumBatchesSent();
        num_batches_sent.increment();
    }
}
