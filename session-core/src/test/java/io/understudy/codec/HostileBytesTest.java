package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import com.sun.management.ThreadMXBean;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.kryo.KryoFactory;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that no codec wrote. */
@Tag("rules")
class HostileBytesTest {

    /** What a length declares, in elements. */
    private static final int DECLARED = 60_000_000;

    /** Far below one byte per element. */
    private static final long ALLOCATED = 8L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final GuardedCodec codec =
            new GuardedCodec(HostileBytesTest.class::getClassLoader, Set.of(), "", ClassList.any());

    private static Kryo kryo() {
        return KryoFactory.create(
                HostileBytesTest.class.getClassLoader(),
                new ClassFilter(HostileBytesTest.class::getClassLoader, Set.of(), "", ClassList.any()));
    }

    private static byte[] kryoBytes(Consumer<Output> body) {
        BoundedOutput out = new BoundedOutput(1 << 20);
        out.writeByte(0);
        body.accept(out);
        return out.toBytes();
    }

    private static byte[] declaring(Class<?> type, Consumer<Output> length) {
        return kryoBytes(out -> {
            kryo().writeClass(out, type);
            out.writeVarInt(Kryo.NOT_NULL, true);
            length.accept(out);
        });
    }

    private static void length(Output out) {
        out.writeVarInt(DECLARED, true);
    }

    /** As Kryo writes those of strings and collections. */
    private static void flagged(Output out) {
        out.writeVarIntFlag(true, DECLARED, true);
    }

    static Stream<byte[]> lengths() {
        List<Class<?>> arrays = List.of(
                byte[].class,
                boolean[].class,
                char[].class,
                short[].class,
                int[].class,
                long[].class,
                float[].class,
                double[].class,
                String[].class,
                Object[].class,
                int[][].class);
        List<Class<?>> maps = List.of(HashMap.class, TreeMap.class, ConcurrentHashMap.class);
        List<Class<?>> collections = List.of(ArrayList.class, HashSet.class);
        List<byte[]> all = new ArrayList<>();
        arrays.forEach(type -> all.add(declaring(type, HostileBytesTest::length)));
        maps.forEach(type -> all.add(declaring(type, HostileBytesTest::length)));
        collections.forEach(type -> {
            all.add(declaring(type, HostileBytesTest::flagged));
            all.add(declaring(type, HostileBytesTest::length));
        });
        all.add(declaring(BitSet.class, HostileBytesTest::length));
        all.add(declaring(List.of(1, 2, 3).getClass(), out -> {
            out.writeBoolean(false);
            length(out);
        }));
        for (Class<?> type : List.of(String.class, StringBuilder.class, BigInteger.class)) {
            all.add(kryoBytes(out -> {
                kryo().writeClass(out, type);
                out.writeVarIntFlag(true, DECLARED, true);
            }));
            all.add(declaring(type, HostileBytesTest::length));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void aLengthWithoutBytesAllocatesNothing(byte[] bytes) {
        assertRefused(bytes);
    }

    /** Kryo's own names of a bean's fields, before the fields. */
    @Test
    void norDoesABeanWithManyFields() {
        assertRefused(declaring(HardToRestore.Bean.class, HostileBytesTest::length));
    }

    static Stream<Class<?>> faithful() throws ClassNotFoundException {
        List<Class<?>> all = new ArrayList<>(List.of(HardToRestore.Line.class, HardToRestore.Plain.class));
        for (String name : FaithfulTypes.JDK) {
            all.add(Class.forName(name));
        }
        return all.stream();
    }

    /** Whatever a type reads first: a value, of which most are that large, or how much comes next. */
    @ParameterizedTest
    @MethodSource("faithful")
    void noTypeAllocatesByItsFirstBytes(Class<?> type) {
        for (Consumer<Output> length :
                List.<Consumer<Output>>of(HostileBytesTest::length, HostileBytesTest::flagged, out -> {
                    length(out);
                    length(out);
                })) {
            assertBounded(declaring(type, length));
            assertBounded(kryoBytes(out -> {
                kryo().writeClass(out, type);
                length.accept(out);
            }));
        }
    }

    private void assertBounded(byte[] bytes) {
        warmUp();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        String outcome;
        try {
            outcome = String.valueOf(codec.decode(bytes).getClass());
        } catch (NotDecodableException e) {
            outcome = e.toString();
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < ALLOCATED, allocated + " bytes for " + outcome);
    }

    /** Nulls in collections take no bytes: here each of many lists declares as many as one may. */
    @Test
    void manyCollectionsOfNullsAreNoWayRound() {
        byte[] bytes = kryoBytes(out -> {
            Kryo kryo = kryo();
            kryo.writeClass(out, ArrayList.class);
            out.writeVarInt(Kryo.NOT_NULL, true);
            out.writeVarIntFlag(true, 1001, true);
            kryo.writeClass(out, ArrayList.class); // Of all elements.
            out.writeBoolean(false);
            for (int i = 0; i < 1000; i++) {
                out.writeVarInt(Kryo.NOT_NULL, true);
                out.writeVarIntFlag(true, 60_001, true);
                out.writeByte(Kryo.NULL); // The class of all elements: they are null.
            }
        });
        assertTrue(bytes.length < 10_000, bytes.length + " bytes");
        assertRefused(bytes);
    }

    @Test
    void nullsThatWereWrittenAreRead() throws Exception {
        List<Object> nulls = new ArrayList<>(Collections.nCopies(100_000, null));
        assertEquals(nulls, codec.decode(codec.encode(nulls)));
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            map.put("k" + i, null);
        }
        assertEquals(map, codec.decode(codec.encode(map)));
        Object[] array = new Object[100_000];
        assertEquals(array.length, ((Object[]) codec.decode(codec.encode(array))).length);
    }

    /** The stream is written whole, then the length in it is made to declare more. */
    private static byte[] jdkDeclaring(Object value, int written) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        byte[] stream = bytes.toByteArray();
        byte[] length = BigInteger.valueOf(written).toByteArray();
        byte[] whole = new byte[Integer.BYTES];
        System.arraycopy(length, 0, whole, whole.length - length.length, length.length);
        int at =
                new String(stream, StandardCharsets.ISO_8859_1).indexOf(new String(whole, StandardCharsets.ISO_8859_1));
        assertTrue(at > 0);
        System.arraycopy(BigInteger.valueOf(DECLARED).toByteArray(), 0, stream, at, Integer.BYTES);
        return stream;
    }

