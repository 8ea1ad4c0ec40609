package io.understudy.wire;

import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.Buckets;
import io.understudy.wire.Frame.DigestRequest;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The frames by which members compare what they hold. Grammar, after version and kind as in {@link WireCodec}:
 *
 * <pre>
 * kind 21  bucket request  request application(8) varint-view
 * kind 22  buckets         request 256*sum(8)
 * kind 23  digest request  request application(8) 4*buckets(8) has-after(1) [key(8)]
 * </pre>
 *
 * {@code buckets} is a bit set: bucket b is bit b % 64 of word b / 64.
 */
final class ReconcileFrames {

    static final int BUCKET_REQUEST = 21;
    static final int BUCKETS = 22;
    static final int DIGEST_REQUEST = 23;

    private static final int WORDS = SessionDigest.BUCKETS / 64;

    private ReconcileFrames() {}

    /** Whether {@code frame} is one of these, and was written. */
    static boolean write(WireWriter out, Frame frame) {
        if (frame instanceof BucketRequest request) {
            out.u8(BUCKET_REQUEST)
                    .varint(request.request())
                    .fixed64(request.application())
                    .varint(request.view());
        } else if (frame instanceof Buckets buckets) {
            out.u8(BUCKETS).varint(buckets.request());
            for (long sum : buckets.sums()) {
                out.fixed64(sum);
            }
        } else if (frame instanceof DigestRequest request) {
            out.u8(DIGEST_REQUEST).varint(request.request()).fixed64(request.application());
            long[] words = request.buckets().toLongArray();
            for (int i = 0; i < WORDS; i++) {
                out.fixed64(i < words.length ? words[i] : 0);
            }
            SessionKey after = request.after();
            out.u8(after == null ? 0 : 1);
            if (after != null) {
                out.fixed64(after.value());
            }
        } else {
            return false;
        }
        return true;
    }

    /** The frame of this kind, {@code null} if it is none of these. */
    static @Nullable Frame read(WireReader in, int kind) throws WireFormatException {
        return switch (kind) {
            case BUCKET_REQUEST ->
                new BucketRequest(in.varint("request"), in.fixed64("application"), in.varint("view"));
            case BUCKETS -> {
                long request = in.varint("request");
                yield new Buckets(request, words(in, SessionDigest.BUCKETS));
            }
            case DIGEST_REQUEST -> {
                long request = in.varint("request");
                long application = in.fixed64("application");
                BitSet buckets = BitSet.valueOf(words(in, WORDS));
                SessionKey after = in.bool("has-after") ? new SessionKey(in.fixed64("key")) : null;
                yield new DigestRequest(request, application, buckets, after);
            }
            default -> null;
        };
    }

    private static long[] words(WireReader in, int count) throws WireFormatException {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = in.fixed64("buckets");
        }
        return words;
    }
}
