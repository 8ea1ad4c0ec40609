package io.understudy.network.seal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.sealing.FramePath;
import io.understudy.sealing.MessageKind;
import io.understudy.sealing.Refusal;
import io.understudy.sealing.Sealing;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a protocol's bytes leave for the network, and come in from it: sealed, if the node has a secret. What comes in
 * is handed on only if it was sealed by a member, now and for the first time; without a secret, unless it is sealed.
 *
 * <p>A member that does not know this node yet drops what it sends first, and requests its salt. So what was sent just
 * before is sent again with the answer: it would otherwise be missed until a timer of JGroups', which are of some
 * tenths of a second, sends it again.
 *
 * <p>Threads: any.
 */
public final class SealFilter {

    /** Longest frame, in bytes: above what a bundler or FRAG4 makes, and the most that is allocated for what a sender declares. */
    static final int MAX_FRAME = 1 << 17;

    /** By which a member with TLS answers who talks none (RFC 8446, section 5.1): taken for a length it is too long. */
    private static final int TLS_ALERT = 0x1503;

    /** How long a node may still be new to the others, and how old what is sent again may be. */
    private static final long YOUNG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What is sent again is discovery and requests to join: small, and few. */
    private static final int MAX_RECENT = 16;

    private static final int MAX_RECENT_BYTES = 2048;

    /** To the network. */
    @FunctionalInterface
    public interface Outbound {
        void send(byte[] bytes, int offset, int length) throws Exception;
    }

    /** What a protocol does with what came in. */
    public interface Inbound {
        /** A member's message. The array may be used only until this returns. */
        void deliver(Address from, byte[] text, int offset, int length);

        /**
         * Sends this frame to whom the one came from that is just read.
         *
         * @param text what was in that; {@code null} if it was no message
         */
        void answer(Address from, byte[] frame, byte @Nullable [] text) throws Exception;
    }

    private static final class Sent {

        private final byte[] text;
        private final @Nullable Address to;
        private final long nanos;

        Sent(byte[] text, @Nullable Address to, long nanos) {
            this.text = text;
            this.to = to;
            this.nanos = nanos;
        }
    }

    private final @Nullable Sealing sealing;
    private final MessageKind kind;
    private final RejectedFrames refusals;
    private final Runnable challenged;
    private final boolean alwaysNew;
    private final long began = System.nanoTime();

    @GuardedBy("recent")
    private final Deque<Sent> recent = new ArrayDeque<>();

    /**
     * @param challenged is run when somebody asked who this node is, after it was answered
     * @param alwaysNew whether all that is sent may be the first that its receiver gets from this node
     */
    SealFilter(
            @Nullable Sealing sealing,
            MessageKind kind,
            RejectedFrames refusals,
            Runnable challenged,
            boolean alwaysNew) {
        this.sealing = sealing;
        this.kind = kind;
        this.refusals = refusals;
        this.challenged = challenged;
        this.alwaysNew = alwaysNew;
    }

    /** Whether frames are sealed. */
    public boolean sealed() {
        return sealing != null;
    }

    /**
     * The only way out: one frame, however many it goes to.
     *
     * @param to {@code null} for all
     */
    public void send(byte[] text, int offset, int length, @Nullable Address to, Outbound outbound) throws Exception {
        if (sealing == null) {
            outbound.send(text, offset, length);
            return;
        }
        long now = System.nanoTime();
        if (length <= MAX_RECENT_BYTES && (alwaysNew || now - began < YOUNG_NANOS)) {
            synchronized (recent) {
                if (recent.size() == MAX_RECENT) {
                    recent.removeFirst();
                }
                recent.add(new Sent(Arrays.copyOfRange(text, offset, offset + length), to, now));
            }
        }
        byte[] frame = sealing.seal(kind, text, offset, length);
        outbound.send(frame, 0, frame.length);
    }

    /** The only way in. */
    public void receive(FramePath way, Address from, byte[] bytes, int offset, int length, Inbound inbound) {
        if (sealing != null) {
            sealing.read(kind, way, bytes, offset, length, new Arrival(sealing, from, inbound));
        } else if (Sealing.isSealed(bytes, offset, length)) {
            refusals.sealed(from);
        } else {
            inbound.deliver(from, bytes, offset, length);
        }
    }

    /** Whether that many bytes may be read for a frame; counted if not. */
    public boolean admits(Address from, int length) {
        boolean admitted = length > 0 && length <= MAX_FRAME;
        if (!admitted && length >>> 16 == TLS_ALERT) {
            refusals.tls(from);
        } else if (!admitted) {
            refusals.refused(Refusal.LENGTH, from);
        }
        return admitted;
    }

    /** Who is meant by a logical address sees to that itself. */
    private List<Sent> recent(Address to) {
        long now = System.nanoTime();
        synchronized (recent) {
            recent.removeIf(sent -> now - sent.nanos > RECENT_NANOS);
            return recent.stream()
                    .filter(sent -> !(sent.to instanceof PhysicalAddress) || sent.to.equals(to))
                    .toList();
        }
    }

    /** One frame that came in. */
    private final class Arrival implements Sealing.Reader {

        private final Sealing sealing;
        private final Address from;
        private final Inbound inbound;

        Arrival(Sealing sealing, Address from, Inbound inbound) {
            this.sealing = sealing;
            this.from = from;
            this.inbound = inbound;
        }

        @Override
        public void message(byte[] text) {
            inbound.deliver(from, text, 0, text.length);
        }

        @Override
        public void reply(byte[] frame, byte @Nullable [] text, boolean answered) {
            send(frame, text);
            if (answered) {
                recent(from).forEach(sent -> send(sealing.seal(kind, sent.text, 0, sent.text.length), null));
                challenged.run();
            }
        }

        private void send(byte[] frame, byte @Nullable [] text) {
            try {
                inbound.answer(from, frame, text);
            } catch (Exception e) {
                refusals.unanswered(from, e);
            }
        }

        @Override
        public void refused(Refusal why) {
            refusals.refused(why, from);
            if ((why == Refusal.UNSEALED || why == Refusal.SECRET) && refusals.tell(from)) {
                send(Sealing.refusal(), null);
            }
        }

        @Override
        public void refusedThere() {
            refusals.refusedThere(from);
        }
    }
}
