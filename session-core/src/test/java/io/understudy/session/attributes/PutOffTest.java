package io.understudy.session.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long other nodes keep the last good state of a value that could not be encoded for the moment. */
@Tag("rules")
class PutOffTest {

    private static final String CLOSED = "closed";

    private @Nullable PutOff last;

    private boolean over(long now, @Nullable String cause, boolean alone) {
        PutOff next = PutOff.of(last, now, cause, alone);
        last = next;
        return next.over();
    }

    @Test
    void twoFailuresAlikeEndIt() {
        assertFalse(over(0, CLOSED, true));
        assertFalse(over(PutOff.LEAST_MILLIS - 1, CLOSED, true), "perhaps of one request");
        assertTrue(over(PutOff.LEAST_MILLIS, CLOSED, true));
    }

    @Test
    void failuresOfTwoKindsDoNotEndIt() {
        assertFalse(over(0, CLOSED, true));
        assertFalse(over(1000, "open", true));
        assertFalse(over(2000, null, true));
        assertFalse(over(3000, CLOSED, true));
    }

    @Test
    void failuresAlikeBesideOthersDoNotEndIt() {
        assertFalse(over(0, CLOSED, false));
        assertFalse(over(PutOff.LEAST_MILLIS, CLOSED, false));
        assertTrue(over(PutOff.LEAST_MILLIS, CLOSED, true), "the last one was alone");
    }

    @Test
    void aValueThatKeepsChangingIsPutOffForSoLong() {
        for (int i = 0; i < 100; i++) {
            assertFalse(over(i, null, false));
        }
        assertFalse(over(PutOff.MOST_MILLIS - 1, null, false));
        assertTrue(over(PutOff.MOST_MILLIS, null, false));
    }

    @Test
    void aNodeThatStoodStillTriesAgainFirst() {
        assertFalse(over(0, null, false));
        for (int commits = 2; commits < PutOff.LEAST_COMMITS; commits++) {
            assertFalse(over(10 * PutOff.MOST_MILLIS, null, false));
        }
        assertTrue(over(10 * PutOff.MOST_MILLIS, null, false));
    }

    @Test
    void whatIsOverStaysSo() {
        assertFalse(over(0, CLOSED, true));
        assertTrue(over(PutOff.LEAST_MILLIS, CLOSED, true));
        assertTrue(over(1001, null, false));
        assertEquals(new PutOff(0, 4, CLOSED, true), PutOff.of(last, 1002, CLOSED, true));
    }
}
