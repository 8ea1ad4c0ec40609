package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.understudy.codec.Containers.Kind;
import io.understudy.codec.Containers.Promise;
import io.understudy.codec.classes.ClassList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A container whose first element changes it while it is encoded, as another thread may. */
@Tag("rules")
class ChangedWhileEncodedTest {

    private static final int ELEMENTS = 7;

    private enum Change {
        ADD,
        REMOVE_FIRST,
        REMOVE_LAST,
        CLEAR
    }

    private final GuardedCodec codec =
            new GuardedCodec(ChangedWhileEncodedTest.class::getClassLoader, Set.of(), "", ClassList.any());

    static Stream<Arguments> byKryo() {
        return changes(Containers.byKryo());
    }

    static Stream<Arguments> inStream() {
        return changes(Stream.concat(Containers.byKryo(), Containers.inStream()));
    }

    private static Stream<Arguments> changes(Stream<Kind> kinds) {
        return kinds.flatMap(kind -> Arrays.stream(Change.values()).map(change -> Arguments.of(kind, change)));
    }

    @ParameterizedTest
    @MethodSource("byKryo")
    void isAsBeforeOrAfterByKryo(Kind kind, Change change) throws Exception {
        assertEquals(0, changed(kind, change, Trap.InRecord::new), "its format is that of Kryo");
    }

    @ParameterizedTest
    @MethodSource("inStream")
    void isAsBeforeOrAfterInAStream(Kind kind, Change change) throws Exception {
        assertEquals(1, changed(kind, change, Trap.InStream::new), "its format is that of JDK streams");
    }

    static Stream<Arguments> readBack() {
        return changes(Containers.readBack());
    }

    /** A form of its own may say what never was, but it can be read, or is refused as changing. */
    @ParameterizedTest
    @MethodSource("readBack")
    void anOwnFormCanBeRead(Kind kind, Change change) throws Exception {
        FilledContainer filled = kind.fill(ELEMENTS, Trap.InStream::new);
        Trap.SET.set(() -> apply(change, filled, Trap.InStream::new));
        kind.numbers(codec.decode(codec.encode(filled.value())));
    }

    /** It would never be empty. */
    @Test
    void noQueueIsReadWithANullInIt() throws Exception {
        Queue<Object> queue = new ArrayBlockingQueue<>(ELEMENTS);
        for (int i = 0; i < ELEMENTS; i++) {
            queue.add(new Trap.InStream(i));
        }
        Trap.SET.set(() -> IntStream.range(0, 3).forEach(each -> queue.remove()));
        Queue<?> decoded = (Queue<?>) codec.decode(codec.encode(queue));
        assertFalse(Arrays.asList(decoded.toArray()).contains(null), decoded.toString());
    }

    /** The thread that holds the list's lock may want one that the encoder holds, such as that of a map around it. */
    @Test
    @Timeout(60)
    void noLockOfASynchronizedListIsWaitedFor() throws Exception {
        List<Object> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        Map<String, Object> around = Collections.synchronizedMap(new HashMap<>(Map.of("list", list)));
        FutureTask<Object> copy = new FutureTask<>(() -> codec.decode(codec.encode(around)));
        synchronized (list) {
            new Thread(copy).start();
            assertEquals(around, copy.get());
        }
    }

    /** @return the format */
    private byte changed(Kind kind, Change change, IntFunction<Trap> element) throws Exception {
        FilledContainer filled = kind.fill(ELEMENTS, element);
        List<Integer> before = kind.numbers(filled.value());
        assertEquals(IntStream.range(0, ELEMENTS).boxed().toList(), before);
        Trap.SET.set(() -> apply(change, filled, element));
        byte[] bytes = codec.encode(filled.value());
        List<Integer> after = kind.numbers(filled.value());
        assertTrue(!after.equals(before), "it was not changed");
        List<Integer> decoded = decoded(kind, bytes);
        if (kind.promise() == Promise.WEAK) {
            decoded.forEach(each -> assertTrue(before.contains(each) || after.contains(each), "found " + each));
            after.stream()
                    .filter(before::contains)
                    .forEach(each -> assertTrue(decoded.contains(each), "not found: " + each));
        } else {
            assertTrue(
                    decoded.equals(before) || decoded.equals(after),
                    () -> "was " + before + ", then " + after + ", decoded " + decoded);
        }
        return bytes[0];
    }

    private static void apply(Change change, FilledContainer filled, IntFunction<Trap> element) {
        switch (change) {
            case ADD -> filled.add(ELEMENTS, element.apply(ELEMENTS));
            case REMOVE_FIRST -> filled.remove(0);
            case REMOVE_LAST -> filled.remove(ELEMENTS - 1);
            case CLEAR -> filled.clear();
        }
    }

    private List<Integer> decoded(Kind kind, byte[] bytes) {
        try {
            return kind.numbers(codec.decode(bytes));
        } catch (NotDecodableException e) {
            return fail("what was encoded can't be decoded", e);
        }
    }
}
