package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.understudy.codec.Frame.Ack;
import io.understudy.codec.Frame.Acks;
import io.understudy.codec.Frame.BucketRequest;
import io.understudy.codec.Frame.Buckets;
import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Counting;
import io.understudy.codec.Frame.DigestRequest;
import io.understudy.codec.Frame.Digests;
import io.understudy.codec.Frame.FindRequest;
import io.understudy.codec.Frame.LastPart;
import io.understudy.codec.Frame.Locking;
import io.understudy.codec.Frame.Membership;
import io.understudy.codec.Frame.Part;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Presence;
import io.understudy.codec.Frame.StateRequest;
import io.understudy.codec.Frame.States;
import io.understudy.codec.Frame.Touch;
import io.understudy.codec.Frame.Touches;
import io.understudy.codec.Frame.Update;
import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.lock.LockMessage.Ask;
import io.understudy.lock.LockMessage.Claim;
import io.understudy.lock.LockMessage.Grant;
import io.understudy.lock.LockMessage.Release;
import io.understudy.lock.LockMessage.Report;
import io.understudy.lock.LockMessage.Request;
import io.understudy.lock.LockView;
import io.understudy.replica.Ending;
import io.understudy.replica.Renames;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Version 1 of the wire format. The bytes here are what older and newer members speak: a change of them needs a new version. */
class WireCodecTest {

    /** More than any of these small frames may take to decode, in bytes; error messages included. */
    private static final long MAX_ALLOCATED = 64 * 1024;

    private static final long APPLICATION = 0x0A0B;
    private static final SessionKey KEY = new SessionKey(7);
    private static final LockView.Tag VIEW = new LockView.Tag(5, 0x99);

    /** A frame and its bytes, written down by hand from the grammar. */
    record Golden(Frame frame, String hex) {

        byte[] bytes() {
            return HexFormat.of().parseHex(hex.replaceAll("\\s+", ""));
        }

        @Override
        public String toString() {
            return frame.getClass().getSimpleName();
        }
    }

    private static Frame ends(ExpiryMessage message) {
        return new Frame.Ends(APPLICATION, message);
    }

