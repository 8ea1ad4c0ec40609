package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.codec.buffers.HeapWeight;
import io.understudy.codec.classes.ClassList;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What values weigh, beside what the histogram of a JVM with compressed references showed: in sessions of one attribute each,
 * without all that a session has beside it.
 */
@Tag("rules")
class HeapWeightTest {

    private final GuardedCodec codec =
            new GuardedCodec(HeapWeightTest.class::getClassLoader, Set.of(), "", ClassList.any());

    private static final class Item implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused")
        private final long number;

        @SuppressWarnings("unused")
        private final double price;

        @SuppressWarnings("unused")
        private final String name;

        Item(int number) {
            this.number = number;
            this.price = number;
            this.name = "item-" + number;
        }
    }

    /** @param bytes of heap */
    private record Measured(String name, Object value, int bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Measured> measured() {
        return List.of(
                new Measured("bytes", new byte[4096], 4112),
                new Measured("text", "x".repeat(4096), 4136),
                new Measured("wide text", "\u4e2d".repeat(1000), 2040),
                new Measured("numbers", list(1000, i -> 200 + i), 16_000 + 24 + 4976),
                new Measured("long numbers", list(2000, i -> 1000L + i), 48_000 + 24 + 8000),
                new Measured(
                        "map",
                        IntStream.range(0, 400)
                                .boxed()
                                .collect(Collectors.toMap(i -> "k" + i, i -> 1000 + i, (a, b) -> a, HashMap::new)),
                        400 * (32 + 16 + 24 + 24) + 48 + 4112),
                new Measured("beans", list(200, Item::new), 200 * (40 + 24 + 24) + 24 + 1000),
                new Measured("arrays", new int[][] {new int[500], new int[500]}, 24 + 2 * 2016),
                new Measured("an enum", Locale.Category.DISPLAY, 0));
    }

    private static <T> List<T> list(int size, Function<Integer, T> element) {
        return new ArrayList<>(IntStream.range(0, size).boxed().map(element).toList());
    }

    @ParameterizedTest
    @MethodSource("measured")
    void aValueWeighsAboutWhatItTakes(Measured measured) throws Exception {
        Weighed written = codec.weigh(measured.value(), null);
        assertArrayEquals(codec.encode(measured.value()), written.bytes());
        int read = codec.copy(written.bytes()).encoding().heapBytes();
        for (int weight : new int[] {written.heapBytes(), read}) {
            assertTrue(
                    weight >= 0.9 * measured.bytes() && weight <= 1.5 * measured.bytes(),
                    weight + " bytes, expected " + measured.bytes());
        }
    }

    @Test
    void anObjectThatIsReferredToTwiceWeighsOnce() throws Exception {
        byte[] shared = new byte[10_000];
        List<Object> twice = new ArrayList<>(List.of(shared, shared));
        assertTrue(codec.weigh(twice, null).heapBytes() < 11_000);
        assertTrue(codec.copy(codec.encode(twice)).encoding().heapBytes() < 11_000);
    }

    @Test
    void whatJdkSerializationEncodesWeighsByItsBytes() throws Exception {
        Object value = Collections.synchronizedList(list(100, i -> "text " + i));
        Weighed weighed = codec.weigh(value, null);
        assertEquals(HeapWeight.BYTES_PER_STREAMED * weighed.bytes().length, weighed.heapBytes());
        assertEquals(weighed.heapBytes(), codec.copy(weighed.bytes()).encoding().heapBytes());
    }

    @Test
    void aValueThatWasNotWeighedIsAsHeavyForEachByteAsBefore() {
        Weighed before = new Weighed(new byte[100], 1000);
        assertEquals(2000, new Weighed(new byte[200], 0).like(before).heapBytes());
        assertEquals(50, new Weighed(new byte[200], 50).like(before).heapBytes());
        assertEquals(0, new Weighed(new byte[200], 0).like(null).heapBytes());
    }

    @Test
    void aKryoThatWeighedOneValueDoesNotAddTheNextToIt() throws Exception {
        Map<String, Object> value = new HashMap<>(Map.of("a", list(10, i -> 1000 + i)));
        int weight = codec.weigh(value, null).heapBytes();
        byte[] unused = codec.encode(value);
        assertEquals(weight, codec.weigh(value, null).heapBytes());
        Object copy = codec.decode(codec.encode(value));
        assertEquals(weight, codec.weigh(copy, null).heapBytes());
    }
}
