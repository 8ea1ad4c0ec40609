package io.understudy.network.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which beacons are sent, and which confirmed, with time moved by hand. */
@Tag("rules")
class BeaconsTest {

    private static final byte[] NAME = Datagram.name("shop");
    private static final UUID SENDER = new UUID(1, 2);

    private final Beacons sent = new Beacons(NAME);
    private final Beacons heard = new Beacons(NAME);

    private int size(long now) {
        return sent.next(SENDER, now).length;
    }

    private @Nullable BeaconAckHeader arrives(byte[] beacon, long now) throws Exception {
        return heard.hear(Datagram.read(beacon, 0, beacon.length, NAME), beacon.length, now);
    }

    @Test
    void smallAndLargeOnesTakeTurns() {
        assertEquals(List.of(200, 3000, 200, 3000), List.of(size(0), size(100), size(200), size(300)));
    }

    @Test
    void largeOnesAreAsLargeAsAnyDatagramForAMinuteAfterOneThatWasLarger() {
        sent.wanted(3000, 0);
        assertEquals(List.of(200, 3000), List.of(size(0), size(100)));
        sent.wanted(3001, 200);
        assertEquals(List.of(200, 16_000), List.of(size(200), size(60_200)));
        assertEquals(List.of(200, 3000), List.of(size(60_201), size(60_201)));
    }

    @Test
    void largeOnesAreConfirmedAtOnceAndSmallOnesWithThemOrAlone() throws Exception {
        assertNotNull(arrives(sent.next(SENDER, 1), 1000));
        BeaconAckHeader both = arrives(sent.next(SENDER, 100), 1100);
        assertNotNull(both);
        assertEquals(List.of(1L, 100L, 3000L), List.of(both.small(), both.large(), (long) both.largeBytes()));
        assertNull(arrives(sent.next(SENDER, 200), 1200));
        assertNotNull(sent.next(SENDER, 300), "a large one that is lost");
        BeaconAckHeader alone = arrives(sent.next(SENDER, 400), 1400);
        assertNotNull(alone);
        assertEquals(List.of(400L, 100L), List.of(alone.small(), alone.large()));
        heard.retain(List.of());
        BeaconAckHeader anew = arrives(Datagram.beacon(Datagram.Kind.SMALL, SENDER, NAME, 500, 200), 1500);
        assertNotNull(anew);
        assertEquals(-1, anew.large());
    }
}
