package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.Containers.Promise;
import io.understudy.codec.classes.ClassList;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that {@linkplain Writers three threads} change while they are encoded. */
@Tag("cluster")
class ChangingValuesTest {

    /** A writer rests after as many changes. */
    private static final int BURST = 5;

    static Stream<Changing> values() {
        return Changing.values();
    }

    @ParameterizedTest
    @MethodSource("values")
    void areAsAtOneMomentOrKept(Changing value) {
        assertTrue(check(value, 150, BURST).good() > 0, "none succeeded");
    }

    /**
     * @param encodings how many are tried
     * @param burst a writer rests after as many changes
     */
    static Encodings check(Changing value, int encodings, int burst) {
        Encodings outcome = new Encodings(value);
        try (GuardedCodec codec =
                        new GuardedCodec(ChangingValuesTest.class::getClassLoader, Set.of(), "", ClassList.any());
                Writers writers = Writers.of(value, burst)) {
            writers.awaitBegun();
            for (int i = 0; i < encodings; i++) {
                encode(value, codec, outcome);
            }
        }
        assertEquals(0, outcome.bad(), outcome::toString);
        return outcome;
    }

    private static void encode(Changing value, GuardedCodec codec, Encodings outcome) {
        byte[] bytes;
        try {
            bytes = codec.encode(value.value());
        } catch (NotReplicableException e) {
            boolean unreadable = value.promise() == Promise.READABLE && e.unreadable(); // Each time as the first time.
            assertTrue(e.changing() || unreadable, e.toString());
            outcome.keep();
            return;
        }
        try {
            outcome.judge(codec.decode(bytes));
        } catch (NotDecodableException e) {
            outcome.undecodable(e);
        }
    }
}
