package io.understudy.replica;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a session held at a moment, for the question whether a replica of it holds as much: the times of its last writes, by
 * field. Unlike a vector of the writers' clocks it can be asked of any replica, whatever way the writes came to it.
 *
 * @param over the session, if it was over
 * @param writes the times of stamps, by the fields' numbers; {@link #MAX_FIELDS} of those written last
 */
public record SessionVersion(@Nullable SessionKey over, SortedMap<Integer, Long> writes) {

    /** How many fields a version has at most. */
    public static final int MAX_FIELDS = 16;

    private static final byte WRITES = 1;
    private static final byte OVER = 2;
    private static final int WRITE_BYTES = Integer.BYTES + Long.BYTES;

    /**
     * The version of a session that was held whole here.
     *
     * @param replica with its attributes; {@code null} if it is over
     */
    public static SessionVersion of(SessionKey key, @Nullable SessionReplica replica) {
        if (replica == null || !replica.live()) {
            return new SessionVersion(key, new TreeMap<>());
        }
        return new SessionVersion(
                null,
                writes(replica).entrySet().stream()
                        .sorted(Entry.<Integer, Long>comparingByValue()
                                .reversed()
                                .thenComparing(Entry.comparingByKey()))
                        .limit(MAX_FIELDS)
                        .collect(Collectors.toMap(Entry::getKey, Entry::getValue, Math::max, TreeMap::new)));
    }

    /**
     * Whether who saw this version finds nothing older.
     *
     * @param replica of the session that has the id now, with its attributes; {@code null} if none has
     */
    public boolean heldBy(@Nullable SessionReplica replica) {
        if (replica == null || !replica.live()) {
            return over != null;
        }
        Map<Integer, Long> held = writes(replica);
        Stamp floor = Removals.floor(replica.table()); // What was written until then is here, or was removed.
        long known = floor == null ? -1 : floor.time();
        return !replica.key().equals(over)
                && writes.entrySet().stream()
                        .allMatch(write -> held.getOrDefault(write.getKey(), known) >= write.getValue());
    }

    /**
     * The time of the last write, or removal, of each field that requests write, by a number of it: 1 is the id, 2 the idle
     * time, and of attributes the lower half of the hash of their name; of two with one number the later time.
     */
    private static Map<Integer, Long> writes(SessionReplica replica) {
        Map<Integer, Long> writes = new HashMap<>();
        Stamp id = replica.idStamp();
        if (id != null) {
            writes.put(1, id.time());
        }
        Stamp maxInactive = replica.maxInactiveStamp();
        if (maxInactive != null) {
            writes.put(2, maxInactive.time());
        }
        replica.table()
                .forEach((name, value) ->
                        writes.merge((int) FieldHashes.name(name), value.stamp().time(), Math::max));
        return writes;
    }

    public byte[] encoded() {
        if (over != null) {
            return ByteBuffer.allocate(1 + Long.BYTES)
                    .put(OVER)
                    .putLong(over.value())
                    .array();
        }
        ByteBuffer bytes = ByteBuffer.allocate(1 + writes.size() * WRITE_BYTES).put(WRITES);
        writes.forEach((field, time) -> bytes.putInt(field).putLong(time));
        return bytes.array();
    }

    /** What {@link #encoded} gave; {@code null} if these bytes are something else. */
    public static @Nullable SessionVersion decoded(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded);
        byte kind = bytes.hasRemaining() ? bytes.get() : 0;
        int rest = bytes.remaining();
        SortedMap<Integer, Long> writes = new TreeMap<>();
        if (kind == OVER && rest == Long.BYTES) {
            return new SessionVersion(new SessionKey(bytes.getLong()), writes);
        }
        if (kind != WRITES || rest % WRITE_BYTES != 0 || rest > MAX_FIELDS * WRITE_BYTES) {
            return null;
        }
        while (bytes.hasRemaining()) {
            writes.put(bytes.getInt(), bytes.getLong());
        }
        return new SessionVersion(null, writes);
    }
}
