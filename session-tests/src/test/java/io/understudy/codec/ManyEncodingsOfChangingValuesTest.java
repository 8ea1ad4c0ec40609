package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens once in some thousand encodings. */
@Tag("process")
class ManyEncodingsOfChangingValuesTest {

    private static final int ENCODINGS = Integer.getInteger("understudy.encodings", 2000);

    @ParameterizedTest
    @MethodSource("io.understudy.codec.ChangingValuesTest#values")
    void areAsAtOneMomentOrKept(Changing value) {
        assertTrue(ChangingValuesTest.check(value, ENCODINGS, 5) > ENCODINGS / 10, "few succeeded");
    }

    /**
     * Then mostly a thread is stopped in the middle of a change when an encoding succeeds: the moment is none of the
     * application's.
     */
    @ParameterizedTest
    @MethodSource("io.understudy.codec.ChangingValuesTest#values")
    void canBeReadIfThreadsNeverRest(Changing value) {
        ChangingValuesTest.check(value.readable(), ENCODINGS, Integer.MAX_VALUE);
    }
}
