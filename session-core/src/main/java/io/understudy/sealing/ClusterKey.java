package io.understudy.sealing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What all keys of a cluster come from: its secret, stretched by PBKDF2 (RFC 8018) with the cluster's name as salt. That takes some tenths of a second,
 * once for each start of a node; a key for a {@link Salt} is then one HKDF.
 *
 * <p>Threads: any. The secret itself is not kept.
 */
final class ClusterKey {

    /**
     * As OWASP's Password Storage Cheat Sheet has it. It slows down who guesses secrets from captured frames; one that was made at random needs none of it.
     */
    private static final int ITERATIONS = 600_000;

    private static final int KEY_BYTES = 32;
    private static final byte[] SEALS = "understudy seal 1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HINT = "understudy hint 1".getBytes(StandardCharsets.US_ASCII);

    private final byte[] key;
    private final int hint;

    private ClusterKey(byte[] key) {
        this.key = key;
        this.hint = ByteBuffer.wrap(Hkdf.derive(key, new byte[0], HINT, Integer.BYTES))
                .getInt();
    }

    /** The key of this secret in this cluster. */
    static ClusterKey of(String secret, String cluster) {
        PBEKeySpec spec = new PBEKeySpec(
                secret.toCharArray(),
                ("understudy " + cluster).getBytes(StandardCharsets.UTF_8),
                ITERATIONS,
                KEY_BYTES * Byte.SIZE);
        try {
            return new ClusterKey(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has PBKDF2WithHmacSHA256", e);
        } finally {
            spec.clearPassword();
        }
    }

    /** By which a receiver knows frames of other secrets without trying: 32 bits, the same for everybody with this one. */
    int hint() {
        return hint;
    }

    /** The key of the frames of one start of one sender. */
    SecretKey of(Salt salt) {
        return new SecretKeySpec(Hkdf.derive(key, salt.bytes(), SEALS, KEY_BYTES), "AES");
    }

    /** Without the key: it may come into a log. */
    @Override
    public String toString() {
        return "ClusterKey";
    }
}
