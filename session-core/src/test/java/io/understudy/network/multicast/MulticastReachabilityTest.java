package io.understudy.network.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who counts as hearing multicast, with time moved by hand. */
@Tag("rules")
class MulticastReachabilityTest {

    private static final long STEP = 100;
    private static final int LARGE = 3000;

    private final MulticastReachability<String> hearing = new MulticastReachability<>(0);
    private final List<String> changes = new ArrayList<>();
    private List<String> peers = List.of("b", "c", "d");
    private long now;

    /** For so long these peers confirm all beacons at once, and each asks again for so many of 100 messages a step. */
    private void pass(long millis, Set<String> hearers, int asked) {
        for (long end = now + millis; now < end; ) {
            now += STEP;
            hearers.forEach(peer -> hearing.confirmed(peer, now, now, LARGE, now));
            hearing.sent(100);
            hearing.askedAgain("b", asked);
            look();
        }
    }

    private void pass(long millis, String... hearers) {
        pass(millis, Set.of(hearers), 0);
    }

    private void look() {
        hearing.look(peers, now)
                .forEach(change -> changes.add(now + " " + change.peer() + (change.known() ? " still" : "")
                        + (change.reached().multicast() ? " multicast" : " TCP")));
    }

    private Set<String> byMulticast() {
        Set<String> found = new TreeSet<>();
        hearing.reached().forEach((peer, reached) -> {
            if (reached.multicast()) {
                found.add(peer);
            }
        });
        return found;
    }

    private String reason(String peer) {
        return hearing.reached().get(peer).reason();
    }

    @Test
    void whoConfirmsLargeBeaconsIsReachedByMulticast() {
        pass(STEP);
        assertEquals(Set.of(), byMulticast());
        assertEquals("it has not confirmed yet that it receives multicasts", reason("b"));
        pass(STEP, "b", "c", "d");
        assertEquals(List.of("200 b multicast", "200 c multicast", "200 d multicast"), changes);
        assertEquals(LARGE, hearing.reached().get("b").proven());
        assertEquals("it confirms large beacons", reason("b"));
        pass(120_000, "b", "c", "d");
        assertEquals(3, changes.size());
    }

    @Test
    void forASinglePeerItIsNotUsed() {
        pass(3000, "b");
        assertEquals(Set.of(), byMulticast());
        assertEquals("fewer than 2 members receive multicasts", reason("b"));
        assertTrue(reason("c").contains("no confirmation of small and large beacons"), reason("c"));
        pass(STEP, "b", "c");
        assertEquals(Set.of("b", "c"), byMulticast());
        pass(1000, "b");
        assertEquals(Set.of(), byMulticast());
        assertEquals("fewer than 2 members receive multicasts", reason("b"));
    }

    @Test
    void smallBeaconsAloneProveNothingOfLargeDatagrams() {
        for (int i = 0; i < 30; i++) {
            now += STEP;
            peers.forEach(peer -> hearing.confirmed(peer, now, -1, 0, now));
            look();
        }
        assertEquals(Set.of(), byMulticast());
        assertEquals("it does not receive multicasts (no confirmation of large beacons for 700 ms)", reason("b"));
    }

    @Test
    void thatSmallBeaconsPassIsToldOnceWhereNoneDidBefore() {
        pass(2500);
        assertEquals(List.of("2100 b TCP", "2100 c TCP", "2100 d TCP"), changes);
        assertTrue(reason("b").contains("no confirmation of small and large beacons"), reason("b"));
        for (int i = 0; i < 30; i++) {
            now += STEP;
            hearing.confirmed("b", now, -1, 0, now);
            look();
        }
        pass(1000);
        assertEquals(List.of("2100 b TCP", "2100 c TCP", "2100 d TCP", "2600 b still TCP"), changes);
    }

    @Test
    void whereLargeOnesPassSmallOnesNeedNoProof() {
        pass(STEP);
        for (int i = 0; i < 30; i++) {
            now += STEP;
            peers.forEach(peer -> hearing.confirmed(peer, -1, now, LARGE, now));
            look();
        }
        assertEquals(Set.of("b", "c", "d"), byMulticast());
    }

