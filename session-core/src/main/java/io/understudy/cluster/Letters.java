package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.WireCodec;
import io.understudy.config.UnderstudyConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;

/**
 * Frames on their way out. What can't be sent is logged and lost, unless whoever sends it has to know; whoever needs an
 * answer asks again.
 *
 * <p>Threads: any; none waits for another member.
 */
final class Letters {

    private static final Logger LOG = System.getLogger(Letters.class.getName());

    private final JChannel channel;
    private final UnderstudyConfig config;
    private final WireVersions versions;

    Letters(JChannel channel, UnderstudyConfig config, WireVersions versions) {
        this.channel = channel;
        this.config = config;
        this.versions = versions;
    }

    private byte[] encode(Frame frame) {
        return WireCodec.encode(frame, versions.written());
    }

    void sendToAll(Frame frame) {
        send(new BytesMessage(null, encode(frame)).setFlag(Message.Flag.OOB));
    }

    /**
     * Sends past the flow control: acknowledgements must not wait for credits that they themselves give back, and an answer
     * with one large session may exceed all credits. Answers are bounded as askers ask one question at a time.
     */
    void sendTo(Address member, Frame frame) {
        send(pastFlowControl(member, frame));
    }

    /** @throws IllegalStateException if it could not be sent */
    void deliverTo(Address member, Frame frame) {
        try {
            deliver(pastFlowControl(member, frame));
        } catch (Exception e) {
            throw new IllegalStateException("could not send to " + member, e);
        }
    }

    private Message pastFlowControl(Address member, Frame frame) {
        return new BytesMessage(member, encode(frame)).setFlag(Message.Flag.OOB).setFlag(Message.Flag.NO_FC);
    }

    /** As before, but the messages to one member arrive in the order in which they are sent. */
    void sendInOrder(Address member, Frame frame) {
        send(new BytesMessage(member, encode(frame)).setFlag(Message.Flag.NO_FC));
    }

    void send(Message message) {
        try {
            deliver(message);
        } catch (Exception e) {
            LOG.log(Level.WARNING, "{0} - a message could not be sent: {1}", config.nodeName(), e);
        }
    }

    /** @throws IllegalStateException if it could not be sent */
    void carry(Message message) {
        try {
            channel.send(message);
        } catch (Exception e) {
            throw new IllegalStateException("could not be sent", e);
        }
    }

    private void deliver(Message message) throws Exception {
        if (channel.isConnected()) {
            channel.send(message);
        }
    }
}
