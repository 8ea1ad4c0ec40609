package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.understudy.codec.HardToRestore.Line;
import io.understudy.codec.classes.ClassList;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that need more bytes than they may have: far more, and one more. */
@SuppressWarnings({"JdkObsolete", "UnnecessaryStringBuilder"}) // Sessions hold them.
@Tag("rules")
class LargeValuesTest {

    /** Bytes that a value may have. */
    private static final int BOUND = 1 << 20;

    /** How many bytes large values have, but for those with {@link #ELEMENTS}. */
    private static final int SIZE = 32 * BOUND;

    /** Each takes ten bytes or more. */
    private static final int ELEMENTS = 500_000;

    /** What may be allocated to find out: the encoder itself, the bytes, and for each object that was met a handle. */
    private static final long ALLOCATED = 12L * BOUND;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final GuardedCodec codec =
            new GuardedCodec(LargeValuesTest.class::getClassLoader, Set.of(), "", ClassList.any(), BOUND);

    private record Large(String name, Supplier<Object> value) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Object> numbers(int count) {
        return new ArrayList<>(IntStream.range(0, count).boxed().toList());
    }

    private static Map<Object, Object> filled(Map<Object, Object> map, int count) {
        numbers(count).forEach(each -> map.put(each, "value " + each));
        return map;
    }

    static Stream<Large> large() {
        return Stream.of(
                new Large("byte[]", () -> new byte[SIZE]),
                new Large("char[]", () -> new char[SIZE]),
                new Large("long[]", () -> new long[SIZE / 8]),
                new Large("String", () -> "x".repeat(SIZE)),
                new Large("String of UTF-16", () -> "中".repeat(SIZE / 2)),
                new Large("StringBuilder", () -> new StringBuilder("x".repeat(SIZE))),
                new Large("StringBuffer", () -> new StringBuffer("x".repeat(SIZE))),
                new Large("BitSet", LargeValuesTest::bits),
                new Large("BigInteger", () -> BigInteger.ONE.shiftLeft(8 * SIZE)),
                new Large("Object[] of nulls", () -> new Object[SIZE]),
                new Large("ArrayList of nulls", () -> new ArrayList<>(Collections.nCopies(SIZE, null))),
                new Large("ArrayList", () -> numbers(ELEMENTS)),
                new Large("ArrayDeque", () -> new ArrayDeque<>(numbers(ELEMENTS))),
                new Large("Vector", () -> new Vector<>(numbers(ELEMENTS))),
                new Large("ConcurrentLinkedQueue", () -> new ConcurrentLinkedQueue<>(numbers(ELEMENTS))),
                new Large("CopyOnWriteArrayList", () -> new CopyOnWriteArrayList<>(numbers(ELEMENTS))),
                new Large("HashMap", () -> filled(new HashMap<>(), ELEMENTS)),
                new Large("LinkedHashMap", () -> filled(new LinkedHashMap<>(), ELEMENTS)),
                new Large("TreeMap", () -> filled(new TreeMap<>(), ELEMENTS)),
                new Large("ConcurrentHashMap", () -> filled(new ConcurrentHashMap<>(), ELEMENTS)),
                new Large(
                        "List of lists",
                        () -> IntStream.range(0, 64)
                                .mapToObj(each -> numbers(BOUND / 2))
                                .toList()),
                new Large(
                        "records",
                        () -> IntStream.range(0, ELEMENTS)
                                .mapToObj(each -> new Line("product " + each, each, null))
                                .toList()));
    }

    private static BitSet bits() {
        BitSet bits = new BitSet();
        bits.set(8 * SIZE);
        return bits;
    }

    @ParameterizedTest
    @MethodSource("large")
    void isRefusedWithoutAllocatingByKryo(Large large) {
        assertRefused(large.value().get());
    }

    @ParameterizedTest
    @MethodSource("large")
    void isRefusedWithoutAllocatingInAStream(Large large) {
        assertRefused(new Object[] {Locale.ROOT, large.value().get()}); // A locale is not for Kryo.
    }

    private void assertRefused(Object value) {
        assertThrows(NotReplicableException.class, () -> codec.encode(new byte[2 * BOUND])); // Classes are loaded.
        assertThrows(NotReplicableException.class, () -> codec.encode(new Object[] {Locale.ROOT, new byte[2 * BOUND]}));
        long before = THREADS.getCurrentThreadAllocatedBytes();
        NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(value));
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(refused.tooLarge(), refused.getMessage());
        assertFalse(refused.changing(), refused.getMessage());
        assertTrue(refused.getMessage().contains("maxAttributeBytes = " + BOUND), refused.getMessage());
        assertTrue(allocated < ALLOCATED, allocated + " bytes were allocated");
    }

    /** The exception that ended a stream took more bytes than the value may have. */
    @Test
    void aRefusedClassIsNotCalledTooLarge() {
        try (GuardedCodec small =
                new GuardedCodec(LargeValuesTest.class::getClassLoader, Set.of(), "", ClassList.any(), 200)) {
            NotReplicableException refused =
                    assertThrows(NotReplicableException.class, () -> small.encode(new Object[] {new Thread()}));
            assertFalse(refused.tooLarge(), refused.getMessage());
            assertTrue(refused.getMessage().contains("java.lang.Thread does not implement"), refused.getMessage());
        }
    }

    @Test
    void asManyBytesAsAllowedAreEncoded() throws Exception {
        for (Object[] around : new Object[][] {{"x"}, {Locale.ROOT}}) {
            Object[] value = {around[0], new byte[1000]};
            int rest = codec.encode(value).length - 1000;
            int format = codec.encode(value)[0];
            value[1] = new byte[BOUND - rest - 100];
            while (codec.encode(value).length < BOUND) { // Its length has no fixed length itself.
                value[1] = new byte[((byte[]) value[1]).length + 1];
            }
            byte[] most = codec.encode(value);
            assertEquals(BOUND, most.length);
            assertEquals(format, most[0]);
            assertEquals(value.length, ((Object[]) codec.decode(most)).length);
            value[1] = new byte[((byte[]) value[1]).length + 1];
            assertTrue(assertThrows(NotReplicableException.class, () -> codec.encode(value))
                    .tooLarge());
        }
    }

    /** Goes on as if all was well, as careless classes do. */
    private static final class Careless implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            try {
                out.write(new byte[2 * BOUND]);
            } catch (RuntimeException e) {
                out.writeInt(1);
            }
        }
    }

    @Test
    void whoCatchesItIsRefusedAllTheSame() {
        NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(new Careless()));
        assertTrue(refused.tooLarge(), refused.getMessage());
    }

    /** A reader counts nulls and references as well as objects. */
    @Test
    void aStreamOfMillionsOfObjectsIsReadIfItMayBeWritten() throws Exception {
        GuardedCodec wide =
                new GuardedCodec(LargeValuesTest.class::getClassLoader, Set.of(), "", ClassList.any(), 64 << 20);
        int more = (1 << 20) + 10;
        Object[] references = new Object[more];
        Arrays.fill(references, "same");
        for (Object value : List.of(
                new Object[] {Locale.ROOT, new Object[more]},
                new Object[] {Locale.ROOT, references},
                new Object[] {Locale.ROOT, numbers(more)})) {
            assertEquals(2, ((Object[]) wide.decode(wide.encode(value))).length);
        }
    }
}
