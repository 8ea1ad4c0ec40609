package io.understudy.cluster.locking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionKey;
import io.understudy.threads.Failures;
import io.understudy.threads.SerialDispatcher;
import io.understudy.wire.Frame.Locking;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two members whose messages about a lock can't be sent. */
@Tag("rules")
class ClusterLocksTest {

    private record Sent(Address from, Address to, Locking message) {}

    private final Address first = new UUID(0, 1);
    private final Address second = new UUID(0, 2);
    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final Failures failures = new Failures("n1", metrics);
    private final ClusterLocks atHome =
            new ClusterLocks(() -> first, (to, message) -> send(first, to, message), failures);
    private final ClusterLocks away =
            new ClusterLocks(() -> second, (to, message) -> send(second, to, message), failures);
    private final Queue<Sent> sent = new ArrayDeque<>();

    /** Of the first member as the home. */
    private final SessionKey key = LongStream.iterate(1, value -> value + 1)
            .mapToObj(SessionKey::new)
            .filter(one -> Rendezvous.of(one, List.of(first, second)).equals(first))
            .findFirst()
            .orElseThrow();

    /** How many messages fail from this one on; none before. */
    private int failing;

    private int before;

    private void send(Address from, Address to, Locking message) {
        if (before > 0) {
            before--;
        } else if (failing > 0) {
            failing--;
            throw new NoClassDefFoundError("a test's");
        }
        sent.add(new Sent(from, to, message));
    }

    private void deliver() {
        for (Sent next = sent.poll(); next != null; next = sent.poll()) {
            (next.to().equals(first) ? atHome : away)
                    .received(next.from(), next.message().message());
        }
    }

    private void enter() {
        View view = View.create(first, 7, first, second);
        atHome.enter(view);
        away.enter(view);
        deliver();
    }

    /** What both do every {@code touchInterval}. */
    private void remind() {
        for (int i = 0; i <= SerialDispatcher.TRIES; i++) {
            atHome.remind();
            away.remind();
            deliver();
        }
    }

    private static boolean granted(LockClaim claim) {
        return claim.await(Duration.ZERO).isPresent();
    }

    static Stream<Arguments> failures() {
        return Stream.of("request", "grant", "release")
                .flatMap(message -> Stream.of(1, SerialDispatcher.TRIES).map(times -> Arguments.of(message, times)));
    }

    /** What fails {@link SerialDispatcher#TRIES} times is given up, and made up for by reports. */
    @ParameterizedTest
    @MethodSource("failures")
    void whateverMessageFailsTheLockGoesToTheNext(String message, int times) {
        enter();
        before = List.of("request", "grant", "release").indexOf(message);
        failing = times;
        LockClaim held = away.claim(key);
        deliver();
        remind();
        assertTrue(granted(held));
        LockClaim next = atHome.claim(key);
        assertEquals(1, atHome.waiting());
        away.release(held);
        deliver();
        remind();
        assertTrue(granted(next));
        atHome.release(next);
        assertEquals(0, failing);
        assertEquals(List.of(0L, 0L, 0L, 0L), List.of(atHome.held(), away.held(), atHome.waiting(), away.waiting()));
        assertEquals(0, atHome.atHome());
        assertEquals(times, metrics.value(Counter.FAILURES_SURVIVED));
    }

    @Test
    void aClaimIsTheOnlyOneUntilAnotherRequestHereWantsTheLock() {
        enter();
        LockClaim mine = away.claim(key);
        LockClaim ofAnotherSession = away.claim(new SessionKey(key.value() + 1));
        assertTrue(away.isOnly(mine));
        LockClaim second = away.claim(key);
        assertFalse(away.isOnly(mine));
        assertFalse(away.isOnly(second));
        assertTrue(away.isOnly(ofAnotherSession));
        away.release(mine);
        assertTrue(away.isOnly(second));
    }
}
