package io.understudy.cluster;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.StampedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts a delta into parts of bounded size. The part that makes a session known comes last, so that no member shows half a
 * session.
 */
final class DeltaParts {

    /** Bytes a delta takes beside its attributes' values, at most; names and stamps of ordinary sessions fit. */
    private static final int OVERHEAD_PER_ATTRIBUTE = 64;

    private DeltaParts() {}

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

    /** The parts, each with attributes of at most {@code maxBytes}, or a single larger attribute. */
    static List<SessionDelta> of(SessionDelta delta, int maxBytes) {
        if (bytes(delta) <= maxBytes) {
            return List.of(delta);
        }
        List<SessionDelta> parts = new ArrayList<>();
        Map<String, StampedBytes> part = new HashMap<>();
        int size = 0;
        for (Map.Entry<String, StampedBytes> attribute : delta.attributes().entrySet()) {
            int bytes = bytes(attribute.getKey(), attribute.getValue());
            if (!part.isEmpty() && size + bytes > maxBytes) {
                parts.add(new SessionDelta(delta.key(), false, null, null, null, Map.copyOf(part), null));
                part.clear();
                size = 0;
            }
            part.put(attribute.getKey(), attribute.getValue());
            size += bytes;
        }
        parts.add(new SessionDelta(
                delta.key(),
                delta.complete(),
                delta.id(),
                delta.maxInactiveSeconds(),
                delta.lastUse(),
                Map.copyOf(part),
                delta.ending(),
                delta.created(),
                delta.renames()));
        return parts;
    }
}
