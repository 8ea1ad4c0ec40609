package io.understudy.store;

/** The states met, each with the most events that were left when it was met. Open addressing; grows. Threads: one. */
final class SeenStates {

    private long[] table = new long[1 << 16];
    private int size;

    /** Notes a state. @return whether it is new, or more events are left than ever before */
    boolean add(long hash, int left) {
        if (size * 10L > table.length * 6L) {
            grow();
        }
        long key = (hash & ~15L) == 0 ? 16 : hash & ~15L;
        int at = slot(table, key);
        long known = table[at];
        if (known == 0) {
            size++;
        } else if ((known & 15) >= left) {
            return false;
        }
        table[at] = key | left;
        return true;
    }

    private static int slot(long[] table, long key) {
        int mask = table.length - 1;
        int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
        while (table[at] != 0 && (table[at] & ~15L) != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        long[] larger = new long[table.length * 2];
        for (long entry : table) {
            if (entry != 0) {
                larger[slot(larger, entry & ~15L)] = entry;
            }
        }
        table = larger;
    }

    int size() {
        return size;
    }
}
