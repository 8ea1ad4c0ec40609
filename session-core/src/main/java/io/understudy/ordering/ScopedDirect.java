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
 * <p>Threads: the transport's. Public as JGroups instantiates it.
 */
public final class ScopedDirect extends MaxOneThreadPerSender {

    @Override
    public boolean process(Message message, boolean oob) {
        if (oob && scoped(message)) {
            tp.passMessageUp(message, true, true, true);
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
        return super.process(batch, oob);
    }

    private static boolean scoped(Message message) {
        return message.getDest() == null && message.getHeader(SCOPE.ID) != null;
    }
}
