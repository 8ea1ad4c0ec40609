package io.understudy.network.multicast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Random;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is taken for a datagram of the cluster, and what is not. */
@Tag("rules")
class DatagramTest {

    private static final byte[] NAME = Datagram.name("shop");
    private static final UUID SENDER = new UUID(1, 2);

    private static Datagram read(byte[] bytes) throws Exception {
        return Datagram.read(bytes, 0, bytes.length, NAME);
    }

    @Test
    void beaconsTellTheirSenderAndTimeAndHaveTheirSize() throws Exception {
        byte[] beacon = Datagram.beacon(Datagram.Kind.LARGE, SENDER, NAME, 4711, 3000);
        assertEquals(3000, beacon.length);
        Datagram read = read(beacon);
        assertEquals(Datagram.Kind.LARGE, read.kind());
        assertEquals(SENDER, read.sender());
        assertEquals(4711, read.sentMillis());
    }

    @Test
    void packetsComeOutAsTheyWentIn() throws Exception {
        byte[] packet = {7, 8, 9};
        byte[] bytes = new byte[Datagram.overhead(NAME) + packet.length];
        Datagram.begin(bytes, Datagram.Kind.DATA, SENDER, NAME);
        System.arraycopy(packet, 0, bytes, Datagram.overhead(NAME), packet.length);
        byte[] among = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, among, 10, bytes.length);
        Datagram read = Datagram.read(among, 10, bytes.length, NAME);
        assertEquals(Datagram.Kind.DATA, read.kind());
        assertArrayEquals(packet, Arrays.copyOfRange(read.bytes(), read.offset(), read.offset() + read.length()));
    }

    @Test
    void anotherClusterIsReadNoFurtherThanItsName() {
        for (String other : new String[] {"", "shoq", "shop2", "sho"}) {
            byte[] beacon = Datagram.beacon(Datagram.Kind.SMALL, SENDER, Datagram.name(other), 1, 100);
            assertThrows(Datagram.Foreign.class, () -> read(beacon), other);
        }
    }

    @Test
    void whatIsCutShortOrNeverWasOneIsMalformed() throws Exception {
        byte[] beacon = Datagram.beacon(Datagram.Kind.SMALL, SENDER, NAME, 1, 0);
        assertEquals(1, read(beacon).sentMillis());
        for (int length = 0; length < beacon.length; length++) {
            byte[] cut = Arrays.copyOf(beacon, length);
            assertThrows(Datagram.Malformed.class, () -> read(cut), length + " bytes");
        }
        for (int i = 0; i < 4; i++) {
            byte[] wrong = beacon.clone();
            wrong[i] = 99;
            assertThrows(Datagram.Malformed.class, () -> read(wrong), "byte " + i);
        }
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            assertThrows(Datagram.Malformed.class, () -> read(noise));
        }
    }
}
