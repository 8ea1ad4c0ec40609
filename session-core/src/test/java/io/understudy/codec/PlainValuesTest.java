package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.buffers.BoundedInput;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.kryo.FaithfulKryo;
import io.understudy.codec.kryo.KryoFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that are written without a Kryo have the bytes that Kryo gives them: nodes of any release read both. */
@SuppressWarnings("JavaUtilDate") // Sessions hold them.
@Tag("rules")
class PlainValuesTest {

    private static final int MAX_BYTES = 1 << 20;

    private final ClassFilter filter =
            new ClassFilter(PlainValuesTest.class::getClassLoader, Set.of(), "", ClassList.any());
    private final FaithfulKryo kryo = KryoFactory.create(PlainValuesTest.class.getClassLoader(), filter);
    private final GuardedCodec codec = codec("");

    private static GuardedCodec codec(String attributeFilter) {
        return new GuardedCodec(PlainValuesTest.class::getClassLoader, Set.of(), attributeFilter, ClassList.any());
    }

    static List<Object> values() {
        List<Object> values = new ArrayList<>();
        for (int length :
                new int[] {0, 1, 2, 31, 32, 33, 62, 63, 64, 65, 127, 128, 1000, 8190, 8191, 8192, 20_000, 70_000}) {
            values.add("x".repeat(length));
            values.add("é".repeat(length));
            values.add("x".repeat(length) + "中\uD83D\uDE00");
            values.add(new byte[length]);
        }
        values.addAll(List.of(
                "\uD83D", // Half of a pair.
                "\u0000\u007F\u0080",
                true,
                false,
                Byte.MIN_VALUE,
                Character.MAX_VALUE,
                Short.MIN_VALUE,
                Integer.MIN_VALUE,
                Integer.MAX_VALUE,
                -1,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                1L << 33,
                -1.5f,
                Float.NaN,
                Double.MIN_VALUE,
                UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"),
                new Date(-1),
                new Date(Long.MAX_VALUE),
                Instant.MAX,
                Instant.MIN,
                Instant.ofEpochSecond(5, 7),
                Duration.ofNanos(Long.MIN_VALUE),
                LocalDate.MAX,
                LocalDate.MIN,
                LocalTime.of(23, 59, 59, 999_999_999),
                LocalTime.of(4, 0),
                LocalDateTime.MIN,
                OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(-18))));
        return values;
    }

    private byte[] byKryo(Object value) {
        BoundedOutput out = new BoundedOutput(MAX_BYTES);
        out.writeByte(GuardedCodec.KRYO);
        kryo.writeClassAndObject(out, value);
        return out.toBytes();
    }

    private static void assertSameValue(Object expected, Object actual) {
        assertSame(expected.getClass(), actual.getClass());
        assertTrue(Arrays.deepEquals(new Object[] {expected}, new Object[] {actual}), () -> expected + ", " + actual);
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("values")
    void hasTheBytesOfKryo(Object value) throws Exception {
        assertNotNull(PlainValues.of(value));
        byte[] bytes = codec.encode(value);
        assertArrayEquals(byKryo(value), bytes);
        assertNotNull(PlainValues.of(bytes));
        assertSameValue(value, codec.decode(bytes));
        assertSameValue(
                value, kryo.read(new BoundedInput(bytes, 1, bytes.length - 1)).value());
    }

    @Test
    void bytesThatAreKnownAreGivenBack() throws Exception {
        for (Object value : values()) {
            byte[] known = codec.encode(value);
            assertSame(known, codec.encode(value, known));
            assertArrayEquals(known, codec.encode(value, Arrays.copyOf(known, known.length - 1)));
        }
        for (int length : new int[] {1, 127, 128, 1000}) {
            byte[] value = new byte[length];
            byte[] known = codec.encode(value);
            value[length - 1] = 1;
            assertEquals(1, codec.encode(value, known)[known.length - 1]);
            assertArrayEquals(codec.encode(new byte[length + 1]), codec.encode(new byte[length + 1], known));
            assertArrayEquals(codec.encode(new byte[length - 1]), codec.encode(new byte[length - 1], known));
        }
        List<Object> list = new ArrayList<>(values());
        byte[] known = codec.encode(list);
        assertSame(known, codec.encode(list, known));
        list.set(3, new byte[] {1});
        assertEquals(known.length + 1, codec.encode(list, known).length);
    }

    /** A Kryo writes one value after the other into one array. */
    @Test
    void noValueIsInTheBytesOfTheNext() throws Exception {
        List<List<Object>> lists = IntStream.range(0, 50)
                .mapToObj(size -> Stream.generate(() -> (Object) ("text" + size))
                        .limit(size)
                        .toList())
                .toList();
        List<byte[]> encoded = new ArrayList<>();
        for (List<Object> list : lists) {
            encoded.add(codec.encode(new ArrayList<>(list)));
        }
        assertThrows(
                NotReplicableException.class, () -> codec.encode(new ArrayList<>(List.of(new byte[2 * MAX_BYTES]))));
        for (int i = lists.size() - 1; i >= 0; i--) {
            assertEquals(lists.get(i), codec.decode(encoded.get(i)));
            assertArrayEquals(encoded.get(i), codec.encode(new ArrayList<>(lists.get(i))));
        }
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("values")
    void moreOrFewerBytesAreNoValue(Object value) throws Exception {
        byte[] bytes = codec.encode(value);
        byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
        assertThrows(NotDecodableException.class, () -> codec.decode(more));
        byte[] fewer = Arrays.copyOf(bytes, bytes.length - 1);
        try {
            Object other = codec.decode(fewer); // A number that ends earlier is another one.
            assertTrue(!other.equals(value), () -> "the same without its last byte: " + value);
        } catch (NotDecodableException e) {
            assertTrue(e.getMessage() != null);
        }
    }

    @Test
    void theFilterIsAskedOfThem() {
        GuardedCodec strict = codec("!java.lang.Long;!java.util.Date");
        assertThrows(NotReplicableException.class, () -> strict.encode(5L));
        assertThrows(NotReplicableException.class, () -> strict.encode(new Date(5)));
        assertThrows(NotDecodableException.class, () -> strict.decode(codec.encode(new Date(5))));
        assertNull(PlainValues.of((Object) List.of("x")));
    }

    @Test
    void aValueAboveTheBoundIsRefused() {
        NotReplicableException text =
                assertThrows(NotReplicableException.class, () -> codec.encode("x".repeat(MAX_BYTES)));
        assertTrue(text.getMessage().contains("maxAttributeBytes"), text.getMessage());
        NotReplicableException array =
                assertThrows(NotReplicableException.class, () -> codec.encode(new byte[MAX_BYTES]));
        assertEquals(text.getMessage(), array.getMessage());
    }
}
