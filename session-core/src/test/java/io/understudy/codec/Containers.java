package io.understudy.codec;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
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
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Collections and maps of all kinds that are met in sessions, filled with elements whose hash code is their number. */
@SuppressWarnings("JdkObsolete") // Sessions hold them.
final class Containers {

    private Containers() {}

    static final List<Letter> LETTERS = List.copyOf(EnumSet.allOf(Letter.class));

    /** Keys of enum maps. */
    enum Letter {
        A,
        B,
        C,
        D,
        E,
        F,
        G,
        H,
        I,
        J
    }

    /** What is promised of a value that changes while it is encoded. */
    enum Promise {
        /** It is as it was at one moment. */
        EXACT,
        /** Its iterators, and its own form in a JDK stream, may show a part of what is changed meanwhile. */
        WEAK,
        /** It can be read. */
        READABLE
    }

    /** How threads may change a container. */
    enum Agreement {
        /** One at a time: it is not made for threads. */
        NEEDED,
        /** At once. */
        NONE,
        /** At once, and a change of several elements is whole: an encoding has all of them or none. */
        TOGETHER
    }

    /**
     * One kind.
     *
     * @param empty a new collection or map
     * @param around what is encoded, for one that was filled
     * @param inside the collection or map in what was decoded
     */
    record Kind(
            String name,
            Promise promise,
            Agreement agreement,
            Supplier<Object> empty,
            UnaryOperator<Object> around,
            Function<Object, Object> inside) {

        private Kind as(Promise promised, Agreement agreed) {
            return new Kind(name, promised, agreed, empty, around, inside);
        }

        private Kind named(String other) {
            return new Kind(other, promise, agreement, empty, around, inside);
        }

        FilledContainer fill(int elements, IntFunction<? extends Object> element) {
            Object target = empty.get();
            FilledContainer filled = new FilledContainer(around.apply(target), target, new ArrayList<>());
            for (int i = 0; i < elements; i++) {
                filled.elements().add(element.apply(i));
                filled.add(i, filled.elements().get(i));
            }
            return filled;
        }

        /**
         * The numbers of the elements of a value of this kind, in order, -1 for a null; it has to have as many as it
         * says, and each value by its key.
         */
        List<Integer> numbers(Object value) {
            Object container = inside.apply(value);
            if (container instanceof Map<?, ?> map) {
                map.forEach((key, element) -> {
                    int number = key instanceof Letter ? LETTERS.indexOf(key) : key.hashCode();
                    if (element != null && element.hashCode() != number) {
                        throw new AssertionError(name + " has " + element + " by the key " + key);
                    }
                });
            }
            Collection<?> elements = container instanceof Map<?, ?> map ? map.values() : (Collection<?>) container;
            List<Integer> numbers = new ArrayList<>();
            for (Object element : elements) {
                numbers.add(element == null ? -1 : element.hashCode());
            }
            if (numbers.size() != elements.size()) {
                throw new AssertionError(name + " has " + numbers.size() + " elements and says " + elements.size());
            }
            Collections.sort(numbers);
            return numbers;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Kind kind(Supplier<Object> empty) {
        return new Kind(
                empty.get().getClass().getSimpleName(),
                Promise.EXACT,
                Agreement.NEEDED,
                empty,
                value -> value,
                value -> value);
    }

    private static Kind readable(Supplier<Object> empty) {
        return kind(empty).as(Promise.READABLE, Agreement.NEEDED);
    }

    private static Kind weak(Supplier<Object> empty) {
        return kind(empty).as(Promise.WEAK, Agreement.NONE);
    }

    private static Kind together(Supplier<Object> empty) {
        return kind(empty).as(Promise.EXACT, Agreement.TOGETHER);
    }

    /** Its threads take turns by a lock of its own, which the encoder does not take. */
    private static Kind oneByOne(Supplier<Object> empty) {
        return kind(empty).as(Promise.EXACT, Agreement.NONE);
    }

    @SuppressWarnings("unchecked")
    private static <T> Kind within(
            String name, Supplier<T> empty, Function<? super T, ?> around, Function<Object, Object> inside) {
        return new Kind(name, Promise.EXACT, Agreement.NEEDED, empty::get, value -> around.apply((T) value), inside);
    }

    record Pair(String name, Object held) implements Serializable {}

    static final class Bean implements Serializable {
        private static final long serialVersionUID = 1L;
        private final Object held;

        @SuppressWarnings("UnusedVariable")
        private final String after = "after";

        Bean(Object held) {
            this.held = held;
        }
    }

    /** What Kryo encodes, if it encodes the elements. */
    static Stream<Kind> byKryo() {
        return Stream.of(
                kind(ArrayList::new),
                kind(LinkedList::new),
                together(Vector::new),
                kind(ArrayDeque::new),
                kind(HashSet::new),
                kind(LinkedHashSet::new),
                kind(TreeSet::new),
                kind(HashMap::new),
                kind(TreeMap::new),
                together(Hashtable::new),
                kind(IdentityHashMap::new),
                weak(ConcurrentHashMap::new),
                weak(ConcurrentLinkedQueue::new),
                weak(ConcurrentLinkedDeque::new),
                within("ArrayDeque in bean", () -> new ArrayDeque<Object>(), Bean::new, value -> ((Bean) value).held),
                within(
                        "LinkedList in record",
                        () -> new LinkedList<Object>(),
                        held -> new Pair("p", held),
                        value -> ((Pair) value).held()),
                within(
                        "HashMap in array",
                        () -> new HashMap<Object, Object>(),
                        held -> new Object[] {held, "x"},
                        value -> ((Object[]) value)[0]),
                within(
                                "Hashtable in bean",
                                () -> new Hashtable<Object, Object>(),
                                Bean::new,
                                value -> ((Bean) value).held)
                        .as(Promise.EXACT, Agreement.TOGETHER),
                within(
                                "ConcurrentHashMap in record",
                                () -> new ConcurrentHashMap<Object, Object>(),
                                held -> new Pair("p", held),
                                value -> ((Pair) value).held())
                        .as(Promise.WEAK, Agreement.NONE),
                within(
                        "TreeMap in list",
                        () -> new TreeMap<Object, Object>(),
                        List::of,
                        value -> ((List<?>) value).get(0)));
    }

    static class OwnMap extends HashMap<Object, Object> {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("UnusedVariable")
        private final String name = "own";
    }

    static final class OwnList extends LinkedList<Object> {
        private static final long serialVersionUID = 1L;
    }

    static final class OwnConcurrentMap extends ConcurrentHashMap<Object, Object> {
        private static final long serialVersionUID = 1L;
    }

    static final class OwnVector extends Vector<Object> {
        private static final long serialVersionUID = 1L;
    }

    /** As applications keep what was used last. */
    static final class Latest extends LinkedHashMap<Object, Object> {
        private static final long serialVersionUID = 1L;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
            return size() > 1000;
        }
    }

    /** Has a form of its own: how many, and each. */
    static final class Written implements Serializable {
        private static final long serialVersionUID = 1L;
        private transient Collection<Object> held;

        @SuppressWarnings("unchecked")
        Written(Object held) {
            this.held = (Collection<Object>) held;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(held.size());
            for (Object each : held) {
                out.writeObject(each);
            }
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            held = new ConcurrentLinkedQueue<>();
            for (int left = in.readInt(); left > 0; left--) {
                held.add(in.readObject());
            }
        }
    }

    /** Its methods are not those of the JDK. */
    static final class Counted extends LinkedList<Object> {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("UnusedVariable")
        private transient int looks;

        @Override
        public Iterator<Object> iterator() {
            looks++;
            return super.iterator();
        }
    }

    /** What goes through JDK serialization. */
    static Stream<Kind> inStream() {
        return Stream.of(
                kind(LinkedHashMap::new),
                kind(() -> new LinkedHashMap<>(8, 0.75f, true)).named("LinkedHashMap by access"),
                kind(() -> new EnumMap<>(Letter.class)),
                kind(PriorityQueue::new),
                weak(Properties::new),
                together(CopyOnWriteArrayList::new),
                together(CopyOnWriteArraySet::new),
                weak(ConcurrentSkipListMap::new),
                weak(ConcurrentSkipListSet::new),
                weak(LinkedTransferQueue::new),
                weak(ConcurrentHashMap::newKeySet),
                kind(OwnMap::new),
                kind(OwnList::new),
                weak(OwnConcurrentMap::new),
                together(OwnVector::new),
                kind(Latest::new),
                kind(() -> Collections.newSetFromMap(new IdentityHashMap<>())),
                together(() -> Collections.synchronizedMap(new HashMap<>())),
                together(() -> Collections.synchronizedSortedMap(new TreeMap<>())),
                together(() -> Collections.synchronizedList(new LinkedList<>())),
                oneByOne(() -> Collections.synchronizedList(new ArrayList<>())),
                together(() -> Collections.synchronizedSet(new LinkedHashSet<>())),
                together(() -> Collections.synchronizedCollection(new ArrayDeque<>()))
                        .named("SynchronizedCollection of ArrayDeque"),
                within(
                                "SynchronizedMap in bean",
                                () -> Collections.synchronizedMap(new LinkedHashMap<Object, Object>()),
                                Bean::new,
                                value -> ((Bean) value).held)
                        .as(Promise.EXACT, Agreement.TOGETHER),
                within(
                                "CopyOnWriteArrayList in array",
                                () -> new CopyOnWriteArrayList<Object>(),
                                held -> new Object[] {"x", held},
                                value -> ((Object[]) value)[1])
                        .as(Promise.EXACT, Agreement.TOGETHER),
                within(
                        "unmodifiable HashMap",
                        () -> new HashMap<Object, Object>(),
                        Collections::unmodifiableMap,
                        value -> value),
                within(
                        "unmodifiable LinkedList",
                        () -> new LinkedList<Object>(),
                        Collections::unmodifiableList,
                        value -> value),
                within(
                        "unmodifiable TreeSet",
                        () -> new TreeSet<Object>(),
                        Collections::unmodifiableSet,
                        value -> value),
                within(
                        "queue of ArrayDeque",
                        () -> new ArrayDeque<Object>(),
                        Collections::asLifoQueue,
                        value -> value));
    }

    /** What is written under a lock, so that other threads can't change it meanwhile. */
    static Stream<Kind> locked() {
        return Stream.of(
                kind(LinkedBlockingQueue::new).as(Promise.EXACT, Agreement.NONE),
                kind(LinkedBlockingDeque::new).as(Promise.EXACT, Agreement.NONE),
                kind(PriorityBlockingQueue::new).as(Promise.EXACT, Agreement.NONE));
    }

    /** What can only be read back to find out whether it was torn: it may be as it never was, but not unreadable. */
    static Stream<Kind> readBack() {
        return Stream.of(
                new Kind(
                        "own form",
                        Promise.READABLE,
                        Agreement.NONE,
                        ConcurrentLinkedQueue::new,
                        value -> new Written(value),
                        value -> ((Written) value).held),
                readable(() -> new ArrayBlockingQueue<>(100)).as(Promise.READABLE, Agreement.NONE),
                readable(Counted::new));
    }
}
