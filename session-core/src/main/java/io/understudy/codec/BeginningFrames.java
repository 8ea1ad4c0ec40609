package io.understudy.codec;

import io.understudy.codec.Frame.Beginning;
import io.understudy.codec.Frame.Beginnings;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.util.ArrayList;
import java.util.List;

/**
 * Sessions that began without attributes. Grammar, after version and kind as in {@link WireCodec}:
 *
 * <pre>
 * kind 40    beginnings  application(8) n*beginning
 * beginning  = key(8) stamp-created text-id max-inactive varint-age
 * max-inactive = seconds as zigzag
 * </pre>
 */
final class BeginningFrames {

    static final int BEGINNINGS = 40;

    /** The least bytes of one: key, stamp, an empty id, and two numbers. */
    private static final int LEAST_BYTES = 8 + 9 + 1 + 1 + 1;

    private BeginningFrames() {}

    static void write(WireWriter out, Beginnings frame) {
        out.u8(BEGINNINGS)
                .fixed64(frame.application())
                .varint(frame.beginnings().size());
        for (Beginning beginning : frame.beginnings()) {
            int seconds = beginning.maxInactiveSeconds();
            out.fixed64(beginning.key().value())
                    .stamp(beginning.created())
                    .text(beginning.id())
                    .varint(((seconds << 1) ^ (seconds >> 31)) & 0xFFFF_FFFFL)
                    .varint(beginning.ageMillis());
        }
    }

    static Beginnings read(WireReader in) throws WireFormatException {
        long application = in.fixed64("application");
        List<Beginning> beginnings = new ArrayList<>();
        for (int i = in.count("beginnings", LEAST_BYTES); i > 0; i--) {
            SessionKey key = new SessionKey(in.fixed64("key"));
            Stamp created = in.stamp("creation");
            String id = in.text("id");
            int maxInactive = DeltaCodec.zigzag(in);
            beginnings.add(new Beginning(key, created, id, maxInactive, in.millis("age")));
        }
        return new Beginnings(application, beginnings);
    }
}
