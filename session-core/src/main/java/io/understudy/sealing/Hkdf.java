package io.understudy.sealing;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with SHA-256 (RFC 5869). Threads: any. */
final class Hkdf {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int HASH = 32;
    private static final int MAX_BLOCKS = 255;

    private Hkdf() {}

    /**
     * Key material out of a key.
     *
     * @param salt may be empty
     * @param length in bytes, at most 8,160
     */
    static byte[] derive(byte[] key, byte[] salt, byte[] info, int length) {
        return expand(hmac(salt.length == 0 ? new byte[HASH] : salt, key), info, length);
    }

    private static byte[] expand(byte[] pseudorandom, byte[] info, int length) {
        int blocks = (length + HASH - 1) / HASH;
        if (blocks > MAX_BLOCKS) {
            throw new IllegalArgumentException("expected at most " + MAX_BLOCKS * HASH + " bytes, got " + length);
        }
        byte[] output = new byte[blocks * HASH];
        byte[] previous = new byte[0];
        for (int block = 1; block <= blocks; block++) {
            byte[] input = Arrays.copyOf(previous, previous.length + info.length + 1);
            System.arraycopy(info, 0, input, previous.length, info.length);
            input[input.length - 1] = (byte) block;
            previous = hmac(pseudorandom, input);
            System.arraycopy(previous, 0, output, (block - 1) * HASH, HASH);
        }
        return Arrays.copyOf(output, length);
    }

    private static byte[] hmac(byte[] key, byte[] data) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
