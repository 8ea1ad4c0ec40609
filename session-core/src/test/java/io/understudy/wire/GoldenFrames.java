package io.understudy.wire;

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
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Acks;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.Buckets;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Counting;
import io.understudy.wire.Frame.DigestRequest;
import io.understudy.wire.Frame.Digests;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Locking;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Part;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.StateRequest;
import io.understudy.wire.Frame.States;
import io.understudy.wire.Frame.Touch;
import io.understudy.wire.Frame.Touches;
import io.understudy.wire.Frame.Update;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every kind of frame as bytes. They are what older and newer members speak: a change of them needs a new version. */
public final class GoldenFrames {

    static final long APPLICATION = 0x0A0B;
    static final SessionKey KEY = new SessionKey(7);
    private static final LockView.Tag VIEW = new LockView.Tag(5, 0x99);

    private static final Stamp WRITTEN = new Stamp(0x1_0000, 0x99);

    private static final SessionDelta WHOLE = new SessionDelta(
            KEY,
            true,
            new Stamped<>(WRITTEN, "s1"),
            new Stamped<>(new Stamp(0x1_0001, 0x99), 1800),
            new Stamp(0x1_0002, -1),
            Map.of(
                    "cart", StampedBytes.of(new Stamp(0x1_0003, 0x99), new byte[] {1, 2, 3}),
                    "gone", StampedBytes.tombstone(new Stamp(0x1_0004, -1))),
            null);

    private static final SessionDelta NEVER = new SessionDelta(
            KEY, false, null, new Stamped<>(WRITTEN, -1), null, Map.of(), Ending.expired(new Stamp(0x1_0001, 0x99)));

    private static final SessionDelta RENAMED = new SessionDelta(
            KEY,
            false,
            new Stamped<>(new Stamp(0x1_0005, 0x99), "s3"),
            null,
            null,
            Map.of(),
            null,
            WRITTEN,
            Renames.read(
                    List.of(new Stamped<>(new Stamp(0x1_0004, -1), "s2")),
                    List.of(new Stamp(0x1_0001, 0x99)),
                    WRITTEN));

    private static final String WHOLE_1 = """
                ac02 05 0000000000000007 0f
                0000000000010000 00 0000000000000099 02 7331
                0000000000010001 00 901c
                0000000000010002 01 ffffffffffffffff
                02
                04 63617274 0000000000010003 00 00 03 010203
                04 676f6e65 0000000000010004 01 01
                """;

    private static final String WHOLE_2 = """
                ac02 05 0000000000000007 0f
                01 0000000000000099 0000000000010000 02 7331
                01 02 901c
                02 ffffffffffffffff 02
                02
                04 63617274 01 02 00 03 010203
                04 676f6e65 02 02 01
                """;

    private GoldenFrames() {}

    /** A frame and its bytes in one version, written down by hand from the grammar. */
    public record Golden(Frame frame, int version, String hex) {

        public byte[] bytes() {
            return HexFormat.of().parseHex(hex);
        }

        @Override
        public String toString() {
            return frame.getClass().getSimpleName() + " of version " + version;
        }
    }

    /** A frame and what follows the version in its bytes; in version 2 only stamps are written in another way. */
    private record Row(Frame frame, String first, @Nullable String second) {

        Stream<Golden> golden() {
            return second == null ? Stream.of(golden(1, first)) : Stream.of(golden(1, first), golden(2, second));
        }

        private Golden golden(int version, String hex) {
            return new Golden(frame, version, "0" + version + hex.replaceAll("\\s+", ""));
        }
    }

    private static Row same(Frame frame, String hex) {
        return new Row(frame, hex, hex);
    }

    private static Row stamped(Frame frame, String first, String second) {
        return new Row(frame, first, second);
    }

    /** What has to be read before it is known what a member reads. */
    private static Row first(Frame frame, String hex) {
        return new Row(frame, hex, null);
    }

    /** Of every version that is read. */
    public static List<Golden> all() {
        return rows().flatMap(Row::golden).toList();
    }

