package io.understudy.codec.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of containers that other threads may change. What those do meanwhile happens here while the copy is made. */
@Tag("rules")
class SnapshotTest {

    private static final int ROOM = 1000;

    private static Stream<Collection<Integer>> collections() {
        List<Integer> numbers = List.of(0, 1, 2, 3, 8);
        return Stream.of(
                new ArrayList<>(numbers), new LinkedHashSet<>(numbers), new TreeSet<>(numbers), new HashSet<>(numbers));
    }

    private static Object copied(Object container, Runnable before, Runnable after) {
        return Snapshot.copy(
                container,
                original -> {
                    before.run();
                    Object copy = original instanceof Map<?, ?> map
                            ? new HashMap<>(map)
                            : original instanceof List<?> list
                                    ? new ArrayList<>(list)
                                    : original instanceof LinkedHashSet<?> linked
                                            ? new LinkedHashSet<>(linked)
                                            : original instanceof TreeSet<?> tree
                                                    ? new TreeSet<>(tree)
                                                    : new HashSet<>((Set<?>) original);
                    after.run();
                    return copy;
                },
                new BoundedOutput(ROOM));
    }

    @ParameterizedTest
    @MethodSource("collections")
    void whatWasThereButForAMomentIsNoCopy(Collection<Integer> collection) {
        assertThrows(
                RuntimeException.class, () -> copied(collection, () -> collection.remove(8), () -> collection.add(8)));
        assertEquals(collection, copied(collection, () -> {}, () -> {}));
    }

    @Test
    void norIsAnotherValueOfAKey() {
        Map<String, String> map = new HashMap<>(Map.of("name", "before"));
        String before = map.get("name");
        assertThrows(
                RuntimeException.class,
                () -> copied(map, () -> map.put("name", "other"), () -> map.put("name", before)));
        assertEquals(map, copied(map, () -> {}, () -> {}));
    }

    /** A copy has room for what there is; a set that shrank has more. */
    @Test
    void aCopyMayHaveAnotherOrder() {
        Set<Integer> set = new HashSet<>(ROOM);
        set.addAll(List.of(1, 17, 33, 64));
        Object copy = Snapshot.copy(set, original -> new HashSet<>((Set<?>) original), new BoundedOutput(ROOM));
        assertEquals(set, copy);
        assertEquals(List.of(1, 17, 33, 64), new ArrayList<>(set));
        assertEquals(List.of(64, 1, 17, 33), new ArrayList<>((Set<?>) copy));
    }

    /** As a thread leaves it that is stopped while it adds or removes the last element. */
    @Test
    void aQueueWithANullIsBeingChanged() {
        PriorityQueue<Integer> queue = new PriorityQueue<>(new TreeSet<>(List.of(1, 2)) {
            private static final long serialVersionUID = 1L;

            @Override
            public Object[] toArray() {
                return new @Nullable Object[] {1, null};
            }
        });
        assertEquals(2, queue.size());
        assertThrows(
                ConcurrentModificationException.class,
                () -> Snapshot.copy(
                        queue, original -> new PriorityQueue<>((PriorityQueue<?>) original), new BoundedOutput(ROOM)));
    }

    /** As while a thread makes its array larger. */
    @Test
    void aDequeThatOnlyLooksEmptyIsBeingChanged() {
        ArrayDeque<Integer> full = new ArrayDeque<>(List.of(1, 2)) {
            private static final long serialVersionUID = 1L;

            @Override
            public int size() {
                return 0;
            }

            @Override
            public Iterator<Integer> iterator() {
                return Collections.emptyIterator();
            }
        };
        assertThrows(ConcurrentModificationException.class, () -> Snapshot.elements(full, new BoundedOutput(ROOM)));
    }

    /** As threads may leave it that use it without a lock. */
    @Test
    void whatHasNoEndIsNotCopied() {
        Map<String, String> endless = new LinkedHashMap<>(Map.of("name", "ann")) {
            private static final long serialVersionUID = 1L;

            @Override
            public Set<Map.Entry<String, String>> entrySet() {
                Map.Entry<String, String> entry = super.entrySet().iterator().next();
                return new AbstractSet<>() {
                    @Override
                    public Iterator<Map.Entry<String, String>> iterator() {
                        return Stream.generate(() -> entry).iterator();
                    }

                    @Override
                    public int size() {
                        return 1;
                    }
                };
            }
        };
        assertThrows(
                ConcurrentModificationException.class,
                () -> Snapshot.copy(endless, original -> fail("it is copied"), new BoundedOutput(ROOM)));
    }

    @Test
    void bitsThatMoveBetweenTwoWordsAreBeingChanged() {
        BitSet moving = new BitSet() {
            private static final long serialVersionUID = 1L;

            @Override
            public long[] toLongArray() {
                long[] words = super.toLongArray();
                set(700);
                clear(5);
                return words;
            }
        };
        moving.set(5);
        assertThrows(ConcurrentModificationException.class, () -> Bulk.copy(moving, new BoundedOutput(ROOM)));
        assertEquals(moving, Bulk.copy(moving, new BoundedOutput(ROOM)));
    }
}
