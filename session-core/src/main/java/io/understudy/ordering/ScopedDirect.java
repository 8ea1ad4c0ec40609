package io.understudy.ordering;

import org.jgroups.Message;
import org.jgroups.util.MaxOneThreadPerSender;
import org.jgroups.util.MessageBatch;

/**
 * Takes messages with a {@link ScopeHeader} up to {@link SCOPE} on the thread that read them, which only sorts them in
 * there. By default JGroups gives each batch of out-of-band messages to another thread of its pool. The batches then
 * overtake each other below the reliable multicast, which takes that for loss, and requests messages again that were
 * not lost.
 *
 * <p>{@linkplain #unconfirmed Unconfirmed} messages go up on the same thread: who handles them does not wait, and who waits
 * for them has one switch between threads less.
 *
 * <p>Threads: the transport's. Public as JGroups instantiates it.
 */
public final class ScopedDirect extends MaxOneThreadPerSender {

    /**
     * Marks a message to one member that goes past order, confirmations and flow control. It can be lost, so the receiver must
     * be able to ask for it. To send it never waits.
     */
    public static Message unconfirmed(Message message) {
        return message.setFlag(
                Message.Flag.OOB, Message.Flag.NO_RELIABILITY, Message.Flag.NO_FC, Message.Flag.DONT_BUNDLE);
    }

    @Override
    public boolean process(Message message, boolean oob) {
        if (oob && (scoped(message) || marked(message))) {
            boolean multicast = message.getDest() == null;
            tp.passMessageUp(message, true, multicast, multicast);
            return true;
        }
        return super.process(message, oob);
    }

    @Override
    public boolean process(MessageBatch batch, boolean oob) {
        if (oob && batch.multicast() && !batch.anyMatch(message -> !scoped(message))) {
            tp.passBatchUp(batch, true, true);
            return true;
        }
        if (oob && !batch.multicast()) {
            for (var messages = batch.iterator(); messages.hasNext(); ) {
                Message message = messages.next();
                if (marked(message)) {
                    messages.remove();
                    tp.passMessageUp(message, true, false, false);
                }
            }
        }
        return batch.isEmpty() || super.process(batch, oob);
    }

    private static boolean scoped(Message message) {
        return message.getDest() == null && message.getHeader(SCOPE.ID) != null;
    }

    /** No other messages are without reliability, and not to be bundled. */
    private static boolean marked(Message message) {
        return message.getDest() != null
                && message.isFlagSet(Message.Flag.NO_RELIABILITY)
                && message.isFlagSet(Message.Flag.DONT_BUNDLE);
    }
}
