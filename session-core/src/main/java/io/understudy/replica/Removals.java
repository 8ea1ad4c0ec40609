package io.understudy.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many removed attributes a session remembers. Applications make up names: one for each conversation, upload or
 * login, set and removed again. So above {@link #MOST} removals the oldest are given up for one stamp, the
 * <em>floor</em>: what is written at it or below is gone, wherever it comes from. What has a value, and would be gone, is
 * written anew just above the floor, with the change that raises it.
 *
 * <p>The floor is the stamp of an attribute with a name of its own, so it is merged, compared, sent and kept as a removal.
 * The join stays a semilattice: per name the higher stamp, of all floors the highest, and of the rest what is above it.
 *
 * <p>A write is stamped above every removal that its node knows, so what is below the floor was written by a node that
 * did not know the last {@link #KEPT} removals.
 */
final class Removals {

    /** The attribute whose stamp is the floor. Among the container's, so that no application sees it. */
    static final String FLOOR = SessionReplica.CONTAINER + "floor";

    /** Removals remembered one by one, at most; with the next change after that the oldest are given up. */
    static final int MOST = 512;

    /** Of these, how many are kept then. */
    static final int KEPT = 256;

    private Removals() {}

    /** The floor of these attributes, if they have one. */
    static @Nullable Stamp floor(Map<String, StampedBytes> attributes) {
        StampedBytes floor = attributes.get(FLOOR);
        return floor == null ? null : floor.stamp();
    }

    /** Whether an attribute is gone that was written at this stamp. */
    static boolean gone(String name, Stamp stamp, @Nullable Stamp floor) {
        return floor != null && stamp.compareTo(floor) <= 0 && !name.equals(FLOOR);
    }

    /** How many attributes with a value go as others bring a floor, which say nothing of them. */
    static int ended(Map<String, StampedBytes> attributes, Map<String, StampedBytes> others) {
        Stamp floor = floor(others);
        if (floor == null) {
            return 0;
        }
        int ended = 0;
        for (Map.Entry<String, StampedBytes> attribute : attributes.entrySet()) {
            StampedBytes value = attribute.getValue();
            boolean goes = value.bytes() != null && gone(attribute.getKey(), value.stamp(), floor);
            ended += goes && !others.containsKey(attribute.getKey()) ? 1 : 0;
        }
        return ended;
    }

    /** The same attributes without a floor, for another session. */
    static Map<String, StampedBytes> withoutFloor(Map<String, StampedBytes> attributes) {
        if (!attributes.containsKey(FLOOR)) {
            return attributes;
        }
        Map<String, StampedBytes> others = new HashMap<>(attributes);
        others.remove(FLOOR);
        return Map.copyOf(others);
    }

    /**
     * What a change has to write to give up the oldest removals; nothing if there are not too many, and their names take no
     * more than so many bytes.
     */
    static Map<String, StampedBytes> folded(AttributeTable attributes, int mostBytes) {
        return attributes.removals() <= MOST && attributes.removalBytes() <= mostBytes
                ? Map.of()
                : folded((Map<String, StampedBytes>) attributes, mostBytes);
    }

    private static Map<String, StampedBytes> folded(Map<String, StampedBytes> attributes, int mostBytes) {
        int count = 0;
        int bytes = 0;
        for (Map.Entry<String, StampedBytes> attribute : attributes.entrySet()) {
            if (attribute.getValue().bytes() == null && !attribute.getKey().equals(FLOOR)) {
                count++;
                bytes += SessionReplica.nameBytes(attribute.getKey());
            }
        }
        return bytes > mostBytes ? folded(attributes, 0, Math.min(KEPT, count / 2)) : folded(attributes, MOST, KEPT);
    }

    /** The bytes of the names of removals that a change with these gives up. */
    static int freed(Map<String, StampedBytes> attributes, Map<String, StampedBytes> folded) {
        Stamp floor = floor(folded);
        return attributes.entrySet().stream()
                .filter(attribute -> attribute.getValue().bytes() == null
                        && gone(attribute.getKey(), attribute.getValue().stamp(), floor))
                .mapToInt(attribute -> SessionReplica.nameBytes(attribute.getKey()))
                .sum();
    }

    static Map<String, StampedBytes> folded(Map<String, StampedBytes> attributes, int most, int kept) {
        List<Stamp> removed = new ArrayList<>();
        attributes.forEach((name, value) -> {
            if (value.bytes() == null && !name.equals(FLOOR)) {
                removed.add(value.stamp());
            }
        });
        if (removed.size() <= most) {
            return Map.of();
        }
        removed.sort(null);
        Stamp floor = removed.get(removed.size() - kept - 1);
        if (floor.time() == Stamp.MAX_TIME) {
            return Map.of(); // Nothing can be written above it.
        }
        Map<String, StampedBytes> folded = new HashMap<>();
        folded.put(FLOOR, StampedBytes.tombstone(floor));
        attributes.forEach((name, value) -> {
            byte[] bytes = value.bytes();
            if (bytes != null && gone(name, value.stamp(), floor)) {
                folded.put(name, StampedBytes.of(floor.next(), bytes)); // Below all that others write meanwhile.
            }
        });
        return folded;
    }
}
