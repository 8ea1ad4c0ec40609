package io.understudy.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The states met, each with the most events that were left when it was met: 60 bits of its hash and 4 of the events.
 *
 * <p>Threads: any; a state met by two at once is new to one of them.
 */
final class SeenStates {

    /** What is known of a state. */
    enum Found {
        NEW,
        /** With more events left than ever before. */
        EARLIER,
        KNOWN
    }

    private static final int SEGMENTS = 64;

    /** Open addressing; grows. */
    private static final class Segment {

        @GuardedBy("this")
        private long[] table = new long[1 << 8];

        @GuardedBy("this")
        private int size;

        synchronized Found add(long key, int left) {
            if (size * 10L > table.length * 6L) {
                grow();
            }
            int at = slot(table, key);
            long known = table[at];
            if (known != 0 && (known & 15) >= left) {
                return Found.KNOWN;
            }
            table[at] = key | left;
            if (known != 0) {
                return Found.EARLIER;
            }
            size++;
            return Found.NEW;
        }

        private static int slot(long[] table, long key) {
            int mask = table.length - 1;
            int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
            while (table[at] != 0 && (table[at] & ~15L) != key) {
                at = (at + 1) & mask;
            }
            return at;
        }

        @GuardedBy("this")
        private void grow() {
            long[] larger = new long[table.length * 2];
            for (long entry : table) {
                if (entry != 0) {
                    larger[slot(larger, entry & ~15L)] = entry;
                }
            }
            table = larger;
        }

        synchronized LongStream entries() {
            return LongStream.of(table.clone()).filter(entry -> entry != 0);
        }

        synchronized void clear() {
            table = new long[1 << 8];
            size = 0;
        }

        synchronized int size() {
            return size;
        }
    }

    private final Segment[] segments =
            IntStream.range(0, SEGMENTS).mapToObj(i -> new Segment()).toArray(Segment[]::new);

    /** Notes a state. */
    Found add(long hash, int left) {
        long key = (hash & ~15L) == 0 ? 16 : hash & ~15L;
        return segments[(int) (key >>> 4) & (SEGMENTS - 1)].add(key, left);
    }

    /** Notes all that others have noted. */
    void addAll(SeenStates others) {
        Stream.of(others.segments).flatMapToLong(Segment::entries).forEach(entry -> add(entry, (int) (entry & 15)));
    }

    void clear() {
        Stream.of(segments).forEach(Segment::clear);
    }

    long size() {
        return Stream.of(segments).mapToLong(Segment::size).sum();
    }
}