    private static Frame ends(ExpiryMessage message) {
        return new Frame.Ends(APPLICATION, message);
    }

    private static Stream<Row> rows() {
        long[] sums = new long[256];
        sums[0] = 10;
        sums[255] = -2;
        return Stream.of(
                stamped(
                        new Change(APPLICATION, new Update(300, 5, WHOLE)),
                        "01 0000000000000a0b" + WHOLE_1,
                        "01 0000000000000a0b" + WHOLE_2),
                stamped(new Change(APPLICATION, new Update(0, 0, NEVER)), """
                        01 0000000000000a0b 00 00 0000000000000007 24
                        0000000000010000 00 0000000000000099 01
                        0000000000010001 00
                        00
                        """, """
                        01 0000000000000a0b 00 00 0000000000000007 24
                        01 0000000000000099 0000000000010000 01
                        01 02
                        00
                        """),
                stamped(
                        new Frame.Beginnings(APPLICATION, List.of(new Update(300, 5, WHOLE))),
                        "06 0000000000000a0b 01" + WHOLE_1,
                        "06 0000000000000a0b 01" + WHOLE_2),
                stamped(
                        new Touches(APPLICATION, List.of(new Touch(KEY, WRITTEN, 300), new Touch(KEY, WRITTEN, 0))),
                        """
                        02 0000000000000a0b 02
                        0000000000000007 0000000000010000 00 0000000000000099 ac02
                        0000000000000007 0000000000010000 00 00
                        """,
                        """
                        02 0000000000000a0b 02
                        0000000000000007 01 0000000000000099 0000000000010000 ac02
                        0000000000000007 00 00
                        """),
                same(
                        new Part(APPLICATION, 300, 2, ByteBuffer.wrap(new byte[] {4, 5})),
                        "0c 0000000000000a0b ac02 02 02 0405"),
                same(
                        new LastPart(APPLICATION, KEY, 300, 3, ByteBuffer.wrap(new byte[] {6})),
                        "0d 0000000000000a0b 0000000000000007 ac02 03 01 06"),
                same(new Acks(List.of(new Ack(5, true), new Ack(64, false))), "03 02 0b 8001"),
                first(
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
                        "04 0000000000000099 ac02 01 01 02 03 02 2f61 00 03 02 2f62 01 00 03 2fc3bc 02 01"),
                same(
                        new Change(APPLICATION, new Update(0, 0, SessionDelta.united(KEY, new SessionKey(9)))),
                        "01 0000000000000a0b 00 00 0000000000000007 31 0000000000000009 00"),
                first(new Frame.Heard(300), "19 ac02"),
                same(new Frame.MissingAcks(List.of(5L, 300L)), "1a 02 05 ac02"),
                same(new Frame.LastRequest(300, APPLICATION, Frame.Stage.KEPT), "2c ac02 0000000000000a0b 02"),
                same(new Frame.LastAnswer(300, true), "2d ac02 01"),
                same(new Frame.Restored(APPLICATION, 300), "2e 0000000000000a0b ac02"),
                same(new Counting(APPLICATION), "05 0000000000000a0b"),
                same(new Frame.Refusal(200), "0b c801"),
                same(new BucketRequest(200, APPLICATION, 9), "15 c801 0000000000000a0b 09"),
                same(new Buckets(1, sums), "16 01 000000000000000a" + "00".repeat(8 * 254) + "fffffffffffffffe"),
                same(
                        new DigestRequest(200, APPLICATION, BitSet.valueOf(new long[] {1, 0, 0, 2}), null),
                        "17 c801 0000000000000a0b 0000000000000001" + "00".repeat(16) + "0000000000000002 00"),
                same(
                        new DigestRequest(1, APPLICATION, new BitSet(), KEY),
                        "17 01 0000000000000a0b" + "00".repeat(32) + "01 0000000000000007"),
                stamped(new Change(APPLICATION, new Update(0, 0, RENAMED)), """
                        01 0000000000000a0b 00 00 0000000000000007 c2
                        0000000000010005 00 0000000000000099 02 7333
                        0000000000010000 00
                        01 0000000000010004 01 ffffffffffffffff 02 7332
                        01 0000000000010001 00
                        01 0000000000010000 00
                        00
                        """, """
                        01 0000000000000a0b 00 00 0000000000000007 c2
                        01 0000000000000099 0000000000010005 02 7333
                        01 09
                        01 02 ffffffffffffffff 08 02 7332
                        01 01 05
                        01 01 01
                        00
                        """),
                same(
                        new Digests(1, List.of(new SessionDigest(KEY, -2)), true),
                        "07 01 01 01 0000000000000007 fffffffffffffffe"),
                same(
                        new StateRequest(1, APPLICATION, List.of(KEY, new SessionKey(8))),
                        "08 01 0000000000000a0b 02 0000000000000007 0000000000000008"),
                same(new FindRequest(1, APPLICATION, "s1"), "09 01 0000000000000a0b 02 7331"),
                stamped(
                        new States(
                                1,
                                List.of(
                                        new Update(300, 5, WHOLE),
                                        new Update(1, 1, SessionDelta.invalidated(new SessionKey(8)))),
                                true),
                        "0a 01 01 02" + WHOLE_1 + "01 01 0000000000000008 11 00",
                        "0a 01 01 02" + WHOLE_2 + "01 01 0000000000000008 11 00"),
                same(new Locking(new Request(VIEW, KEY, 200)), "0f 05 0000000000000099 0000000000000007 c801"),
                same(new Locking(new Grant(VIEW, KEY, 200, 300)), "10 05 0000000000000099 0000000000000007 c801 ac02"),
                same(new Locking(new Release(VIEW, KEY, 200, 0)), "11 05 0000000000000099 0000000000000007 c801 00"),
                same(
                        new Locking(new Report(
                                VIEW,
                                true,
                                false,
                                List.of(new Claim(KEY, 200, 300), new Claim(new SessionKey(8), 1, 0)))),
                        """
                        12 05 0000000000000099 01 02
                        0000000000000007 c801 ac02
                        0000000000000008 01 00
                        """),
                same(new Locking(new Report(VIEW, false, true, List.of())), "12 05 0000000000000099 02 00"),
                same(new Locking(new Ask(VIEW)), "13 05 0000000000000099"),
                stamped(
                        ends(new ExpiryMessage.Claims(
                                200,
                                List.of(
                                        new io.understudy.expiry.Claim(KEY, Kind.EXPIRY, WRITTEN),
                                        new io.understudy.expiry.Claim(KEY, Kind.INVALIDATION, null)))),
                        """
                        1e 0000000000000a0b c801 02
                        0000000000000007 00 01 0000000000010000 00 0000000000000099
                        0000000000000007 01 00
                        """,
                        """
                        1e 0000000000000a0b c801 02
                        0000000000000007 00 01 01 0000000000000099 0000000000010000
                        0000000000000007 01 00
                        """),
                stamped(
                        ends(new ExpiryMessage.Votes(
                                200,
                                List.of(
                                        new Veto(KEY, Reason.USED, WRITTEN, 300),
                                        new Veto(KEY, Reason.CLAIMED, null, 0)))),
                        """
                        1f 0000000000000a0b c801 02
                        0000000000000007 00 01 0000000000010000 00 0000000000000099 ac02
                        0000000000000007 03 00 00
                        """,
                        """
                        1f 0000000000000a0b c801 02
                        0000000000000007 00 01 01 0000000000000099 0000000000010000 ac02
                        0000000000000007 03 00 00
                        """),
                same(
                        ends(new ExpiryMessage.GivenUp(200, List.of(KEY))),
                        "20 0000000000000a0b c801 01 0000000000000007"),
                same(ends(new ExpiryMessage.Ask(200, List.of(KEY))), "21 0000000000000a0b c801 01 0000000000000007"),
                same(
                        ends(new ExpiryMessage.Orphans(
                                200, List.of(new io.understudy.expiry.Claim(KEY, Kind.INVALIDATION, null)))),
                        "22 0000000000000a0b c801 01 0000000000000007 01 00"));
    }
}
