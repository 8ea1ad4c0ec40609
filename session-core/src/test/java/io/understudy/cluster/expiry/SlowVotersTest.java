package io.understudy.cluster.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class SlowVotersTest {

    private static final long SECOND = 1_000_000_000;

    private long now;
    private final SlowVoters<String> times = new SlowVoters<>(() -> now);

    @Test
    void whoVotesInTimeIsNotSlow() {
        times.claimed(1);
        now += SlowVoters.SOON.toNanos();
        times.voted("b", 1);
        assertEquals(Set.of(), times.slow());
    }

    @Test
    void whoIsLateIsSlowForASecond() {
        times.late(List.of("b", "c"));
        times.claimed(1);
        times.voted("c", 1);
        now += SECOND - 1;
        assertEquals(Set.of("b", "c"), times.slow());
        times.voted("b", 1);
        now += 1;
        assertEquals(Set.of("b"), times.slow(), "it was late again");
        now += SECOND - 1;
        assertEquals(Set.of(), times.slow());
    }

    @Test
    void whoDoesNotVoteAtAllStaysSlowUntilItIsGone() {
        times.late(List.of("b"));
        now += 100 * SECOND;
        assertEquals(Set.of("b"), times.slow());
        times.retain(List.of("a"));
        assertEquals(Set.of(), times.slow());
    }

    @Test
    void aVoteOnWhatWasForgottenIsLate() {
        times.claimed(1);
        now += SlowVoters.SOON.toNanos() + 1;
        times.forget();
        times.voted("b", 1);
        assertEquals(Set.of("b"), times.slow());
    }
}
