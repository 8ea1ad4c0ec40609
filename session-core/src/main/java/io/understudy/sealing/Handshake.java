package io.understudy.sealing;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The text of a handshake: an answer to the receiver's challenge, a challenge of the receiver's salt, or both.
 *
 * <pre>
 * handshake = parts(1) [answer(16)] [salt(16) challenge(16)]
 * parts     = 1 answer | 2 challenge
 * </pre>
 *
 * @param answer the challenge that the receiver drew
 * @param asked the receiver's salt
 * @param challenge 128 random bits of this sender
 */
record Handshake(
        @Nullable Salt answer,
        @Nullable Salt asked,
        @Nullable Salt challenge) {

    private static final int ANSWER = 1;
    private static final int CHALLENGE = 2;

    byte[] write() {
        int parts = (answer == null ? 0 : ANSWER) + (challenge == null ? 0 : CHALLENGE);
        ByteBuffer text = ByteBuffer.allocate(length(parts)).put((byte) parts);
        if (answer != null) {
            answer.write(text);
        }
        if (asked != null && challenge != null) {
            asked.write(text);
            challenge.write(text);
        }
        return text.array();
    }

    /** {@code null} if it is malformed. */
    static @Nullable Handshake read(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] < 0 || bytes[0] > (ANSWER | CHALLENGE) || bytes.length != length(bytes[0])) {
            return null;
        }
        ByteBuffer text = ByteBuffer.wrap(bytes);
        int parts = text.get();
        Salt answer = (parts & ANSWER) == 0 ? null : Salt.read(text);
        if ((parts & CHALLENGE) == 0) {
            return new Handshake(answer, null, null);
        }
        return new Handshake(answer, Salt.read(text), Salt.read(text));
    }

    private static int length(int parts) {
        return 1 + ((parts & ANSWER) == 0 ? 0 : Salt.BYTES) + ((parts & CHALLENGE) == 0 ? 0 : 2 * Salt.BYTES);
    }
}
