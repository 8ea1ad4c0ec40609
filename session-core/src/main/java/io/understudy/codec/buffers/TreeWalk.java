package io.understudy.codec.buffers;

import java.util.ConcurrentModificationException;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds a circle in a tree of the JDK. Threads that change a {@link TreeMap} without a lock may leave one there. Each
 * iterator that comes to it runs on for ever inside the JDK, where no bound of ours ends it.
 *
 * <p>A search goes down the tree, and calls the key that it looks for on each level. This is such a key. It leads the
 * searches to all places, from left to right, and counts the levels. Trees with a comparator call that instead, and are
 * not looked at.
 *
 * <p>Threads: one.
 */
@SuppressWarnings("ComparableType") // Any key is compared with it.
final class TreeWalk implements Comparable<Object> {

    /** A tree with the most elements that an {@code int} counts has fewer levels. */
    private static final int MAX_LEVELS = Long.SIZE;

    /** The keys that the search met, from the root on. */
    private final @Nullable Object[] path = new Object[MAX_LEVELS];

    /** One bit for each level; 1 leads to the right. */
    private long turns;

    /** The first level that no search before this one came to in this way. */
    private int fresh;

    private int level;

    /** After as many levels the search has met the same key again; 0 if it has not. */
    private int period;

    private TreeWalk() {}

    /**
     * @param container of any class
     * @throws ConcurrentModificationException if it is a tree with a circle in it
     */
    static void check(Object container) {
        // A subclass may search in a way of its own, and may not take any key.
        if (container.getClass() == TreeMap.class) {
            TreeMap<?, ?> map = (TreeMap<?, ?>) container;
            if (map.comparator() == null) {
                new TreeWalk().walk(map::containsKey, map.size());
            }
        } else if (container.getClass() == TreeSet.class) {
            TreeSet<?> set = (TreeSet<?>) container;
            if (set.comparator() == null) {
                new TreeWalk().walk(set::contains, set.size());
            }
        }
    }

    private interface Search {
        boolean finds(Object key);
    }

    /** A tree has one way more than elements. A set that shows a part of another set may have any number of them. */
    private void walk(Search search, int size) {
        for (int left = 2 * size + MAX_LEVELS; left > 0; left--) {
            level = 0;
            period = 0;
            boolean unused = search.finds(this);
            int turn = level - 1;
            while (turn >= 0 && toTheRight(turn)) {
                turn--;
            }
            if (turn < 0) {
                return;
            }
            turns = (turns & ((1L << turn) - 1)) | 1L << turn;
            fresh = turn + 1;
        }
    }

    private boolean toTheRight(int at) {
        return (turns >>> at & 1) != 0;
    }

    /**
     * If the search meets a key again, it takes the same turns again. So it leads round and round in a circle, and
     * elsewhere to an end.
     */
    @Override
    public int compareTo(Object key) {
        if (level == MAX_LEVELS) {
            throw new ConcurrentModificationException("a circle in a tree");
        }
        if (level >= fresh) {
            lookForCircle(key);
        }
        path[level] = key;
        return toTheRight(level++) ? 1 : -1;
    }

    @SuppressWarnings("ReferenceEquality")
    private void lookForCircle(Object key) {
        for (int before = level - 1; period == 0 && before >= 0; before--) {
            if (path[before] == key) {
                period = level - before;
            }
        }
        if (period > 0 && toTheRight(level - period)) {
            turns |= 1L << level;
        }
    }
}
