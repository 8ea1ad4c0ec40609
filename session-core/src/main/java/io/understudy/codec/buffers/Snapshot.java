package io.understudy.codec.buffers;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a container of the JDK holds at one moment, although other threads may change it. The container is read twice.
 * If both readings find the same objects in the same order, and as many as its size, it held these objects at the
 * moment between them; otherwise an exception reports that it is changing. Containers made for many threads are read
 * once, under their own lock or as their iterators promise.
 *
 * <p>A thread that is stopped by the scheduler in the middle of a change leaves a container that is not made for
 * threads half changed. Such a state is noticed if its elements are not as many as its size, and most of the others are
 * by a third reading.
 *
 * <p>Threads: any.
 */
public final class Snapshot {

    private Snapshot() {}

    /**
     * The elements of a collection.
     *
     * @throws ConcurrentModificationException or another unchecked exception if they are changing
     * @throws TooLargeException if there are more than fit into {@code out}
     */
    public static @Nullable Object[] elements(Collection<?> collection, BoundedOutput out) {
        int size = collection.size();
        out.claim(size);
        if (collection instanceof Vector) {
            return collection.toArray();
        } else if (collection instanceof ConcurrentLinkedQueue || collection instanceof ConcurrentLinkedDeque) {
            Once once = new Once(size, out);
            collection.forEach(once::add);
            return once.all();
        }
        TreeWalk.check(collection);
        @Nullable Object[] read = read(collection);
        check(collection, read);
        return read;
    }

    /** The keys and values of a map in turn; otherwise as {@link #elements}. */
    public static @Nullable Object[] entries(Map<?, ?> map, BoundedOutput out) {
        int size = map.size();
        out.claim(2L * size);
        if (map instanceof Hashtable || map instanceof ConcurrentMap) {
            Once once = new Once(2 * size, out);
            map.forEach((key, value) -> {
                once.add(key);
                once.add(value);
            });
            return once.all();
        }
        TreeWalk.check(map);
        @Nullable Object[] read = read(map);
        check(map, read);
        return read;
    }

    /**
     * A container of the same class with the same elements, which no other thread knows; otherwise as {@link
     * #elements}. To be written into a JDK stream, which has a byte for a null, three at least for other elements, and
     * four for an entry.
     *
     * @param copying makes it, as long as nobody changes the container
     */
    public static Object copy(Object container, UnaryOperator<Object> copying, BoundedOutput out) {
        out.claim(
                container instanceof Map<?, ?> map
                        ? 4L * map.size()
                        : (container instanceof Set ? 3L : 1L) * ((Collection<?>) container).size());
        TreeWalk.check(container);
        @Nullable Object[] read = read(container); // First: of what has no end the copy has none either.
        Object copy = copying.apply(container);
        // The container may have been another one only while it was copied.
        if (!holds(copy, read) && !(shuffled(container) && holdsInAnyOrder(copy, read))) {
            throw new ConcurrentModificationException();
        }
        check(container, read);
        return copy;
    }

    /**
     * Whether copies may have another order. They are whole nevertheless, as their elements are put into them one by
     * one.
     */
    private static boolean shuffled(Object container) {
        return (container instanceof HashMap && !(container instanceof LinkedHashMap))
                || (container instanceof HashSet && !(container instanceof LinkedHashSet));
    }

    /** What is read once: as many elements as there are, whatever the size said before. */
    private static final class Once {

        private final BoundedOutput out;
        private final int expected;
        private @Nullable Object[] read;
        private int count;

        Once(int expected, BoundedOutput out) {
            this.out = out;
            this.expected = expected;
            this.read = new Object[expected];
        }

        void add(Object element) {
            if (count >= expected) {
                out.claim(1);
            }
            if (count == read.length) {
                read = Arrays.copyOf(read, count + count / 2 + 2);
            }
            read[count++] = element;
        }

        @Nullable
        Object[] all() {
            return count == read.length ? read : Arrays.copyOf(read, count);
        }
    }

    private static @Nullable Object[] read(Object container) {
        return container instanceof Map<?, ?> map ? read(map) : read((Collection<?>) container);
    }

    /**
     * No more than the size says. What threads change without a lock may lead in a circle, and stay so.
     */
    private static @Nullable Object[] read(Map<?, ?> map) {
        @Nullable Object[] read = new Object[2 * map.size()];
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        for (int i = 0; i < read.length; i += 2) {
            Map.Entry<?, ?> entry = entries.next();
            read[i] = entry.getKey();
            read[i + 1] = entry.getValue();
        }
        if (entries.hasNext()) {
            throw new ConcurrentModificationException();
        }
        return read;
    }

