package io.understudy.cluster;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.StampedBytes;

/** How much room a delta takes. */
final class DeltaSize {

    /** Bytes a delta takes beside its attributes' values, at most; names and stamps of ordinary sessions fit. */
    private static final int OVERHEAD_PER_ATTRIBUTE = 64;

    private DeltaSize() {}

    /** Roughly how many bytes a delta takes on the wire. */
    static int bytes(SessionDelta delta) {
        return delta.attributes().entrySet().stream()
                .mapToInt(attribute -> bytes(attribute.getKey(), attribute.getValue()))
                .sum();
    }

    private static int bytes(String name, StampedBytes value) {
        byte[] bytes = value.bytes();
        return OVERHEAD_PER_ATTRIBUTE + name.length() + (bytes == null ? 0 : bytes.length);
    }
}
