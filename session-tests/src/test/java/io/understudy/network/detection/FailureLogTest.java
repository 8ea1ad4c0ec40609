package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.stack.ProtocolStack;
import io.understudy.testkit.LogLines;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What failure detection says of whom, and how long a member may be silent, by intervals that the test counts. */
@Tag("rules")
class FailureLogTest {

    private static final long PAUSE_MILLIS = 3000;

    /** Of the 5 s after which a silent member is to be gone, what is left before it is asked and a view made: 0.5 s each. */
    private static final long SILENT_MILLIS = 4000;

    private final Address here = UUID.randomUUID();
    private final Address there = UUID.randomUUID();
    private final AtomicLong millis = new AtomicLong();
    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final FailureLog detections = new FailureLog("node1", metrics, millis::get);
    private final LogLines log = new LogLines("io.understudy.network.detection");

    @AfterEach
    void close() {
        log.close();
    }

    private void gone() {
        detections.view(List.of(here), List.of(there));
    }

    private void isBack() {
        detections.view(List.of(here, there), List.of());
    }

    @Test
    void aClosedConnectionIsADeadProcess() {
        detections.closed(there);
        millis.addAndGet(600);
        detections.silent(there, 3750);
        gone();
        assertEquals(
                1,
                log.with("WARNING", "is missing: its connection was closed", "its process ended 600 ms ago")
                        .size());
        assertEquals(1, metrics.value(Counter.MEMBERS_LOST_CLOSED));
        assertEquals(0, metrics.value(Counter.MEMBERS_LOST_SILENT));
        assertEquals(1, metrics.value(Counter.MEMBERS_SUSPECTED));
    }

    @Test
    void silenceIsAHostOrAFrozenProcessWhichMayComeBack() {
        detections.silent(there, 3750);
        millis.addAndGet(500);
        gone();
        assertEquals(
                1,
                log.with("WARNING", "is missing: its connection is open", "for 4250 ms")
                        .size());
        millis.addAndGet(9000);
        isBack();
        assertEquals(
                1,
                log.with("INFO", "is back after 9000 ms", "had paused, or was disconnected")
                        .size());
        isBack();
        assertEquals(1, log.with("is back after").size());
        assertEquals(1, metrics.value(Counter.MEMBERS_LOST_SILENT));
    }

    @Test
    void whoAnswersStaysAndIsNotCountedAsLost() {
        detections.closed(there);
        detections.answered(there);
        detections.answered(there);
        assertEquals(1, log.with("INFO", "but the member answers: it stays").size());
        gone(); // Later, with a goodbye.
        assertEquals(0, metrics.value(Counter.MEMBERS_LOST_CLOSED));
        assertEquals(List.of(), log.with("is missing"));
    }

    @Test
    void aPauseOfThreeSecondsIsNoReasonForSuspicionAndASilenceOfFourIs() {
        REPORTING_FD_ALL3 heartbeats = watch();
        long interval = heartbeats.getInterval();
        // The last word before a pause may be an interval old.
        assertFalse(silent(heartbeats, PAUSE_MILLIS + interval));
        heartbeats.update(there, false, false);
        assertFalse(silent(heartbeats, interval));
        assertEquals(0, metrics.value(Counter.MEMBERS_SUSPECTED));
        assertEquals(1, metrics.value(Counter.MEMBERS_PAUSED));
        assertEquals(1, log.with("INFO", "sends again after").size());
        assertTrue(silent(heartbeats, SILENT_MILLIS));
        assertEquals(1, metrics.value(Counter.MEMBERS_SUSPECTED));
        heartbeats.update(there, false, false);
        assertFalse(silent(heartbeats, interval));
        assertEquals(1, metrics.value(Counter.MEMBERS_PAUSED), "it was suspected");
    }

    @Test
    void whoeverElseWasQuickerToSuspectASilentMemberItIsToldHereToo() {
        REPORTING_FD_ALL3 heartbeats = watch();
        assertFalse(silent(heartbeats, PAUSE_MILLIS));
        heartbeats.handleViewChange(View.create(here, 2, here));
        gone();
        assertEquals(1, metrics.value(Counter.MEMBERS_LOST_SILENT));
    }

    /** Alone it counts no intervals. */
    @Test
    void whoWasAwayIsNotHeardAgainAfterASilence() {
        REPORTING_FD_ALL3 heartbeats = watch();
        assertFalse(silent(heartbeats, PAUSE_MILLIS));
        heartbeats.handleViewChange(View.create(here, 2, here));
        heartbeats.update(there, false, false); // As with a view of both, but without the timer of a transport.
        assertFalse(silent(heartbeats, heartbeats.getInterval()));
        assertEquals(0, metrics.value(Counter.MEMBERS_PAUSED));
    }

    @Test
    void whoSaysGoodbyeIsNotMissed() {
        REPORTING_FD_ALL3 heartbeats = watch();
        assertFalse(silent(heartbeats, PAUSE_MILLIS));
        heartbeats.update(there, false, false);
        heartbeats.handleViewChange(View.create(here, 2, here));
        gone();
        assertEquals(0, metrics.value(Counter.MEMBERS_LOST_SILENT));
        assertEquals(List.of(), log.with("is missing"));
    }

    private REPORTING_FD_ALL3 watch() {
        UnderstudyConfig config = UnderstudyConfig.builder().clusterName("test").build();
        REPORTING_FD_ALL3 heartbeats = ProtocolStack.of(config, metrics, detections).stream()
                .filter(FD_ALL3.class::isInstance)
                .map(REPORTING_FD_ALL3.class::cast)
                .findFirst()
                .orElseThrow();
        heartbeats.update(there, false, false);
        assertFalse(silent(heartbeats, heartbeats.getInterval()));
        heartbeats.update(there, false, false);
        return heartbeats;
    }

    /** Whether it is suspected in a silence of so many milliseconds. */
    private boolean silent(REPORTING_FD_ALL3 heartbeats, long silence) {
        boolean suspected = false;
        for (long at = 0; at < silence; at += heartbeats.getInterval()) {
            suspected |= heartbeats.ended(there);
        }
        return suspected;
    }
}
