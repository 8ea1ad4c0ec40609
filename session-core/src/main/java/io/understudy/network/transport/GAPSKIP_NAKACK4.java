package io.understudy.network.transport;

import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.NAKACK4;
import org.jgroups.protocols.NakAckHeader;
import org.jgroups.util.Buffer;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.SeqnoList;

/**
 * NAKACK4 whose members do not wait for messages that nobody has any more.
 *
 * <p>While members are merged, what one multicasts between its answer with its digest and the merged view is lost on
 * the other side, which then asks for it. NAKACK4 keeps a message until all members of its sender's view have
 * acknowledged it: of a view without the asker, that may have happened before. It then stays silent, the asker waits
 * for ever, and what is delivered in order, as views are, waits behind the gap. Here the sender answers instead that
 * there is nothing to wait for. The sessions are compared after a merge anyway. Members of the view have acknowledged
 * the messages that are gone, and never request them.
 *
 * <p>It reports to the transport how much a member requests again, as the transport may have multicast it.
 *
 * <p>On the wire it is NAKACK4; the stand-in for a message is an empty one without a header but NAKACK4's.
 *
 * <p>Threads: as NAKACK4.
 */
public final class GAPSKIP_NAKACK4 extends NAKACK4 {

    private final Predicate<Message> standIns = this::standsIn;

    public GAPSKIP_NAKACK4() {
        setId(ClassConfigurator.getProtocolId(NAKACK4.class));
    }

    @Override
    protected void handleXmitReq(Address requester, SeqnoList missing, Address sender) {
        if (sender.equals(local_addr) && getTransport() instanceof QUEUED_TCP tcp) {
            tcp.askedAgain(requester, missing.size());
        }
        super.handleXmitReq(requester, missing, sender);
        Buffer<Message> sent = getBuf(sender);
        if (sent == null || !sender.equals(local_addr)) {
            return;
        }
        for (long number : missing) {
            if (number <= sent.low()) {
                Message standIn = new EmptyMessage()
                        .setSrc(sender)
                        .setFlag(Message.Flag.OOB, Message.Flag.NO_FC)
                        .putHeader(id, NakAckHeader.createMessageHeader(number));
                sendXmitRsp(requester, standIn);
            }
        }
    }

    /** An acknowledgement of a member that has left the view frees nothing; JGroups would log a warning. */
    @Override
    protected void handleAck(Address sender, long ack) {
        if (members.contains(sender)) {
            super.handleAck(sender, ack);
        }
    }

    /**
     * Whether a message that arrived, with the headers of the transport and of this protocol, only closes a gap. Takes no
     * memory, as {@link #deliverBatch} may not throw: nothing of that sender would ever be delivered again.
     */
    private boolean standsIn(Message message) {
        return message.getType() == Message.EMPTY_MSG
                && message.getNumHeaders()
                        == has(message, id) + has(message, getTransport().getId());
    }

    private static int has(Message message, short header) {
        return message.getHeader(header) == null ? 0 : 1;
    }

    @Override
    protected void deliver(Message message, Address sender, long seqno, Entry entry, String errorMessage) {
        if (!standsIn(message)) {
            super.deliver(message, sender, seqno, entry, errorMessage);
        }
    }

    @Override
    protected void deliverBatch(MessageBatch batch, Entry entry) {
        if (batch != null) {
            batch.removeIf(standIns, true);
        }
        super.deliverBatch(batch, entry);
    }
}