    @Test
    void whoStopsHearingGetsTcpAndTheOthersGoOn() {
        pass(1000, "b", "c", "d");
        pass(700, "b", "c");
        assertEquals(Set.of("b", "c", "d"), byMulticast());
        pass(STEP, "b", "c");
        assertEquals(Set.of("b", "c"), byMulticast());
        assertEquals("1800 d TCP", changes.get(changes.size() - 1));
        assertEquals(1800, hearing.reached().get("d").sinceMillis());
        assertEquals(0, hearing.reached().get("d").proven());
    }

    @Test
    void whoHearsAgainIsTrustedAfterAWhileWhichGrowsWhileItComesAndGoes() {
        pass(1000, "b", "c", "d");
        List<Long> held = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            pass(1000, "b", "c");
            assertEquals(Set.of("b", "c"), byMulticast());
            long again = now + STEP;
            while (!byMulticast().contains("d")) {
                pass(STEP, "b", "c", "d");
            }
            held.add(now - again);
        }
        assertEquals(List.of(1000L, 2000L, 4000L, 8000L), held);
        pass(60_000, "b", "c", "d");
        pass(1000, "b", "c");
        pass(1100, "b", "c", "d");
        assertEquals(Set.of("b", "c", "d"), byMulticast());
    }

    @Test
    void aBreakBeginsThatWhileAnew() {
        pass(1000, "b", "c", "d");
        pass(1000, "b", "c");
        pass(200, "b", "c", "d");
        pass(800, "b", "c");
        pass(1000, "b", "c", "d");
        assertEquals(Set.of("b", "c"), byMulticast());
        assertTrue(reason("d").startsWith("it does not receive multicasts"), reason("d"));
        assertTrue(reason("d").endsWith("and must receive all for 1 s"), reason("d"));
        pass(STEP, "b", "c", "d");
        assertEquals(Set.of("b", "c", "d"), byMulticast());
    }

    @Test
    void whoAsksForMoreThanATwentiethAgainGetsTcpForAWhile() {
        pass(3000, Set.of("b", "c", "d"), 5);
        assertEquals(Set.of("b", "c", "d"), byMulticast());
        pass(1000, Set.of("b", "c", "d"), 6);
        assertEquals(Set.of("b", "c", "d"), byMulticast(), "once is no habit");
        pass(1000, Set.of("b", "c", "d"), 6);
        assertEquals(Set.of("c", "d"), byMulticast());
        assertTrue(reason("b").startsWith("it asked again for more than 5 %"), reason("b"));
        long fell = now;
        while (!byMulticast().contains("b")) {
            pass(STEP, "b", "c", "d");
        }
        assertEquals(10_000, now - fell);
        pass(2000, Set.of("b", "c", "d"), 6);
        assertEquals(Set.of("c", "d"), byMulticast());
        pass(19_000, "b", "c", "d");
        assertEquals(Set.of("c", "d"), byMulticast(), "twice as long");
        pass(2000, "b", "c", "d");
        assertEquals(Set.of("b", "c", "d"), byMulticast());
    }

    @Test
    void oneBadSecondIsForgotten() {
        pass(1000, "b", "c", "d");
        for (int i = 0; i < 5; i++) {
            pass(1000, Set.of("b", "c", "d"), 50);
            pass(1000, "b", "c", "d");
        }
        assertEquals(Set.of("b", "c", "d"), byMulticast());
    }

    @Test
    void whatIsConfirmedLateOrWasNeverSentIsNoEvidence() {
        pass(STEP);
        for (int i = 0; i < 30; i++) {
            now += STEP;
            hearing.confirmed("b", now - 800, now - 800, LARGE, now);
            hearing.confirmed("c", now + 1, now + 1, LARGE, now);
            hearing.confirmed("z", now, now, LARGE, now);
            look();
        }
        assertEquals(Set.of(), byMulticast());
        assertFalse(hearing.reached().containsKey("z"));
    }

    @Test
    void aNewPeerHasTimeToHearBeforeItIsToldThatItDoesNot() {
        pass(1000, "b", "c", "d");
        changes.clear();
        peers = List.of("b", "c", "d", "e");
        pass(2000, "b", "c", "d");
        assertEquals(List.of(), changes);
        pass(STEP, "b", "c", "d");
        assertEquals(List.of("3100 e TCP"), changes);
        peers = List.of("b", "c", "d");
        pass(STEP, "b", "c", "d");
        assertEquals(Set.of("b", "c", "d"), hearing.reached().keySet());
        assertEquals(1, changes.size());
    }
}
