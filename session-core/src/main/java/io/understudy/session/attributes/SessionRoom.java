package io.understudy.session.attributes;

import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the names and values of one session take together, in bytes, with changes that are not merged yet; below {@code
 * maxSessionBytes}.
 *
 * <p>Threads: one.
 */
final class SessionRoom {

    private final SessionReplica replica;
    private final int limit;

    /** The first changed value, mostly the only one; {@code null} if there is none. */
    private @Nullable String first;

    private int firstSize;

    /** The sizes of changed values; 0 of a removed one. Empty as long as there is only the first. */
    private Map<String, Integer> changed = Map.of();

    private long bytes;

    /** @param folded the removals that the next change gives up */
    SessionRoom(SessionReplica replica, Map<String, StampedBytes> folded, int limit) {
        this.replica = replica;
        this.limit = limit;
        this.bytes = replica.attributeBytes() - replica.freed(folded);
    }

    /** The value of this attribute goes. */
    void remove(String name) {
        bytes -= Math.max(0, before(name));
        changed(name, 0);
    }

    private void changed(String name, int size) {
        if (first == null || (changed.isEmpty() && name.equals(first))) {
            first = name;
            firstSize = size;
            return;
        }
        changed = changed.isEmpty() ? new HashMap<>(Map.of(first, firstSize)) : changed;
        changed.put(name, size);
    }

    /** The attribute gets a value of this size, whether it fits or not. */
    void put(String name, int size) {
        put(name, size, with(name, size));
    }

    private void put(String name, int size, long with) {
        bytes = with;
        changed(name, size);
    }

    /**
     * The same if the session is not too large with it; a smaller value than the replicated one always fits.
     *
     * @param replicated what other nodes have of it, which may be newer than the replica
     * @return {@code null} if it fits; else why not, and nothing happens
     */
    @Nullable
    String objection(String name, int size, @Nullable StampedBytes replicated) {
        long with = with(name, size);
        if (with > limit && size > size(replicated)) {
            return "with its " + size + " bytes, and its name, the session would be above maxSessionBytes = " + limit;
        }
        put(name, size, with);
        return null;
    }

    private long with(String name, int size) {
        int before = before(name);
        return bytes - Math.max(0, before) + size + (before >= 0 ? 0 : SessionReplica.nameBytes(name));
    }

    /** The size that the value had; less than 0 if there was never one. */
    private int before(String name) {
        if (changed.isEmpty()) {
            return name.equals(first) ? firstSize : replica.valueBytes(name);
        }
        Integer size = changed.get(name);
        return size == null ? replica.valueBytes(name) : size;
    }

    private static int size(@Nullable StampedBytes attribute) {
        byte[] value = attribute == null ? null : attribute.bytes();
        return value == null ? 0 : value.length;
    }
}
