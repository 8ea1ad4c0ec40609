package io.understudy.codec;

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
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every kind of frame as bytes. They are what older and newer members speak: a change of them needs a new version. */
final class GoldenFrames {

    private static final long APPLICATION = 0x0A0B;
    private static final SessionKey KEY = new SessionKey(7);
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

    private GoldenFrames() {}

    /** A frame and its bytes, written down by hand from the grammar. */
    record Golden(Frame frame, String hex) {

        byte[] bytes() {
            return HexFormat.of().parseHex(hex.replaceAll("\\s+", ""));
        }

        @Override
        public String toString() {
            return frame.getClass().getSimpleName() + " of version " + version();
        }

        int version() {
            return bytes()[0];
        }
    }

    /** Of every version that is read. */
    static List<Golden> all() {
        return Stream.of(version1(), version2()).flatMap(List::stream).toList();
    }

    /** Only stamps are written in another way. */
    private static List<Golden> version2() {
        String wholeHex = """
                ac02 05 0000000000000007 0f
                01 0000000000000099 0000000000010000 02 7331
                01 02 901c
                02 ffffffffffffffff 02
                02
                04 63617274 01 02 00 03 010203
                04 676f6e65 02 02 01
                """;
        List<Golden> stamped = List.of(
                new Golden(new Change(APPLICATION, new Update(300, 5, WHOLE)), "02 01 0000000000000a0b" + wholeHex),
                new Golden(new Change(APPLICATION, new Update(0, 0, NEVER)), """
                        02 01 0000000000000a0b 00 00 0000000000000007 24
                        01 0000000000000099 0000000000010000 01
                        01 02
                        00
                        """),
                new Golden(
                        new Frame.Beginnings(APPLICATION, List.of(new Update(300, 5, WHOLE))),
                        "02 06 0000000000000a0b 01" + wholeHex),
                new Golden(
                        new Touches(APPLICATION, List.of(new Touch(KEY, WRITTEN, 300), new Touch(KEY, WRITTEN, 0))),
                        """
                        02 02 0000000000000a0b 02
                        0000000000000007 01 0000000000000099 0000000000010000 ac02
                        0000000000000007 00 00
                        """),
                new Golden(new Change(APPLICATION, new Update(0, 0, RENAMED)), """
                        02 01 0000000000000a0b 00 00 0000000000000007 c2
                        01 0000000000000099 0000000000010005 02 7333
                        01 09
                        01 02 ffffffffffffffff 08 02 7332
                        01 01 05
                        01 01 01
                        00
                        """),
                new Golden(
                        new States(
                                1,
                                List.of(
                                        new Update(300, 5, WHOLE),
                                        new Update(1, 1, SessionDelta.invalidated(new SessionKey(8)))),
                                true),
                        "02 0a 01 01 02" + wholeHex + "01 01 0000000000000008 11 00"),
                new Golden(
                        ends(new ExpiryMessage.Claims(
                                200,
                                List.of(
                                        new io.understudy.expiry.Claim(KEY, Kind.EXPIRY, WRITTEN),
                                        new io.understudy.expiry.Claim(KEY, Kind.INVALIDATION, null)))),
                        """
                        02 1e 0000000000000a0b c801 02
                        0000000000000007 00 01 01 0000000000000099 0000000000010000
                        0000000000000007 01 00
                        """),
                new Golden(
                        ends(new ExpiryMessage.Votes(
                                200,
                                List.of(
                                        new Veto(KEY, Reason.USED, WRITTEN, 300),
                                        new Veto(KEY, Reason.CLAIMED, null, 0)))),
                        """
                        02 1f 0000000000000a0b c801 02
                        0000000000000007 00 01 01 0000000000000099 0000000000010000 ac02
                        0000000000000007 03 00 00
                        """));
        Set<Frame> done = stamped.stream().map(Golden::frame).collect(Collectors.toSet());
        return Stream.concat(
                        stamped.stream(),
                        version1().stream()
                                .filter(golden -> !done.contains(golden.frame())
                                        && !(golden.frame() instanceof Presence)
                                        && !(golden.frame() instanceof Frame.Heard))
                                .map(golden -> new Golden(
                                        golden.frame(),
                                        "02" + golden.hex().strip().substring(2))))
                .toList();
    }

    private static Frame ends(ExpiryMessage message) {
        return new Frame.Ends(APPLICATION, message);
    }

    private static List<Golden> version1() {
        String wholeHex = """
                ac02 05 0000000000000007 0f
                0000000000010000 00 0000000000000099 02 7331
                0000000000010001 00 901c
                0000000000010002 01 ffffffffffffffff
                02
                04 63617274 0000000000010003 00 00 03 010203
                04 676f6e65 0000000000010004 01 01
                """;
        long[] sums = new long[256];
        sums[0] = 10;
        sums[255] = -2;
        return List.of(
                new Golden(new Change(APPLICATION, new Update(300, 5, WHOLE)), "01 01 0000000000000a0b" + wholeHex),
                new Golden(new Change(APPLICATION, new Update(0, 0, NEVER)), """
                        01 01 0000000000000a0b 00 00 0000000000000007 24
                        0000000000010000 00 0000000000000099 01
                        0000000000010001 00
                        00
                        """),
                new Golden(
                        new Frame.Beginnings(APPLICATION, List.of(new Update(300, 5, WHOLE))),
                        "01 06 0000000000000a0b 01" + wholeHex),
                new Golden(
                        new Touches(APPLICATION, List.of(new Touch(KEY, WRITTEN, 300), new Touch(KEY, WRITTEN, 0))),
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
                new Golden(new BucketRequest(200, APPLICATION, 9), "01 15 c801 0000000000000a0b 09"),
                new Golden(
                        new Buckets(1, sums), "01 16 01 000000000000000a" + "00".repeat(8 * 254) + "fffffffffffffffe"),
                new Golden(
                        new DigestRequest(200, APPLICATION, BitSet.valueOf(new long[] {1, 0, 0, 2}), null),
                        "01 17 c801 0000000000000a0b 0000000000000001" + "00".repeat(16) + "0000000000000002 00"),
                new Golden(
                        new DigestRequest(1, APPLICATION, new BitSet(), KEY),
                        "01 17 01 0000000000000a0b" + "00".repeat(32) + "01 0000000000000007"),
                new Golden(new Change(APPLICATION, new Update(0, 0, RENAMED)), """
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
                                        new Update(300, 5, WHOLE),
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
                                        new io.understudy.expiry.Claim(KEY, Kind.EXPIRY, WRITTEN),
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
                                        new Veto(KEY, Reason.USED, WRITTEN, 300),
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
}
