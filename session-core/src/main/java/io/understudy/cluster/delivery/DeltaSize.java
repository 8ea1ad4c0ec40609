package io.understudy.cluster.delivery;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.StampedBytes;
import java.util.Map;

/** How much room a delta takes. */
public final class DeltaSize {

    /** Bytes a delta takes beside its attributes' values, at most; names and stamps of ordinary sessions fit. */
    private static final int OVERHEAD_PER_ATTRIBUTE = 64;

    private DeltaSize() {}

    /** Roughly how many bytes a delta takes on the wire. */
    public static int bytes(SessionDelta delta) {
        Map.Entry<String, StampedBytes> lone = delta.lone();
        if (lone != null) {
            return bytes(lone.getKey(), lone.getValue());
        }
        int bytes = 0;
        for (Map.Entry<String, StampedBytes> attribute : delta.attributes().entrySet()) {
            bytes += bytes(attribute.getKey(), attribute.getValue());
        }
        return bytes;
    }

    private static int bytes(String name, StampedBytes value) {
        byte[] bytes = value.bytes();
        return OVERHEAD_PER_ATTRIBUTE + name.length() + (bytes == null ? 0 : bytes.length);
    }
}
