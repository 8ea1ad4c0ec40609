package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Containers that threads have changed without a lock, as these threads leave them for a moment or for ever. The test
 * makes them with {@link JdkFields}, so it is of the tier process.
 */
@Tag("process")
@Timeout(
        value = 120,
        threadMode = ThreadMode.SEPARATE_THREAD) // No interrupt ends a reading that goes round in a circle.
@SuppressWarnings("JdkObsolete") // Sessions hold them.
class BrokenContainersTest {

    private static final int ELEMENTS = 20;

    private final GuardedCodec codec =
            new GuardedCodec(BrokenContainersTest.class::getClassLoader, Set.of(), "", ClassList.any());

    private record Broken(String name, Object value) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static <T extends Map<Object, Object>> Broken map(String how, T map, Consumer<? super T> breaking) {
        IntStream.range(0, ELEMENTS).forEach(each -> map.put(each, each));
        breaking.accept(map);
        return new Broken(map.getClass().getSimpleName() + " " + how, map);
    }

    private static <T extends Collection<Object>> Broken collection(
            String how, T collection, Consumer<? super T> breaking) {
        IntStream.range(0, ELEMENTS).forEach(collection::add);
        breaking.accept(collection);
        return new Broken(collection.getClass().getSimpleName() + " " + how, collection);
    }

    private static Broken sized(Map<Object, Object> map, int size) {
        return map("of size " + size, map, each -> JdkFields.setInt(each, "size", size));
    }

    private static void lastLeadsToFirst(Map<?, ?> map) {
        JdkFields.set(JdkFields.get(map, "tail"), "after", JdkFields.get(map, "head"));
    }

    /** Ends in itself. */
    private static void bucketWithoutEnd(Map<?, ?> map) {
        Object last = ((Object[]) JdkFields.get(map, "table"))[ELEMENTS - 1];
        JdkFields.set(last, "next", last);
    }

    private static void gap(Object[] elements) {
        elements[Arrays.asList(elements).indexOf(ELEMENTS / 2)] = null;
    }

    static Stream<Broken> broken() {
        return Stream.of(
                sized(new HashMap<>(), ELEMENTS - 1),
                sized(new HashMap<>(), ELEMENTS + 1),
                sized(new LinkedHashMap<>(), ELEMENTS - 1),
                sized(new LinkedHashMap<>(), ELEMENTS + 1),
                sized(new TreeMap<>(), ELEMENTS - 1),
                sized(new TreeMap<>(), ELEMENTS + 1),
                sized(new IdentityHashMap<>(), ELEMENTS - 1),
                sized(new IdentityHashMap<>(), ELEMENTS + 1),
                map("with a circle", new HashMap<>(), BrokenContainersTest::bucketWithoutEnd),
                map("with a circle", new Containers.OwnMap(), BrokenContainersTest::bucketWithoutEnd),
                map("with a circle", new LinkedHashMap<>(), BrokenContainersTest::lastLeadsToFirst),
                map("with a circle", new Containers.Latest(), BrokenContainersTest::lastLeadsToFirst),
                map("with a circle", new TreeMap<>(), JdkFields::bend),
                map("that is half rotated", new TreeMap<>(), JdkFields::halfRotate),
                collection("with a circle", new TreeSet<>(), set -> JdkFields.bend(JdkFields.get(set, "m"))),
                collection(
                        "with less room than elements",
                        new ArrayList<>(),
                        list -> JdkFields.set(list, "elementData", new Object[ELEMENTS / 2])),
                collection("with a gap", new ArrayDeque<>(), deque -> gap((Object[]) JdkFields.get(deque, "elements"))),
                collection("with a gap", new PriorityQueue<>(), queue -> gap((Object[]) JdkFields.get(queue, "queue"))),
                collection(
                        "of too large a size",
                        new LinkedList<>(),
                        list -> JdkFields.setInt(list, "size", ELEMENTS + 1)));
    }

    /** By that the last good bytes are kept. */
    @ParameterizedTest
    @MethodSource("broken")
    void areRefusedAsChanging(Broken broken) {
        assertChanging(broken.value());
    }

    @ParameterizedTest
    @MethodSource("broken")
    void areRefusedAsChangingInAStream(Broken broken) {
        assertChanging(new Object[] {Locale.ROOT, broken.value()});
    }

    @Test
    void aBentTreeInAWrapperIsRefused() {
        TreeMap<Object, Object> tree = new TreeMap<>();
        map("with a circle", tree, JdkFields::bend);
        assertChanging(Collections.synchronizedSortedMap(tree));
        assertChanging(List.of(Collections.unmodifiableMap(tree)));
    }

    private void assertChanging(Object value) {
        NotReplicableException refusal =
                assertThrows(NotReplicableException.class, () -> codec.encode(value, new byte[0]));
        assertTrue(refusal.changing(), refusal::toString);
    }

    /** They are not serializable, broken or not. */
    @Test
    void weakMapsAreRefusedForGood() {
        Object broken = sized(new WeakHashMap<>(), ELEMENTS - 1).value();
        NotReplicableException refusal =
                assertThrows(NotReplicableException.class, () -> codec.encode(broken, new byte[0]));
        assertFalse(refusal.passing(), refusal::toString);
    }
}
