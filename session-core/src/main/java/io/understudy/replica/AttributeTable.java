package io.understudy.replica;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes in two arrays, by name: 24 bytes of heap for each beside its name and its value. Names are shared by all
 * sessions.
 *
 * <p>Threads: any; immutable.
 */
final class AttributeTable extends AbstractMap<String, StampedBytes> {

    private static final @Nullable Object[] NO_CELLS = {};
    private static final long[] NO_STAMPS = {};

    /** Of heap, for each attribute beside its name and its value: the two arrays, and what holds the name. */
    private static final int ENTRY_BYTES = 64;

    /** No attributes. */
    static final AttributeTable NONE = new AttributeTable(NO_CELLS, NO_STAMPS, 0, 0);

    /** Name, then value ({@code null} once removed), in ascending order of names. */
    private final @Nullable Object[] cells;

    /** Time, then origin, of each. */
    private final long[] stamps;

    /** Counted along, as looking at each value would read all of a session's memory for each change. */
    private final long valueBytes;

    private final int nameBytes;

    /**
     * A table of the arrays of another one.
     *
     * @param valueBytes of all values, at most 2 GB
     * @param nameBytes what all attributes take beside their values
     */
    AttributeTable(@Nullable Object[] cells, long[] stamps, int valueBytes, int nameBytes) {
        this(cells, stamps, valueBytes == Integer.MAX_VALUE ? counted(cells) : valueBytes, nameBytes);
    }

    private AttributeTable(@Nullable Object[] cells, long[] stamps, long valueBytes, int nameBytes) {
        this.cells = cells;
        this.stamps = stamps;
        this.valueBytes = valueBytes;
        this.nameBytes = nameBytes;
    }

    private static long counted(@Nullable Object[] cells) {
        long bytes = 0;
        for (int at = 1; at < cells.length; at += 2) {
            bytes += length(cells[at]);
        }
        return bytes;
    }

    /**
     * Bytes of all values of {@code newCells}, which differ from others at one place.
     *
     * @param before of those; at 2 GB it is not known how many they are
     */
    static long valueBytes(int before, @Nullable Object[] cells, @Nullable Object[] newCells, int at) {
        return before == Integer.MAX_VALUE
                ? counted(newCells)
                : (long) before + length(newCells[2 * at + 1]) - length(cells[2 * at + 1]);
    }

    private static int length(@Nullable Object cell) {
        return cell instanceof byte[] value ? value.length : 0;
    }

    static AttributeTable of(Map<String, StampedBytes> attributes) {
        return attributes instanceof AttributeTable table ? table : NONE.join(attributes);
    }

    /** The arrays, which nobody may change. */
    @Nullable
    Object[] cells() {
        return cells;
    }

    long[] stamps() {
        return stamps;
    }

    /** Bytes of all values; at most 2 GB. */
    int valueBytes() {
        return (int) Math.min(Integer.MAX_VALUE, valueBytes);
    }

    /** Bytes of heap that all attributes take beside their values. */
    int nameBytes() {
        return nameBytes;
    }

    static int nameBytes(String name) {
        return ENTRY_BYTES + name.length();
    }

    /** The sum of what each attribute adds to the digest of the session. */
    long hash() {
        long hash = 0;
        for (int at = 0; at < size(); at++) {
            hash += hash(at, FieldHashes.name(name(at)));
        }
        return hash;
    }

    /** What one attribute adds to that. */
    long hash(String name, long hashOfName) {
        int at = search(cells, size(), name);
        return at < 0 ? 0 : hash(at, hashOfName);
    }

    private long hash(int at, long hashOfName) {
        return hash(cells, stamps, at, hashOfName);
    }

    static long hash(@Nullable Object[] cells, long[] stamps, int at, long hashOfName) {
        return FieldHashes.attribute(hashOfName, cells[2 * at + 1] == null, stamps[2 * at], stamps[2 * at + 1]);
    }

    /** How many attributes of a delta bear the stamp of another value in such arrays. */
    static int conflicts(@Nullable Object[] cells, long[] stamps, SessionDelta delta) {
        Entry<String, StampedBytes> lone = delta.lone();
        if (lone != null) {
            return conflicts(cells, stamps, lone) ? 1 : 0;
        }
        int conflicts = 0;
        for (Entry<String, StampedBytes> written : delta.attributes().entrySet()) {
            conflicts += conflicts(cells, stamps, written) ? 1 : 0;
        }
        return conflicts;
    }