    static List<Golden> goldens() {
        Stamp written = new Stamp(0x1_0000, 0x99);
        SessionDelta whole = new SessionDelta(
                KEY,
                true,
                new Stamped<>(written, "s1"),
                new Stamped<>(new Stamp(0x1_0001, 0x99), 1800),
                new Stamp(0x1_0002, -1),
                Map.of(
                        "cart", StampedBytes.of(new Stamp(0x1_0003, 0x99), new byte[] {1, 2, 3}),
                        "gone", StampedBytes.tombstone(new Stamp(0x1_0004, -1))),
                null);
        String wholeHex = """
                ac02 05 0000000000000007 0f
                0000000000010000 00 0000000000000099 02 7331
                0000000000010001 00 901c
                0000000000010002 01 ffffffffffffffff
                02
                04 63617274 0000000000010003 00 00 03 010203
                04 676f6e65 0000000000010004 01 01
                """;
        SessionDelta never = new SessionDelta(
                KEY,
                false,
                null,
                new Stamped<>(written, -1),
                null,
                Map.of(),
                Ending.expired(new Stamp(0x1_0001, 0x99)));
        SessionDelta renamed = new SessionDelta(
                KEY,
                false,
                new Stamped<>(new Stamp(0x1_0005, 0x99), "s3"),
                null,
                null,
                Map.of(),
                null,
                written,
                Renames.read(
                        List.of(new Stamped<>(new Stamp(0x1_0004, -1), "s2")),
                        List.of(new Stamp(0x1_0001, 0x99)),
                        written));
        long[] sums = new long[256];
        sums[0] = 10;
        sums[255] = -2;
        return List.of(
                new Golden(new Change(APPLICATION, new Update(300, 5, whole)), "01 01 0000000000000a0b" + wholeHex),
                new Golden(new Change(APPLICATION, new Update(0, 0, never)), """
                        01 01 0000000000000a0b 00 00 0000000000000007 24
                        0000000000010000 00 0000000000000099 01
                        0000000000010001 00
                        00
                        """),
                new Golden(
                        new Touches(APPLICATION, List.of(new Touch(KEY, written, 300), new Touch(KEY, written, 0))),
                        """
                        01 02 0000000000000a0b 02
                        0000000000000007 0000000000010000 00 0000000000000099 ac02
                        0000000000000007 0000000000010000 00 00
                        """),
                new Golden(
                        new Part(APPLICATION, 300, 2, ByteBuffer.wrap(new byte[] {4, 5})),
                        "01 0c 0000000000000a0b ac02 02 02 0405"),
                new Golden(
                        new LastPart(APPLICATION, KEY, 300, 3, ByteBuffer.wrap(new byte[] {6})),
                        "01 0d 0000000000000a0b 0000000000000007 ac02 03 01 06"),
                new Golden(new Acks(List.of(new Ack(5, true), new Ack(64, false))), "01 03 02 0b 8001"),
                new Golden(
                        new Presence(
                                0x99,
                                300,
                                true,
                                1,
                                2,
                                List.of(
                                        new Membership("/a", Phase.JOINING, true, true),
                                        new Membership("/b", Phase.COUNTED, false, false),
                                        new Membership("/ü", Phase.READY, true, false))),
                        "01 04 0000000000000099 ac02 01 01 02 03 02 2f61 00 03 02 2f62 01 00 03 2fc3bc 02 01"),
                new Golden(
                        new Change(APPLICATION, new Update(0, 0, SessionDelta.united(KEY, new SessionKey(9)))),
                        "01 01 0000000000000a0b 00 00 0000000000000007 31 0000000000000009 00"),
                new Golden(new Frame.Heard(300), "01 19 ac02"),
                new Golden(new Frame.LastRequest(300, APPLICATION, true), "01 2c ac02 0000000000000a0b 01"),
                new Golden(new Frame.LastAnswer(300, true), "01 2d ac02 01"),
                new Golden(new Frame.Restored(APPLICATION, 300), "01 2e 0000000000000a0b ac02"),
                new Golden(new Counting(APPLICATION), "01 05 0000000000000a0b"),
                new Golden(new Frame.Refusal(200), "01 0b c801"),
                new Golden(new BucketRequest(200, APPLICATION), "01 15 c801 0000000000000a0b"),
                new Golden(
                        new Buckets(1, sums), "01 16 01 000000000000000a" + "00".repeat(8 * 254) + "fffffffffffffffe"),
                new Golden(
                        new DigestRequest(200, APPLICATION, BitSet.valueOf(new long[] {1, 0, 0, 2}), null),
                        "01 17 c801 0000000000000a0b 0000000000000001" + "00".repeat(16) + "0000000000000002 00"),
                new Golden(
                        new DigestRequest(1, APPLICATION, new BitSet(), KEY),
                        "01 17 01 0000000000000a0b" + "00".repeat(32) + "01 0000000000000007"),
                new Golden(new Change(APPLICATION, new Update(0, 0, renamed)), """
                        01 01 0000000000000a0b 00 00 0000000000000007 c2
                        0000000000010005 00 0000000000000099 02 7333
                        0000000000010000 00
                        01 0000000000010004 01 ffffffffffffffff 02 7332
                        01 0000000000010001 00
                        01 0000000000010000 00
                        00
                        """),
                new Golden(
                        new Digests(1, List.of(new SessionDigest(KEY, -2)), true),
                        "01 07 01 01 01 0000000000000007 fffffffffffffffe"),
                new Golden(
                        new StateRequest(1, APPLICATION, List.of(KEY, new SessionKey(8))),
                        "01 08 01 0000000000000a0b 02 0000000000000007 0000000000000008"),
                new Golden(new FindRequest(1, APPLICATION, "s1"), "01 09 01 0000000000000a0b 02 7331"),
                new Golden(
                        new States(
                                1,
                                List.of(
                                        new Update(300, 5, whole),
                                        new Update(1, 1, SessionDelta.invalidated(new SessionKey(8)))),
                                true),
                        "01 0a 01 01 02" + wholeHex + "01 01 0000000000000008 11 00"),
                new Golden(new Locking(new Request(VIEW, KEY, 200)), "01 0f 05 0000000000000099 0000000000000007 c801"),
                new Golden(
                        new Locking(new Grant(VIEW, KEY, 200, 300)),
                        "01 10 05 0000000000000099 0000000000000007 c801 ac02"),
                new Golden(
                        new Locking(new Release(VIEW, KEY, 200, 0)),
                        "01 11 05 0000000000000099 0000000000000007 c801 00"),
                new Golden(
                        new Locking(new Report(
                                VIEW,
                                true,
                                false,
                                List.of(new Claim(KEY, 200, 300), new Claim(new SessionKey(8), 1, 0)))),
                        """
                        01 12 05 0000000000000099 01 02
                        0000000000000007 c801 ac02
                        0000000000000008 01 00
                        """),
                new Golden(new Locking(new Report(VIEW, false, true, List.of())), "01 12 05 0000000000000099 02 00"),
                new Golden(new Locking(new Ask(VIEW)), "01 13 05 0000000000000099"),
                new Golden(
                        ends(new ExpiryMessage.Claims(
                                200,
                                List.of(
                                        new io.understudy.expiry.Claim(KEY, Kind.EXPIRY, written),
                                        new io.understudy.expiry.Claim(KEY, Kind.INVALIDATION, null)))),
                        """
                        01 1e 0000000000000a0b c801 02
                        0000000000000007 00 01 0000000000010000 00 0000000000000099
                        0000000000000007 01 00
                        """),
                new Golden(
                        ends(new ExpiryMessage.Votes(
                                200,
                                List.of(
                                        new Veto(KEY, Reason.USED, written, 300),
                                        new Veto(KEY, Reason.CLAIMED, null, 0)))),
                        """
                        01 1f 0000000000000a0b c801 02
                        0000000000000007 00 01 0000000000010000 00 0000000000000099 ac02
                        0000000000000007 03 00 00
                        """),
                new Golden(
                        ends(new ExpiryMessage.GivenUp(200, List.of(KEY))),
                        "01 20 0000000000000a0b c801 01 0000000000000007"),
                new Golden(
                        ends(new ExpiryMessage.Ask(200, List.of(KEY))),
                        "01 21 0000000000000a0b c801 01 0000000000000007"),
                new Golden(
                        ends(new ExpiryMessage.Orphans(
                                200, List.of(new io.understudy.expiry.Claim(KEY, Kind.INVALIDATION, null)))),
                        "01 22 0000000000000a0b c801 01 0000000000000007 01 00"));
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void theBytesOfEveryKindAreAsTheGrammarSays(Golden golden) throws WireFormatException {
        assertEquals(
                HexFormat.of().formatHex(golden.bytes()), HexFormat.of().formatHex(WireCodec.encode(golden.frame())));
        assertEquals(golden.frame(), decode(golden.bytes()));
    }

    @Test
    void everyKindHasGoldenBytes() {
        Set<Byte> kinds = new HashSet<>();
        goldens().forEach(golden -> kinds.add(golden.bytes()[1]));
        assertEquals(
                Set.of(
                        (byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5, (byte) 7, (byte) 8, (byte) 9, (byte) 10,
                        (byte) 11, (byte) 12, (byte) 13, (byte) 15, (byte) 16, (byte) 17, (byte) 18, (byte) 19,
                        (byte) 21, (byte) 22, (byte) 23, (byte) 25, (byte) 30, (byte) 31, (byte) 32, (byte) 33,
                        (byte) 34, (byte) 44, (byte) 45, (byte) 46),
                kinds);
    }

    @Property
    void updatesComeBackAsTheyWere(@ForAll("updates") Update update) throws WireFormatException {
        Change change = new Change(APPLICATION, update);
        assertEquals(change, decode(WireCodec.encode(change)));
        States states = new States(1, List.of(update, update), false);
        assertEquals(states, decode(WireCodec.encode(states)));
    }

    @Property
    void numbersOfEverySizeComeBack(@ForAll long request, @ForAll long application, @ForAll long hash)
            throws WireFormatException {
        Digests digests = new Digests(request, List.of(new SessionDigest(new SessionKey(application), hash)), false);
        assertEquals(digests, decode(WireCodec.encode(digests)));
        Acks acks = new Acks(List.of(new Ack(hash >>> 1, true)));
        assertEquals(acks, decode(WireCodec.encode(acks)));
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
            for (int flip = 1; flip < 256; flip++) {
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
            WireCodec.encode(decoded);
        }
        return decoded != null;
    }

    @Test
    void theMessageNamesWhereWhatWasExpectedAndWhatWasFound() {
        assertRefused("at byte 1: expected wire version 1, found version 2", "02 05");
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

    private static void assertRefused(String message, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replaceAll("\\s+", ""));
        WireFormatException refused = assertThrows(WireFormatException.class, () -> decode(bytes));
        assertTrue(refused.getMessage().contains(message), refused.getMessage());
    }

    private static Frame decode(byte[] bytes) throws WireFormatException {
        return WireCodec.decode(bytes, 0, bytes.length);
    }

    @Provide
    Arbitrary<Update> updates() {
        Arbitrary<Stamp> stamps = Combinators.combine(
                        Arbitraries.longs().between(0, Stamp.MAX_TIME), Arbitraries.of(0L, 1L, -1L, Long.MIN_VALUE))
                .as(Stamp::new);
        Arbitrary<String> texts = Arbitraries.strings().withChars("aZ.é中").ofMaxLength(200);
        Arbitrary<StampedBytes> values = Combinators.combine(
                        stamps,
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(300).injectNull(0.2))
                .as((stamp, bytes) -> bytes == null ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, bytes));
        Arbitrary<SessionDelta> deltas = Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.of(true, false),
                        Combinators.combine(stamps, texts)
                                .as((stamp, id) -> new Stamped<>(stamp, id))
                                .injectNull(0.3),
                        Combinators.combine(stamps, Arbitraries.integers())
                                .as((stamp, seconds) -> new Stamped<>(stamp, seconds))
                                .injectNull(0.3),
                        stamps.injectNull(0.3),
                        Arbitraries.maps(texts, values).ofMaxSize(5),
                        Arbitraries.oneOf(
                                        Arbitraries.just(Ending.INVALIDATED),
                                        stamps.map(Ending::expired),
                                        Arbitraries.just(Ending.united(KEY)))
                                .injectNull(0.5),
                        Combinators.combine(
                                        stamps.injectNull(0.3),
                                        Combinators.combine(stamps, texts)
                                                .as((stamp, id) -> new Stamped<>(stamp, id))
                                                .list()
                                                .ofMaxSize(3),
                                        stamps.list().ofMaxSize(20),
                                        stamps.injectNull(0.5))
                                .as((created, rivals, replaced, floor) ->
                                        Tuple.of(created, Renames.read(rivals, replaced, floor))))
                .as((key, complete, id, max, use, attributes, ending, more) -> new SessionDelta(
                        new SessionKey(key),
                        complete,
                        id,
                        max,
                        use,
                        Map.copyOf(attributes),
                        ending,
                        more.get1(),
                        more.get2()));
        return Combinators.combine(
                        Arbitraries.longs().greaterOrEqual(0),
                        Arbitraries.longs().greaterOrEqual(0),
                        deltas)
                .as(Update::new);
    }
}