    private static @Nullable Object[] read(Collection<?> collection) {
        if (collection.getClass() == ArrayList.class) {
            return collection.toArray();
        }
        @Nullable Object[] read = new Object[collection.size()];
        Iterator<?> elements = collection.iterator();
        for (int i = 0; i < read.length; i++) {
            read[i] = elements.next();
        }
        if (elements.hasNext()) {
            throw new ConcurrentModificationException();
        }
        return read;
    }

    private static void check(Object container, @Nullable Object[] read) {
        boolean same = holds(container, read) && !isCut(container, read);
        if (same && halfRemoved(container, read)) {
            letOthersGoOn();
            same = holds(container, read);
        }
        if (!same) {
            throw new ConcurrentModificationException();
        }
    }

    /**
     * Whether it is as its class never leaves it: a priority queue has a null only while a thread adds or removes an
     * element, and a deque whose array is full looks empty until it has a larger one.
     */
    private static boolean isCut(Object container, @Nullable Object[] read) {
        return container instanceof PriorityQueue
                ? Arrays.asList(read).contains(null)
                : container instanceof ArrayDeque<?> deque && read.length == 0 && deque.peekFirst() != null;
    }

    /**
     * A thread that stands in the middle of a change may end it. Nothing relies on that: more is noticed if it does.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    public static void letOthersGoOn() {
        Thread.yield();
    }

    /**
     * Whether an element may be half added or removed, as a thread may be stopped there. In its place may be a null, in
     * a tree the next key, before the size says so. In a heap it may be where it was, and where it goes.
     */
    @SuppressWarnings("ReferenceEquality") // The same key twice.
    private static boolean halfRemoved(Object container, @Nullable Object[] read) {
        if (container instanceof LinkedList) {
            return Arrays.asList(read).contains(null);
        } else if (container instanceof ArrayList) {
            return read.length > 0 && read[read.length - 1] == null;
        } else if (container instanceof PriorityQueue) {
            return heldTwice(read);
        } else if (container instanceof IdentityHashMap) {
            return Arrays.asList(read).contains(null);
        }
        int step = container instanceof SortedMap ? 2 : container instanceof SortedSet ? 1 : read.length;
        for (int i = step; i < read.length; i += step) {
            if (read[i] == read[i - step]) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean heldTwice(@Nullable Object[] heap) {
        for (int i = 1; i < heap.length; i++) {
            if (heap[i] == heap[(i - 1) / 2]) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(Object container, @Nullable Object[] read) {
        VarHandle.acquireFence(); // Or the compiler may take what was read before for what is there now.
        if (container instanceof Map<?, ?> map) {
            return holds(map, read);
        }
        return container.getClass() == ArrayList.class
                ? holdsByIndex((List<?>) container, read)
                : holds((Collection<?>) container, read);
    }

    @SuppressWarnings("ReferenceEquality") // An equal object in the place of another is a change.
    private static boolean holds(Map<?, ?> map, @Nullable Object[] read) {
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        for (int i = 0; i < read.length; i += 2) {
            Map.Entry<?, ?> entry = entries.next();
            if (entry.getKey() != read[i] || entry.getValue() != read[i + 1]) {
                return false;
            }
        }
        return !entries.hasNext() && 2 * map.size() == read.length;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean holds(Collection<?> collection, @Nullable Object[] read) {
        Iterator<?> elements = collection.iterator();
        for (Object element : read) {
            if (elements.next() != element) {
                return false;
            }
        }
        return !elements.hasNext() && collection.size() == read.length;
    }

    /** The same of a copy, which nobody changes, of a {@linkplain #shuffled shuffled} container. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean holdsInAnyOrder(Object copy, @Nullable Object[] read) {
        int step = copy instanceof Map ? 2 : 1;
        IdentityHashMap<@Nullable Object, @Nullable Object> expected = new IdentityHashMap<>();
        for (int i = 0; i < read.length; i += step) {
            expected.put(read[i], read[i + step - 1]);
        }
        @Nullable Object[] copied = read(copy);
        for (int i = 0; i < copied.length; i += step) {
            if (!expected.containsKey(copied[i]) || expected.get(copied[i]) != copied[i + step - 1]) {
                return false;
            }
        }
        return copied.length == read.length && expected.size() * step == read.length;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean holdsByIndex(List<?> list, @Nullable Object[] read) {
        for (int i = 0; i < read.length; i++) {
            if (list.get(i) != read[i]) {
                return false;
            }
        }
        return list.size() == read.length;
    }
}
