package io.understudy.sealing;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** 128 random bits, drawn by each start of a sender: frames of one salt are sealed with one key. */
record Salt(long high, long low) {

    static final int BYTES = 2 * Long.BYTES;

    static Salt draw(SecureRandom random) {
        return new Salt(random.nextLong(), random.nextLong());
    }

    static Salt read(ByteBuffer from) {
        return new Salt(from.getLong(), from.getLong());
    }

    void write(ByteBuffer to) {
        to.putLong(high).putLong(low);
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }
}
