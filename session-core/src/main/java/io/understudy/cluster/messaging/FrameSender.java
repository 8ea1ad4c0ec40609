package io.understudy.cluster.messaging;

import io.understudy.cluster.membership.WireVersions;
import io.understudy.ordering.ScopedDirect;
import io.understudy.wire.Frame;
import io.understudy.wire.WireCodec;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;

/**
 * Hands frames to the protocol stack. Whatever keeps one from getting there is thrown to the caller, who repeats it, or has
 * something that makes up for it: nothing is repeated here. One that failed may be on its way all the same, if a protocol
 * had it before it threw. So receivers take a repeated frame as they take the first.
 *
 * <p>A node that is not connected sends nothing, and nothing is thrown: once it is connected it announces all that matters,
 * and after it has left nobody listens. Only {@link #sendTo} sends also while the node connects: other members see it in
 * their view by then, and wait for its answers.
 *
 * <p>Every method throws {@link IllegalStateException} if the stack refuses the message, and the errors of encoding and
 * sending as they are. Threads: any; none waits for another member.
 */
public final class FrameSender {

    private final JChannel channel;
    private final WireVersions versions;

    public FrameSender(JChannel channel, WireVersions versions) {
        this.channel = channel;
        this.versions = versions;
    }

    private byte[] encode(Frame frame) {
        return WireCodec.encode(frame, versions.written());
    }

    public void sendToAll(Frame frame) {
        send(new BytesMessage(null, encode(frame)).setFlag(Message.Flag.OOB));
    }

    /**
     * Sends past the flow control: acknowledgements must not wait for credits that they themselves give back, and an answer
     * with one large session may exceed all credits. Answers are bounded as askers ask one question at a time.
     */
    public void sendTo(Address member, Frame frame) {
        sendIf(
                () -> channel.isConnected() || channel.isConnecting(),
                new BytesMessage(member, encode(frame))
                        .setFlag(Message.Flag.OOB)
                        .setFlag(Message.Flag.NO_FC));
    }

    /**
     * Sends a frame that may be lost, as acknowledgements and questions about them: a member that lacks one asks for it. It
     * never waits for another member. So a thread that reads from one can send it: two that wait for each other's
     * confirmations would read none.
     */
    public void sendUnconfirmed(Address member, Frame frame) {
        sendIf(
                () -> channel.isConnected() || channel.isConnecting(),
                ScopedDirect.unconfirmed(new BytesMessage(member, encode(frame))));
    }

    /** As before, but the messages to one member arrive in the order in which they are sent. */
    public void sendInOrder(Address member, Frame frame) {
        send(new BytesMessage(member, encode(frame)).setFlag(Message.Flag.NO_FC));
    }

    public void send(Message message) {
        sendIf(channel::isConnected, message);
    }

    private void sendIf(BooleanSupplier open, Message message) {
        try {
            if (open.getAsBoolean()) {
                carry(message);
            }
        } catch (IllegalStateException e) {
            if (open.getAsBoolean()) { // It did not leave meanwhile.
                throw e;
            }
        }
    }

    /** Sends also before the node is connected, and fails after it has left. */
    public void carry(Message message) {
        try {
            channel.send(message);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the frame could not be sent", e);
        }
    }
}
