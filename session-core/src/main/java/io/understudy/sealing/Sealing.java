package io.understudy.sealing;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * What one start of a node seals and opens. The format is that of {@link Seal}.
 *
 * <p>A frame that opens was made by somebody who knows a secret, at some time. A handshake shows that the frame is of
 * now, and did not come before. A node that meets a salt for the first time drops the frame, and answers with a
 * challenge that it draws for that salt. The salt's owner returns the challenge in a handshake of its own, and sends a
 * challenge in turn if it does not know the other salt. From that answer's number on frames are taken, each once for
 * each {@link FramePath}. So frames that were captured before, from any run, open and are not taken.
 *
 * <p>The seal shows that the sender is a member, not which one: members trust each other. It hides neither the length
 * of frames nor their sender and receiver.
 *
 * <p>Bounds: 1,024 proven salts with at most three windows of 8 KB, 64 unproven ones; a frame is opened once, and
 * nothing is kept of it. A frame of {@link #OVERHEAD} bytes or more takes a key derivation and an attempt to open it,
 * also from a stranger.
 *
 * <p>Threads: any.
 */
public final class Sealing {

    /** Bytes that a sealed frame is longer than what is in it. */
    public static final int OVERHEAD = Seal.HEADER + Seal.TAG;

    private static final int PREFIX = 4;
    private static final int MAX_PROVEN = 1024;
    private static final int MAX_UNPROVEN = 64;

    /** Gets what is read. */
    public interface Reader {
        /** What a member sent, now, and for the first time. The array is the reader's. */
        void message(byte[] text);

        /**
         * A frame that has to go to whom this one came from.
         *
         * @param text what was in the frame that this one challenges; {@code null} if it was no message
         * @param answered whether it was asked by a member that has dropped what this one sent before
         */
        void reply(byte[] frame, byte @Nullable [] text, boolean answered);

        /** Nothing more is done with it. */
        void refused(Refusal why);

        /** Somebody says, and it may be anybody, that frames of this node do not open there. */
        void refusedThere();
    }

    private final List<ClusterKey> accepted;
    private final Seal seal;
    private final PeerSalts senders = new PeerSalts(MAX_PROVEN, MAX_UNPROVEN);
    private final SecureRandom random = new SecureRandom();

    /** @param accepted the first is the one that frames are sealed with */
    Sealing(List<ClusterKey> accepted, long framesPerSalt) {
        this.accepted = accepted;
        this.seal = new Seal(accepted.get(0), framesPerSalt);
    }

    /**
     * Takes some tenths of a second.
     *
     * @param secret that frames are sealed with
     * @param alsoAccepted that they are opened with besides; empty for none
     */
    public static Sealing of(String cluster, String secret, String alsoAccepted) {
        return new Sealing(
                Stream.of(secret, alsoAccepted)
                        .filter(each -> !each.isEmpty())
                        .distinct()
                        .map(each -> ClusterKey.of(each, cluster))
                        .toList(),
                Seal.MAX_FRAMES);
    }

    /** Whether these bytes are a frame of a node that has a secret, as far as their beginning shows. */
    public static boolean isSealed(byte[] bytes, int offset, int length) {
        return length >= PREFIX && ByteBuffer.wrap(bytes).getShort(offset) == Seal.MAGIC;
    }

    /** The answer to a sender whose frames do not open here; it is not sealed. */
    public static byte[] refusal() {
        return ByteBuffer.allocate(PREFIX)
                .putShort(Seal.MAGIC)
                .put(Seal.VERSION)
                .put(Seal.REFUSAL)
                .array();
    }

    /** Seals a message of this kind into a frame; each call seals anew. */
    public byte[] seal(MessageKind kind, byte[] text, int offset, int length) {
        return seal.seal(kind.code(), text, offset, length);
    }

    /**
     * Reads a frame, or whatever came instead of one.
     *
     * @param expected the kind that the receiving protocol reads; messages of another kind are refused
     * @param bytes not changed, and not kept
     */
    public void read(MessageKind expected, FramePath way, byte[] bytes, int offset, int length, Reader reader) {
        if (!isSealed(bytes, offset, length)) {
            reader.refused(Refusal.UNSEALED);
            return;
        }
        ByteBuffer header = ByteBuffer.wrap(bytes, offset + Short.BYTES, length - Short.BYTES);
        byte version = header.get();
        byte kind = header.get();
        if (kind == Seal.REFUSAL && length == PREFIX) {
            reader.refusedThere();
        } else if (version != Seal.VERSION || !(MessageKind.isCode(kind) || kind == Seal.HANDSHAKE)) {
            reader.refused(Refusal.VERSION);
        } else if (length < OVERHEAD) {
            reader.refused(Refusal.LENGTH);
        } else {
            int hint = header.getInt();
            Salt salt = Salt.read(header);
            long number = header.getLong();
            if (!salt.equals(seal.salt())) { // What this node sends to a group comes back to it.
                open(expected, way, kind, hint, salt, number, bytes, offset, length, reader);
            }
        }
    }

    private void open(
            MessageKind expected,
            FramePath way,
            byte kind,
            int hint,
            Salt salt,
            long number,
            byte[] bytes,
            int offset,
            int length,
            Reader reader) {
        PeerSalt sender = senders.get(salt);
        SecretKey key = sender == null ? key(hint, salt) : sender.key();
        if (key == null) {
            reader.refused(Refusal.SECRET);
            return;
        }
        byte[] text = number < 0 ? null : seal.open(key, number, bytes, offset, length);
        if (text == null) {
            reader.refused(Refusal.ALTERED);
            return;
        }
        if (kind != Seal.HANDSHAKE && kind != expected.code()) {
            reader.refused(Refusal.MISDIRECTED);
            return;
        }
        PeerSalt known = sender != null ? sender : senders.remember(salt, new PeerSalt(key, Salt.draw(random)));
        if (kind == Seal.HANDSHAKE) {
            handshake(way, known, salt, number, text, reader);
        } else {
            message(way, known, salt, number, text, reader);
        }
    }

    private void message(FramePath way, PeerSalt sender, Salt salt, long number, byte[] text, Reader reader) {
        Refusal refusal = sender.accept(way, number);
        if (refusal == null) {
            reader.message(text);
            return;
        }
        reader.refused(refusal);
        Salt challenge = sender.challenge(System.nanoTime());
        if (challenge != null) {
            reader.reply(handshake(null, salt, challenge), text, false);
        }
    }

    private void handshake(FramePath way, PeerSalt sender, Salt salt, long number, byte[] text, Reader reader) {
        Handshake said = Handshake.read(text);
        if (said == null) {
            reader.refused(Refusal.LENGTH);
            return;
        }
        if (said.answer() != null && sender.prove(said.answer(), number)) {
            senders.settle();
        }
        Refusal refusal = sender.accept(way, number);
        if (refusal == Refusal.REPLAYED || refusal == Refusal.LATE) {
            reader.refused(refusal);
            return;
        }
        Salt answer = seal.salt().equals(said.asked()) ? said.challenge() : null;
        Salt challenge = sender.challenge(System.nanoTime());
        if (answer != null || challenge != null) {
            reader.reply(handshake(answer, challenge == null ? null : salt, challenge), null, answer != null);
        }
    }

    private byte[] handshake(@Nullable Salt answer, @Nullable Salt asked, @Nullable Salt challenge) {
        byte[] text = new Handshake(answer, asked, challenge).write();
        return seal.seal(Seal.HANDSHAKE, text, 0, text.length);
    }

    private @Nullable SecretKey key(int hint, Salt salt) {
        for (ClusterKey each : accepted) {
            if (each.hint() == hint) {
                return each.of(salt);
            }
        }
        return null;
    }

    /** Without any key: it may come into a log. */
    @Override
    public String toString() {
        return "Sealing[" + accepted.size() + " secrets, " + senders.size() + " senders]";
    }
}
