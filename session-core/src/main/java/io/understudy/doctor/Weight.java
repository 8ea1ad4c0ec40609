package io.understudy.doctor;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.NotReplicableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which parts of a large attribute are large: each is encoded by itself.
 *
 * <p>Threads: one.
 */
final class Weight {

    /** Parts that are encoded; what else there is goes unweighed. */
    private static final int MAX_PARTS = 2000;

    /** How many are named. */
    private static final int NAMED = 3;

    private record Weighed(GraphNode part, int bytes) {

        @Override
        public String toString() {
            return part.path() + " " + bytes;
        }
    }

    private final AttributeCodec codec;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private int left = MAX_PARTS;

    private Weight(AttributeCodec codec) {
        this.codec = codec;
    }

    /** The heaviest parts, as text: from the attribute on the walk follows what has more than half of it. */
    static String of(GraphNode attribute, int bytes, AttributeCodec codec) {
        return new Weight(codec).heaviest(new Weighed(attribute, bytes));
    }

    private String heaviest(Weighed whole) {
        List<Weighed> parts = parts(whole.part());
        if (!parts.isEmpty() && parts.get(0).bytes() > whole.bytes() / 2) {
            Weighed most = parts.get(0);
            String within = heaviest(most);
            return most + (within.isEmpty() ? "" : ", " + within);
        }
        return parts.stream().limit(NAMED).map(Weighed::toString).collect(Collectors.joining(", "));
    }

    private List<Weighed> parts(GraphNode whole) {
        List<Weighed> weighed = new ArrayList<>();
        for (GraphNode part : ObjectGraph.parts(whole)) {
            if (!seen.add(part.value())) {
                continue;
            }
            if (left-- <= 0) {
                break;
            }
            try {
                weighed.add(new Weighed(part, codec.encode(part.value(), Examination.MAX_BYTES).length));
            } catch (NotReplicableException e) {
                // Not by itself: its class may rely on the one around it.
            }
        }
        weighed.sort(Comparator.comparingInt(Weighed::bytes).reversed());
        return weighed;
    }
}
