package io.understudy.sealing;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens frames by AES-256-GCM (NIST SP 800-38D).
 *
 * <pre>
 * frame     = header text(n) tag(16)       ; the tag is over the header, too
 * header    = F5EA(2) version(1) kind(1) hint(4) salt(16) number(8)
 * kind      = 1 message of the transport | 2 handshake | 4 of discovery | 5 of failure detection
 *           | 6 of multicast beside TCP
 * refusal   = F5EA(2) version(1) 3(1)      ; not sealed: a hint for a log, which nothing else follows from
 * </pre>
 *
 * <p>The key is that of the salt ({@link ClusterKey}), the nonce is the number, so none is used twice: a start draws a salt of its own, numbers go up by
 * one, and before {@link #MAX_FRAMES} of them, the bound of section 8.3, a new salt is drawn. Nothing has to be stored. {@code F5EA} begins no message of JGroups, which begin with its version.
 *
 * <p>Threads: any; ciphers are kept for each.
 */
final class Seal {

    static final short MAGIC = (short) 0xF5EA;
    static final byte VERSION = 1;
    static final byte HANDSHAKE = 2;
    static final byte REFUSAL = 3;
    static final int HEADER = 2 + 1 + 1 + Integer.BYTES + Salt.BYTES + Long.BYTES;
    static final int TAG = 16;
    static final long MAX_FRAMES = 1L << 32;
    private static final int NONCE = 12;

    /** One salt of this sender. */
    private record Own(Salt salt, SecretKey key, AtomicLong next) {}

    private final ClusterKey cluster;
    private final long maxFrames;
    private final SecureRandom random = new SecureRandom();
    private final ThreadLocal<Cipher> ciphers = ThreadLocal.withInitial(Seal::cipher);
    private volatile Own own;

    Seal(ClusterKey cluster, long maxFrames) {
        this.cluster = cluster;
        this.maxFrames = maxFrames;
        this.own = draw();
    }

    private Own draw() {
        Salt salt = Salt.draw(random);
        return new Own(salt, cluster.of(salt), new AtomicLong());
    }

    private static Cipher cipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES/GCM", e);
        }
    }

    /** The salt of what is sealed now. */
    Salt salt() {
        return own.salt();
    }

    byte[] seal(byte kind, byte[] text, int offset, int length) {
        Own sealing = own;
        long number = sealing.next().getAndIncrement();
        while (number >= maxFrames) {
            sealing = after(sealing);
            number = sealing.next().getAndIncrement();
        }
        byte[] frame = new byte[HEADER + length + TAG];
        ByteBuffer header = ByteBuffer.wrap(frame);
        header.putShort(MAGIC).put(VERSION).put(kind).putInt(cluster.hint());
        sealing.salt().write(header);
        header.putLong(number);
        try {
            Cipher cipher = ciphers.get();
            cipher.init(Cipher.ENCRYPT_MODE, sealing.key(), nonce(number));
            cipher.updateAAD(frame, 0, HEADER);
            cipher.doFinal(text, offset, length, frame, HEADER);
            return frame;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a frame of " + length + " bytes can't be sealed", e);
        }
    }

    private synchronized Own after(Own used) {
        if (own.salt().equals(used.salt())) {
            own = draw();
        }
        return own;
    }

    /** The text of a frame; {@code null} if it is not as it was sealed with this key. */
    byte @Nullable [] open(SecretKey key, long number, byte[] frame, int offset, int length) {
        try {
            Cipher cipher = ciphers.get();
            cipher.init(Cipher.DECRYPT_MODE, key, nonce(number));
            cipher.updateAAD(frame, offset, HEADER);
            return cipher.doFinal(frame, offset + HEADER, length - HEADER);
        } catch (AEADBadTagException e) {
            return null;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a frame of " + length + " bytes can't be opened", e);
        }
    }

    private static GCMParameterSpec nonce(long number) {
        return new GCMParameterSpec(
                TAG * Byte.SIZE,
                ByteBuffer.allocate(NONCE).putInt(0).putLong(number).array());
    }
}
