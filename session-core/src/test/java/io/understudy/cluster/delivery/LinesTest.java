package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.session.Acks;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes of one session that wait together. */
@Tag("rules")
class LinesTest {

    private static final SessionKey KEY = new SessionKey(7);

    private final Lines lines = new Lines(new AtRisk(), turn -> {}, line -> {});

    private WaitingChange put(long time, Acks acks) {
        return lines.put(1, SessionDelta.touched(KEY, new Stamp(time, 1)), 0, 0, acks);
    }

    /** Nothing is sent here, so each joins the first. A change of the id may come second. */
    @Test
    void whatWaitsTogetherWaitsForTheMostThatOneOfItAsksFor() {
        WaitingChange first = put(1, Acks.ONE);
        for (Acks acks : List.of(Acks.ONE, Acks.MAJORITY, Acks.ONE, Acks.ALL, Acks.ONE)) {
            assertSame(first, put(2, acks));
            assertTrue(first.acks().compareTo(acks) <= 0, () -> first.acks() + " instead of " + acks);
        }
        assertEquals(Acks.ALL, first.acks());
    }
}
