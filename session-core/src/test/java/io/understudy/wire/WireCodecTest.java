package io.understudy.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.Touch;
import io.understudy.wire.Frame.Update;
import io.understudy.wire.GoldenFrames.Golden;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire format, in every version that is read. */
@Tag("rules")
class WireCodecTest {

    /** More than any of these small frames may take to decode, in bytes; error messages included. */
    private static final long MAX_ALLOCATED = 64 * 1024;

    private static final long APPLICATION = GoldenFrames.APPLICATION;
    private static final SessionKey KEY = GoldenFrames.KEY;

    static List<Golden> goldens() {
        return GoldenFrames.all();
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void theBytesOfEveryKindAreAsTheGrammarSays(Golden golden) throws WireFormatException {
        assertEquals(
                HexFormat.of().formatHex(golden.bytes()),
                HexFormat.of().formatHex(WireCodec.encode(golden.frame(), golden.version())));
        assertEquals(golden.frame(), decode(golden.bytes()));
    }

    @Test
    void everyKindHasGoldenBytesInEveryVersion() {
        Set<Integer> kinds = Set.of(
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 21, 22, 23, 25, 26, 30, 31, 32, 33, 34,
                44, 45, 46);
        assertEquals(kinds, kinds(1));
        Set<Integer> later = new HashSet<>(kinds);
        later.removeAll(Set.of(4, 25)); // By which members agree on a version.
        assertEquals(later, kinds(2));
        assertEquals(2, WireCodec.HIGHEST_VERSION);
    }

    private static Set<Integer> kinds(int version) {
        return goldens().stream()
                .filter(golden -> golden.version() == version)
                .map(golden -> (int) golden.bytes()[1])
                .collect(Collectors.toSet());
    }

    @Test
    void whatMembersAgreeOnAVersionByIsOfTheFirst() throws WireFormatException {
        Presence presence = new Presence(1, 2, false, 7, 9, List.of());
        assertEquals(1, WireCodec.encode(presence, 2)[0]);
        assertEquals(presence, decode(WireCodec.encode(presence, 2)));
        assertEquals(1, WireCodec.encode(new Frame.Heard(1), 2)[0]);
    }

    /** Those that docs/design/wire-format.md states. */
    @Test
    void versionTwoTakesFewerBytes() {
        List<Stamp> stamps = IntStream.range(0, 200)
                .mapToObj(millis -> new Stamp((1_800_000_000_000L + millis) << 16, 0x99))
                .toList();
        List<Update> announced = stamps.stream()
                .map(stamp -> new Update(
                        1,
                        1,
                        SessionDelta.created(new SessionKey(stamp.time()), stamp, "0123456789ABCDEF".repeat(2), 1800)))
                .toList();
        List<Touch> uses = stamps.stream()
                .map(stamp -> new Touch(new SessionKey(stamp.time()), stamp, 1))
                .toList();
        assertEquals(
                List.of(83, 54), perElement(length -> new Frame.Beginnings(APPLICATION, announced.subList(0, length))));
        assertEquals(List.of(18, 13), perElement(length -> new Frame.Touches(APPLICATION, uses.subList(0, length))));
        assertEquals(List.of(76, 68), sizes(change(stamps.get(0), 1)));
        assertEquals(List.of(150, 126), sizes(change(stamps.get(0), 3)));
        assertEquals(List.of(409, 329), sizes(change(stamps.get(0), 10)));
    }

    private static Change change(Stamp stamp, int attributes) {
        Map<String, StampedBytes> written = IntStream.range(0, attributes)
                .boxed()
                .collect(Collectors.toMap(number -> "name" + number, number -> StampedBytes.of(stamp, new byte[20])));
        return new Change(
                APPLICATION, new Update(1, 1, new SessionDelta(KEY, false, null, null, stamp, written, null)));
    }

    private static List<Integer> perElement(IntFunction<Frame> frame) {
        List<Integer> few = sizes(frame.apply(100));
        List<Integer> many = sizes(frame.apply(200));
        return List.of((many.get(0) - few.get(0)) / 100, (many.get(1) - few.get(1)) / 100);
    }

    /** In versions 1 and 2. */
    private static List<Integer> sizes(Frame frame) {
        return List.of(WireCodec.encode(frame, 1).length, WireCodec.encode(frame, 2).length);
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void changesThatOnlyWriteAreKnownByTheirBeginning(Golden golden) {
        boolean writes = false;
        if (golden.frame() instanceof Change change) {
            SessionDelta delta = change.update().delta();
            SessionDelta written =
                    new SessionDelta(delta.key(), false, null, null, delta.lastUse(), delta.attributes(), null);
            writes = delta.equals(written);
        }
        byte[] bytes = golden.bytes();
        assertEquals(writes, WireCodec.writesOnly(bytes, 0, bytes.length));
        for (int length = 0; length < 20; length++) {
            assertFalse(WireCodec.writesOnly(bytes, 0, Math.min(length, bytes.length - 1)), "cut at " + length);
        }
    }

    @Test
    void thereAreChangesThatOnlyWrite() {
        byte[] change = WireCodec.encode(change(new Stamp(1_800_000_000_000L << 16, 0x99), 3), 2);
        assertTrue(WireCodec.writesOnly(change, 0, change.length));
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void aFrameInTheMiddleOfABufferIsReadWithinItsBounds(Golden golden) throws WireFormatException {
        byte[] bytes = golden.bytes();
        byte[] buffer = new byte[bytes.length + 32];
        Arrays.fill(buffer, (byte) 1);
        System.arraycopy(bytes, 0, buffer, 16, bytes.length);
        assertEquals(golden.frame(), WireCodec.decode(buffer, 16, bytes.length));
        for (int length = 0; length < bytes.length; length++) {
            int cut = length;
            assertThrows(WireFormatException.class, () -> WireCodec.decode(buffer, 16, cut), () -> "cut at " + cut);
        }
        assertThrows(WireFormatException.class, () -> WireCodec.decode(buffer, 16, bytes.length + 1));
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void everyChangedByteIsReadAsAFrameOrRefused(Golden golden) {
        byte[] bytes = golden.bytes();
        int refused = 0;
        for (int at = 0; at < bytes.length; at++) {
            // What stands far behind is one of many numbers of one kind: each of its bits is enough.
            for (int flip = 1; flip < 256; flip = at < 200 ? flip + 1 : flip << 1) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) flip;
                refused += decodesOrIsRefused(changed) ? 0 : 1;
            }
        }
        assertTrue(refused >= 2 * 245, "version and kind alone must refuse more, were " + refused);
    }

    /** Anything but a frame or a {@link WireFormatException} fails the test, and so does a great allocation. */
    private static boolean decodesOrIsRefused(byte[] bytes) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Frame decoded;
        try {
            decoded = decode(bytes);
        } catch (WireFormatException e) {
            decoded = null;
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(
                allocated < MAX_ALLOCATED,
                () -> allocated + " bytes for " + HexFormat.of().formatHex(bytes));
        if (decoded != null) {
            WireCodec.encode(decoded, bytes[0]);
        }
        return decoded != null;
    }

    @Test
    void theMessageNamesWhereWhatWasExpectedAndWhatWasFound() {
        assertRefused("at byte 1: expected a wire version from 1 to 2, found version 3", "03 05");
        assertRefused("at byte 2: expected a known kind, found kind 99", "01 63");
        assertRefused("at byte 0: expected version (1 bytes), found only 0 bytes left", "");
        assertRefused("at byte 2: expected application (8 bytes), found only 3 bytes left", "01 05 000000");
        assertRefused("at byte 10: expected the end of the frame, found 2 more bytes", "01 05 0000000000000a0b 0000");
        assertRefused("at byte 3: expected count of acks from 0 to 1, found 127", "01 03 7f");
        assertRefused(
                "at byte 18: expected a phase from 0 to 2, found phase 3",
                "01 04 0000000000000099 01 01 01 01 01 01 61 03");
        assertRefused("at byte 13: expected id in UTF-8, found malformed bytes", "01 09 01 0000000000000a0b 01 ff");
        assertRefused("expected an attribute name after 'b', found 'a'", """
                01 01 0000000000000a0b 00 00 0000000000000007 00 02
                01 62 0000000000000001 00 0000000000000099 01
                01 61 0000000000000001 00 01
                """);
        assertRefused(
                "expected session it goes on as (8 bytes), found only 1 bytes left",
                "01 01 0000000000000a0b 00 00 0000000000000007 30 00");
        assertRefused(
                "expected last use with a time from 0 to 4611686018427387904, found -1",
                "01 01 0000000000000a0b 00 00 0000000000000007 08 ffffffffffffffff 00 0000000000000099 00");
        assertRefused(
                "found 4611686018427387905",
                "01 01 0000000000000a0b 00 00 0000000000000007 08 4000000000000001 00 0000000000000099 00");
    }

    /** So that its sessions can be asked for one by one. */
    @Test
    void unreadableSessionsTellTheirQuestion() {
        assertEquals(7, refused("01 0a 07 00 01 00 00").answered(), "cut off");
        assertEquals(7, refused("02 0a 07 00 00 00").answered(), "a byte more");
        assertEquals(0, refused("01 0a").answered());
        assertEquals(0, refused("01 07 07 00 01").answered(), "digests");
    }

    @Test
    void stampsOfVersion2AreWrittenInOneWay() {
        String change = "02 01 0000000000000a0b 00 00 0000000000000007";
        assertRefused("the first stamp, with its origin, found the stamp before it", change + "08 00 00");
        assertRefused(
                "expected stamp of attribute unlike the stamp before it, found the same",
                change + "08 01 0000000000000099 0000000000010000 01 01 61 01 00 01");
        assertRefused(
                "with a time from 0 to 4611686018427387904, found -1",
                change + "08 01 0000000000000099 0000000000000000 01 01 61 01 01 01");
        assertRefused(
                "with a time from 0 to 4611686018427387904, found -",
                change + "08 01 0000000000000099 4000000000000000 01 01 61 01 feffffffffffffffff01 01");
    }

    private static WireFormatException refused(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replaceAll("\\s+", ""));
        return assertThrows(WireFormatException.class, () -> decode(bytes));
    }

    private static void assertRefused(String message, String hex) {
        WireFormatException refused = refused(hex);
        assertTrue(refused.getMessage().contains(message), refused.getMessage());
    }

    private static Frame decode(byte[] bytes) throws WireFormatException {
        return WireCodec.decode(bytes, 0, bytes.length);
    }
}
