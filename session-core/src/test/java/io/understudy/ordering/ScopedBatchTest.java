package io.understudy.ordering;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ScopedBatchTest {

    private static final Address SENDER = UUID.randomUUID();
    private static final String GOLDEN = "011b 0102030405060708 ac02 02 a702 03" + " 0000000000000009 01 00 ad02 02";

    private static final int ROOM = 8;

    private static ScopedBatch batch() {
        ScopedBatch batch = new ScopedBatch(ROOM);
        batch.add(new ScopeHeader(0x0102030405060708L, 300, 5, 2), bytes("abc"), 3);
        batch.add(new ScopeHeader(9, 301, 0, 2), bytes("de"), 2);
        return batch;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static ScopesHeader header(Message message) {
        return message.getHeader(SCOPE.ID);
    }

    static ScopesHeader read(byte[] bytes) throws IOException {
        ScopesHeader header = new ScopesHeader();
        header.readFrom(new ByteArrayDataInputStream(bytes));
        return header;
    }

    @Test
    void theHeadersBytesAreAsDocumented() throws IOException {
        ScopesHeader header = header(batch().take());
        ByteArrayDataOutputStream out = new ByteArrayDataOutputStream();
        header.writeTo(out);
        byte[] bytes = HexFormat.of().parseHex(GOLDEN.replace(" ", ""));
        assertEquals(HexFormat.of().formatHex(bytes), HexFormat.of().formatHex(out.buffer(), 0, out.position()));
        assertEquals(bytes.length, header.serializedSize());
        assertTrue(
                bytes.length - 2 <= batch().bytes() - 5,
                "the block is no longer than the batch tells, without its payload");
        ScopesHeader read = read(bytes);
        assertEquals(List.of(2, 3, 2), List.of(read.count(), read.length(0), read.length(1)));
        assertEquals(
                List.of(header.place(0).toString(), header.place(1).toString()),
                List.of(read.place(0).toString(), read.place(1).toString()));
    }

    @Test
    void eachComesOutWithItsPlaceAndItsBytes() {
        ScopedBatch batch = batch();
        Message together = batch.take().setSrc(SENDER);
        assertTrue(batch.isEmpty());
        assertEquals(0, batch.bytes());
        assertEquals(5, together.getLength(), "the credits of it are those of all in it");
        List<Message> messages = ScopedBatch.apart(together);
        assertEquals(2, messages.size());
        for (int i = 0; i < 2; i++) {
            Message message = messages.get(i);
            ScopeHeader place = message.getHeader(SCOPE.ID);
            assertEquals(300 + i, place.number());
            assertEquals(SENDER, message.getSrc());
            Message alone = ScopedBatch.alone(message);
            assertNotSame(message, alone);
            assertArrayEquals(bytes(i == 0 ? "abc" : "de"), alone.getArray());
            assertSame(place, alone.getHeader(SCOPE.ID));
            assertEquals(SENDER, alone.getSrc());
        }
    }

    @Test
    void oneGoesAsItIs() {
        ScopedBatch batch = new ScopedBatch(ROOM);
        batch.add(new ScopeHeader(9, 301, 0, 2), bytes("de"), 2);
        Message message = batch.take();
        assertTrue(message.getHeader(SCOPE.ID) instanceof ScopeHeader);
        assertEquals(List.of(message), ScopedBatch.apart(message));
        assertSame(message, ScopedBatch.alone(message));
    }

    @Test
    void aHeaderThatDoesNotFitIsRefused() {
        ScopesHeader header = header(batch().take());
        for (int length : new int[] {0, 3, 4, 6}) {
            Message other = new BytesMessage(null, new byte[length]).putHeader(SCOPE.ID, header);
            assertThrows(IllegalArgumentException.class, () -> ScopedBatch.apart(other), () -> length + " bytes");
        }
        assertThrows(IOException.class, () -> read(HexFormat.of().parseHex("04ffffff7f")), "2^31-1 bytes");
    }

    @Test
    void aMessageKeepsItsBytesWhenTheBatchIsUsedAgain() {
        ScopedBatch batch = new ScopedBatch(ROOM);
        List<Message> taken = new ArrayList<>();
        for (String text : List.of("abc", "abcdef", "longer than there is room", "d", "abcdefgh")) {
            batch.add(new ScopeHeader(9, 301, 0, 2), bytes(text + "and what is not of it"), text.length());
            taken.add(batch.take());
        }
        assertEquals(
                List.of("abc", "abcdef", "longer than there is room", "d", "abcdefgh"),
                taken.stream().map(ScopedBatchTest::text).toList());
        assertTrue(
                taken.stream().allMatch(message -> message.getArray().length <= Math.max(ROOM, message.getLength())),
                "a message occupies no more than it or the batch needs");
        assertEquals(1, taken.get(3).getArray().length, "a short one does not keep the batch's array");
    }

    private static String text(Message message) {
        return new String(message.getArray(), message.getOffset(), message.getLength(), StandardCharsets.US_ASCII);
    }

    @Test
    void placesThatAreCutOffAreRefused() {
        byte[] bytes = HexFormat.of().parseHex(GOLDEN.replace(" ", ""));
        for (int length = 3; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            cut[1] = (byte) (length - 2);
            if (length != 2 + 14) {
                assertThrows(IOException.class, () -> read(cut), () -> cut.length + " bytes");
            }
        }
    }
}
