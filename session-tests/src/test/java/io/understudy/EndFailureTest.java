package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.session.Coherence;
import io.understudy.replica.TimeSource;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The node that ends a session, or one of its ids, throws something on the way. Nothing is compared meanwhile. */
@Tag("cluster")
@Timeout(300)
class EndFailureTest {

    /** More than any end makes. */
    private static final int READINGS = 30;

    private static final int FOR_EVER = Integer.MAX_VALUE;

    private final FailingTime time = new FailingTime();
    private final Cluster cluster =
            Cluster.of(2, Map.of(Setting.RECONCILE_INTERVAL, "10m", Setting.TOUCH_INTERVAL, "100ms"), time, 1);

    @AfterEach
    void close() {
        time.heal();
        cluster.close();
    }

    /** A clock that fails on the thread that asked for it. */
    private static final class FailingTime implements TimeSource {

        private record Failure(int readings, int times) {}

        private static final ThreadLocal<Failure> next = new ThreadLocal<>();

        /** After so many more readings it fails so many times. */
        void failAfter(int readings, int times) {
            next.set(new Failure(readings, times));
        }

        void heal() {
            next.remove();
        }

        @Override
        public long wallMillis() {
            return SYSTEM.wallMillis();
        }

        @Override
        public long monotonicMillis() {
            Failure failure = next.get();
            if (failure != null && failure.readings() > 0) {
                next.set(new Failure(failure.readings() - 1, failure.times()));
            } else if (failure != null && failure.times() > 0) {
                next.set(new Failure(0, failure.times() - 1));
                throw new IllegalStateException("a test's");
            }
            return SYSTEM.monotonicMillis();
        }
    }

    private boolean everywhere(String id, boolean there) {
        return cluster.sessions(0).contains(id) == there && cluster.sessions(1).contains(id) == there;
    }

    private LiveSession begun(String id) {
        LiveSession session = cluster.sessions(0).create(id, 1800);
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "name", "ann"));
        return session;
    }

    private void awaitNothingAtRisk() {
        Supplier<Long> atRisk = () -> NodeFigures.momentary(cluster.node(0)).get("changes_at_risk");
        Await.until(Await.LIMIT, atRisk, () -> atRisk.get() == 0);
    }

    /** Whatever reading of the clock fails, once. */
    private void endsAlthoughAReadingFails(Function<LiveSession, Commit> end) {
        for (int readings = 0; readings < READINGS; readings++) {
            String id = "s" + readings;
            LiveSession session = begun(id);
            time.failAfter(readings, 1);
            Commit commit = end.apply(session);
            time.heal();
            assertEquals(Outcome.ACKNOWLEDGED, commit.await(), id);
            assertTrue(everywhere(id, false), id);
        }
        awaitNothingAtRisk();
    }

    @Test
    void anInvalidationIsTriedAgainUntilItIsSent() {
        endsAlthoughAReadingFails(LiveSession::invalidate);
    }

    @Test
    void anExpiryIsTriedAgainUntilItIsSent() {
        endsAlthoughAReadingFails(LiveSession::expire);
    }

    /** From some reading on all fail, also those of the next tries. */
    @Test
    void anEndThatCanNotBeSentIsDegradedAndSentLater() {
        int degraded = 0;
        for (int readings = 0; readings < READINGS; readings++) {
            String id = "s" + readings;
            LiveSession session = begun(id);
            time.failAfter(readings, FOR_EVER);
            Outcome outcome = null;
            try {
                outcome = session.invalidate().await();
            } catch (IllegalStateException e) {
                assertTrue(session.valid(), id);
            }
            time.heal();
            if (outcome == null) {
                assertTrue(everywhere(id, true), id);
            } else if (outcome == Outcome.DEGRADED) {
                degraded++;
                Await.until(Await.LIMIT, () -> id + " goes on", () -> everywhere(id, false));
            } else {
                assertEquals(Outcome.ACKNOWLEDGED, outcome, id);
                assertTrue(everywhere(id, false), id);
            }
        }
        assertTrue(degraded > 0, "none was merged and not sent");
        awaitNothingAtRisk();
    }

    /** The first request could not send the end; what another one does with the session then is not unchanged. */
    @Test
    void aRequestAfterAnUnsentEndIsNotUnchanged() {
        for (int readings = 0; readings < READINGS; readings++) {
            LiveSession session = begun("s" + readings);
            time.failAfter(readings, FOR_EVER);
            Outcome outcome = null;
            try {
                outcome = session.invalidate().await();
            } catch (IllegalStateException e) {
                assertTrue(session.valid());
            }
            time.heal();
            if (outcome == Outcome.DEGRADED) {
                assertEquals(
                        Outcome.ACKNOWLEDGED, session.commit(Coherence.COHERENT).await());
                assertTrue(everywhere("s" + readings, false), "when it is acknowledged");
            }
        }
    }

    /** Sessions that were renamed on both sides of a partition: each has two ids. */
    private void beginWithRivals() {
        for (int readings = 0; readings < READINGS; readings++) {
            LiveSession unused = begun("s" + readings);
        }
        Fault apart = cluster.partition(List.of(Set.of(0), Set.of(1)));
        for (int node = 0; node < 2; node++) {
            cluster.awaitView(node, 1);
            for (int readings = 0; readings < READINGS; readings++) {
                find(cluster.sessions(node), "s" + readings)
                        .rename(readings + "of" + node)
                        .await();
            }
        }
        apart.close();
        for (int readings = 0; readings < READINGS; readings++) {
            String of = readings + "of";
            Await.until(Await.LIMIT, () -> of, () -> everywhere(of + 0, true) && everywhere(of + 1, true));
        }
    }

    /** One of the two ids ends as its holder has the other one. */
    @Test
    void theEndOfAnIdThatCanNotBeSentIsSentLater() {
        beginWithRivals();
        int degraded = 0;
        for (int readings = 0; readings < READINGS; readings++) {
            LiveSession session = find(cluster.sessions(0), readings + "of0");
            String id = session.id();
            String rival = readings + (id.endsWith("0") ? "of1" : "of0");
            time.failAfter(readings, FOR_EVER);
            Outcome outcome = null;
            try {
                outcome = session.dropSupersededId(rival).await();
            } catch (IllegalStateException e) {
                assertTrue(everywhere(id, true), id);
            }
            time.heal();
            degraded += outcome == Outcome.DEGRADED ? 1 : 0;
            if (cluster.sessions(0).contains(rival)) {
                assertNull(outcome, rival);
            } else {
                Await.until(Await.LIMIT, () -> rival + " goes on", () -> everywhere(rival, false));
            }
            assertTrue(everywhere(id, true), id);
        }
        assertTrue(degraded > 0, "none was merged and not sent");
        awaitNothingAtRisk();
    }
}