    static Stream<Arguments> counted() {
        return Stream.<Object>of(
                        new byte[77],
                        new int[77],
                        new Object[77],
                        new ArrayList<>(Arrays.asList(new Object[77])),
                        filled())
                .map(Arguments::of);
    }

    private static Map<Integer, Integer> filled() {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 1000; i < 1077; i++) {
            map.put(i, i);
        }
        return map;
    }

    @ParameterizedTest
    @MethodSource("counted")
    void norDoesOneInAJdkStream(Object value) throws Exception {
        assertRefused(jdkDeclaring(value, 77));
    }

    private void assertRefused(byte[] bytes) {
        warmUp();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        NotDecodableException refused = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < ALLOCATED, () -> allocated + " bytes for " + refused);
    }

    private void warmUp() {
        assertThrows(NotDecodableException.class, () -> codec.decode(new byte[] {0, 1, 2}));
        assertThrows(NotDecodableException.class, () -> codec.decode(new byte[] {1, 1, 2}));
    }

    @Test
    void aDeepValueOfKryoIsRefusedBeforeTheStackOverflows() {
        Kryo deep = kryo();
        deep.setMaxDepth(Integer.MAX_VALUE);
        Object nested = "inside";
        for (int i = 0; i < 400; i++) {
            nested = new ArrayList<>(Arrays.asList(nested));
        }
        Object value = nested;
        byte[] bytes = kryoBytes(out -> deep.writeClassAndObject(out, value));
        NotDecodableException refused = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
        assertTrue(refused.getMessage().contains("Max depth"), refused.getMessage());
        assertRefused(bytes);
    }

    /** Each element that is added copies all before it. */
    @ParameterizedTest
    @ValueSource(classes = {CopyOnWriteArrayList.class, CopyOnWriteArraySet.class})
    void whatCopiesOnWriteIsNotAddedTo(Class<?> type) {
        assertRefused(kryoBytes(out -> {
            out.writeVarInt(1, true); // A class by its name, the first, a bean, which no codec writes.
            out.writeVarInt(0, true);
            out.writeString(type.getName());
            out.writeByte('b');
            out.writeVarInt(Kryo.NOT_NULL, true);
            out.writeVarIntFlag(true, 60_001, true);
            for (int i = 0; i < 60_000; i++) {
                out.writeVarInt(Kryo.NULL, true);
            }
        }));
    }

    @Test
    void aDeepPatternIsRefused() throws Exception {
        byte[] bytes = codec.encode(Pattern.compile(" ".repeat(200_000), Pattern.COMMENTS)); // Quick to compile.
        Arrays.fill(bytes, bytes.length - 150_000, bytes.length - 1, (byte) '(');
        assertRefused(bytes);
        assertEquals("x", codec.decode(codec.encode("x")));
    }

    @Test
    void aDeepStreamIsRefused() throws Exception {
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            deep = new ArrayList<>(List.of(deep));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(deep);
        }
        assertRefused(bytes.toByteArray());
    }
}
