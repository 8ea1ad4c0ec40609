package io.understudy.cluster.membership;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The number an application goes by on the wire: the first 64 bits of the SHA-256 of its name. */
public final class ApplicationNumber {

    private ApplicationNumber() {}

    public static long of(String application) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(application.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