    private static boolean conflicts(@Nullable Object[] cells, long[] stamps, Entry<String, StampedBytes> written) {
        int at = search(cells, cells.length / 2, written.getKey());
        return at >= 0
                && is(stamps, at, written.getValue().stamp())
                && !Arrays.equals((byte[]) cells[2 * at + 1], written.getValue().bytes());
    }

    /** How many removals are remembered one by one. */
    int removals() {
        int removals = 0;
        for (int at = 0; at < size(); at++) {
            removals += removed(at) ? 1 : 0;
        }
        return removals;
    }

    /** Bytes of heap that these take. */
    int removalBytes() {
        int bytes = 0;
        for (int at = 0; at < size(); at++) {
            bytes += removed(at) ? nameBytes(name(at)) : 0;
        }
        return bytes;
    }

    private boolean removed(int at) {
        return cells[2 * at + 1] == null && !name(at).equals(Removals.FLOOR);
    }

    /** The time of the last removal in such arrays, or of the floor; 0 if there is none. */
    static long lastRemoval(@Nullable Object[] cells, long[] stamps) {
        long last = 0;
        for (int at = 0; at < cells.length / 2; at++) {
            if (cells[2 * at + 1] == null) {
                last = Math.max(last, stamps[2 * at]);
            }
        }
        return last;
    }

    /**
     * All attributes of both, the later of those that both have, and without those at or below the {@linkplain Removals
     * floor}; this same table if {@code others} say nothing new.
     */
    AttributeTable join(Map<String, StampedBytes> others) {
        Stamp before = Removals.floor(this);
        Stamp floor = SessionDelta.later(before, Removals.floor(others));
        Building joined = new Building(others.size());
        others.entrySet().forEach(attribute -> joined.put(attribute, floor));
        AttributeTable table = joined.table();
        return floor == null || floor.equals(before) ? table : table.above(floor);
    }

    /** Only of two writes with one stamp the bytes are looked at. */
    static boolean later(@Nullable Object[] cells, long[] stamps, int at, StampedBytes written) {
        int byStamp = written.stamp().compareTo(stamps[2 * at], stamps[2 * at + 1]);
        return byStamp > 0
                || (byStamp == 0 && StampedBytes.compareBytes(written.bytes(), (byte[]) cells[2 * at + 1]) > 0);
    }

    static void set(@Nullable Object[] cells, long[] stamps, int at, StampedBytes written) {
        cells[2 * at + 1] = written.bytes();
        stamps[2 * at] = written.stamp().time();
        stamps[2 * at + 1] = written.stamp().origin();
    }

    private AttributeTable above(Stamp floor) {
        @Nullable Object[] keptCells = new @Nullable Object[cells.length];
        long[] keptStamps = new long[stamps.length];
        int kept = 0;
        long keptValues = 0;
        int keptNames = 0;
        for (int at = 0; at < size(); at++) {
            if (!Removals.gone(name(at), value(at).stamp(), floor)) {
                System.arraycopy(cells, 2 * at, keptCells, kept, 2);
                System.arraycopy(stamps, 2 * at, keptStamps, kept, 2);
                kept += 2;
                keptValues += length(cells[2 * at + 1]);
                keptNames += nameBytes(name(at));
            }
        }
        return new AttributeTable(
                Arrays.copyOf(keptCells, kept), Arrays.copyOf(keptStamps, kept), keptValues, keptNames);
    }

    @Override
    public @Nullable StampedBytes get(Object name) {
        return name instanceof String text ? value(cells, stamps, text) : null;
    }

    /** The value of a name in such arrays, of which no table has to be made. */
    static @Nullable StampedBytes value(@Nullable Object[] cells, long[] stamps, String name) {
        return value(cells, stamps, name, null);
    }

    /** The same; {@code known} if it is that. */
    @SuppressWarnings("ReferenceEquality") // The value is kept once.
    static @Nullable StampedBytes value(
            @Nullable Object[] cells, long[] stamps, String name, @Nullable StampedBytes known) {
        int at = search(cells, cells.length / 2, name);
        if (at < 0) {
            return null;
        }
        boolean same = known != null && known.bytes() == cells[2 * at + 1] && is(stamps, at, known.stamp());
        return same ? known : value(cells, stamps, at);
    }

    /** Where a name is in such arrays; less than 0 if it is not there. */
    static int place(@Nullable Object[] cells, String name) {
        return search(cells, cells.length / 2, name);
    }

    /** Bytes of a value in such arrays: 0 if it was removed, less if there was never one. */
    static int valueBytes(@Nullable Object[] cells, String name) {
        int at = search(cells, cells.length / 2, name);
        return at < 0 ? -1 : length(cells[2 * at + 1]);
    }

