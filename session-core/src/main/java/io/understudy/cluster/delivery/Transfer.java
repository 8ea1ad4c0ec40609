package io.understudy.cluster.delivery;

import io.understudy.replica.SessionKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A large change on its way: a few parts are under way at a time, and the last follows when all others are acknowledged. A
 * part that a member did not take counts, too: who lacks one when the last comes pulls the session.
 *
 * <p>Threads: the outbox's; acknowledgements come on any.
 */
final class Transfer {

    /** Bytes of a change in one part; the rest of the frame is the part's own. */
    static final int PART_BYTES = Outbox.MAX_FRAME_BYTES - 64;

    /** Parts that are not acknowledged yet, at most. */
    private static final int WINDOW = 2;

    private final DeltaSender sending;
    private final WaitingChange change;
    private final byte[] frame;
    private final int parts;
    private final long number;
    private final Runnable acknowledgement;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private int sent;

    /** @param acknowledgement is run when {@link #advance} is worth a call; where it fails the call comes by itself */
    Transfer(DeltaSender sending, WaitingChange change, byte[] frame, Runnable acknowledgement) {
        this.sending = sending;
        this.change = change;
        this.frame = frame;
        this.parts = (frame.length - 1) / PART_BYTES;
        this.number = sending.transferNumber();
        this.acknowledgement = acknowledgement;
    }

    /**
     * Sends the parts that may go now, but for the last.
     *
     * @param before is run before one goes: a part has a message of its own
     * @return whether all are acknowledged
     */
    boolean advance(Runnable before) {
        while (sent < parts && sent - acknowledged.get() < WINDOW) {
            before.run();
            CompletableFuture<AckResult> unused = sending.part(
                            change.application(), number, sent, frame, sent * PART_BYTES, PART_BYTES)
                    .whenComplete((held, failure) -> {
                        acknowledged.incrementAndGet();
                        acknowledgement.run();
                    });
            sent++;
        }
        return acknowledged.get() == parts;
    }

    /** Bytes of the last part. */
    int rest() {
        return frame.length - parts * PART_BYTES;
    }

    /** Takes in the last part, in the order of its session. */
    void end(SessionKey key) {
        sending.lastPart(change, key, number, parts, frame, parts * PART_BYTES);
    }
}
