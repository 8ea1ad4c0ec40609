package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.replica.SessionKey;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Part;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class FrameReassemblyTest {

    private static final Address A = UUID.randomUUID();
    private static final Address B = UUID.randomUUID();

    private final FrameReassembly assemblies = new FrameReassembly(1000);

    @Test
    void piecesInAnyOrderAndTwiceMakeTheWhole() {
        part(A, 1, 2, 5, 6);
        part(A, 1, 0, 1, 2);
        part(B, 1, 0, 99);
        part(A, 1, 2, 5, 6);
        part(A, 1, 1, 3, 4);
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7}, complete(A, 1, 3, 7));
        assertNull(complete(A, 1, 3, 7), "it is freed");
        assertArrayEquals(new byte[] {99, 7}, complete(B, 1, 1, 7));
        assertEquals(0, assemblies.cost());
    }

    @Test
    void aMissingPieceOrOneTooManyIsNoWhole() {
        part(A, 1, 0, 1);
        assertNull(complete(A, 1, 2, 7));
        part(A, 2, 0, 1);
        part(A, 2, 2, 3);
        assertNull(complete(A, 2, 2, 7), "piece 1 is missing");
        assertNull(complete(A, 3, 1, 7), "none came");
        assertArrayEquals(new byte[] {7}, complete(A, 4, 0, 7), "none was needed");
        assertEquals(0, assemblies.cost());
    }

    @Test
    void aboveTheBoundTheOldestAreFreed() {
        for (int transfer = 1; transfer <= 3; transfer++) {
            part(A, transfer, 0, new byte[400]);
        }
        assertNull(complete(A, 1, 1, 7));
        assertEquals(401, complete(A, 2, 1, 7).length);
        assertEquals(401, complete(A, 3, 1, 7).length);
        for (int index = 0; index < 100; index++) {
            part(A, 4, index);
        }
        assertNull(complete(A, 4, 100, 7), "empty pieces cost, too");
        assertEquals(0, assemblies.cost());
    }

    @Test
    void whatComesToNoEndIsFreed() {
        assemblies.add(A, new Part(0, 1, 0, ByteBuffer.allocate(10)), 50);
        assemblies.add(A, new Part(0, 2, 0, ByteBuffer.allocate(10)), 60);
        assemblies.add(B, new Part(0, 1, 0, ByteBuffer.allocate(10)), 60);
        assemblies.sweep(60);
        assertNull(complete(A, 1, 1, 7));
        assemblies.view(Set.of(A));
        assertNull(complete(B, 1, 1, 7), "its sender left");
        assertEquals(11, complete(A, 2, 1, 7).length);
        assertEquals(0, assemblies.cost());
    }

    private void part(Address sender, long transfer, int index, int... bytes) {
        byte[] piece = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            piece[i] = (byte) bytes[i];
        }
        part(sender, transfer, index, piece);
    }

    private void part(Address sender, long transfer, int index, byte[] bytes) {
        assemblies.add(sender, new Part(0, transfer, index, ByteBuffer.wrap(bytes)), 0);
    }

    private byte[] complete(Address sender, long transfer, int parts, int rest) {
        ByteBuffer last = ByteBuffer.wrap(new byte[] {(byte) rest});
        return assemblies.complete(sender, new LastPart(0, new SessionKey(1), transfer, parts, last));
    }
}