    /** Whether an attribute in such arrays was written at this stamp; if it is {@code null}, whether it was never written. */
    static boolean is(@Nullable Object[] cells, long[] stamps, String name, @Nullable Stamp stamp) {
        int at = search(cells, cells.length / 2, name);
        return at < 0 ? stamp == null : stamp != null && is(stamps, at, stamp);
    }

    private static boolean is(long[] stamps, int at, Stamp stamp) {
        return stamps[2 * at] == stamp.time() && stamps[2 * at + 1] == stamp.origin();
    }

    @Override
    public boolean containsKey(Object name) {
        return name instanceof String text && search(cells, cells.length / 2, text) >= 0;
    }

    @Override
    public int size() {
        return cells.length / 2;
    }

    private String name(int at) {
        return nameAt(cells, at);
    }

    private StampedBytes value(int at) {
        return value(cells, stamps, at);
    }

    private static StampedBytes value(@Nullable Object[] cells, long[] stamps, int at) {
        Stamp stamp = new Stamp(stamps[2 * at], stamps[2 * at + 1]);
        Object value = cells[2 * at + 1];
        return value == null ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, (byte[]) value);
    }

    private static String nameAt(@Nullable Object[] cells, int at) {
        if (cells[2 * at] instanceof String name) {
            return name;
        }
        throw new IllegalStateException("no name in cell " + 2 * at);
    }

    /** Where the name is; where it would be, minus one, negative, if it is not there. */
    private static int search(@Nullable Object[] cells, int size, String name) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            String here = nameAt(cells, middle);
            int order = here.equals(name) ? 0 : here.compareTo(name); // Mostly the same object: both are interned.
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    @Override
    public Set<Entry<String, StampedBytes>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Entry<String, StampedBytes>> {

        @Override
        public Iterator<Entry<String, StampedBytes>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < AttributeTable.this.size();
                }

                @Override
                public Entry<String, StampedBytes> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException("no attribute after " + next);
                    }
                    int at = next++;
                    return Map.entry(name(at), value(at));
                }
            };
        }

        @Override
        public int size() {
            return AttributeTable.this.size();
        }
    }

    /** A table that grows out of this one; its arrays are this one's until something changes. */
    private final class Building {

        private final int more;
        private @Nullable Object[] newCells = cells;
        private long[] newStamps = stamps;
        private int size = cells.length / 2;
        private long newValueBytes = valueBytes;
        private int newNameBytes = nameBytes;

        Building(int more) {
            this.more = more;
        }

        /** An attribute that is not gone with the floor. */
        void put(Entry<String, StampedBytes> attribute, @Nullable Stamp floor) {
            if (!Removals.gone(attribute.getKey(), attribute.getValue().stamp(), floor)) {
                put(attribute.getKey(), attribute.getValue());
            }
        }

        private void put(String name, StampedBytes written) {
            int at = search(newCells, size, name);
            if (at < 0) {
                insert(-at - 1, name);
                set(-at - 1, written);
            } else if (later(newCells, newStamps, at, written)) {
                own(size);
                set(at, written);
            }
        }

        /** Makes room for so many attributes in arrays of its own: mostly for those that are there. */
        private void own(int room) {
            if (newStamps == stamps || newStamps.length < 2 * room) {
                newCells = Arrays.copyOf(newCells, 2 * room);
                newStamps = Arrays.copyOf(newStamps, 2 * room);
            }
        }

        private void insert(int at, String name) {
            if (newStamps == stamps || newStamps.length == 2 * size) {
                own(size + more);
            }
            System.arraycopy(newCells, 2 * at, newCells, 2 * at + 2, 2 * (size - at));
            System.arraycopy(newStamps, 2 * at, newStamps, 2 * at + 2, 2 * (size - at));
            newCells[2 * at] = name.intern();
            newCells[2 * at + 1] = null;
            newNameBytes += nameBytes(name);
            size++;
        }

        private void set(int at, StampedBytes written) {
            newValueBytes += length(written.bytes()) - length(newCells[2 * at + 1]);
            AttributeTable.set(newCells, newStamps, at, written);
        }

        AttributeTable table() {
            if (newStamps == stamps) {
                return AttributeTable.this;
            }
            boolean full = newStamps.length == 2 * size;
            return new AttributeTable(
                    full ? newCells : Arrays.copyOf(newCells, 2 * size),
                    full ? newStamps : Arrays.copyOf(newStamps, 2 * size),
                    newValueBytes,
                    newNameBytes);
        }
    }
}
