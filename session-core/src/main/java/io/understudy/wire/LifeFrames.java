package io.understudy.wire;

import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.LastRequest;
import io.understudy.wire.Frame.Restored;
import io.understudy.wire.Frame.Stage;
import org.jspecify.annotations.Nullable;

/**
 * The frames by which members agree on who keeps the sessions of an application that nobody goes on with, and tell that
 * they brought some back. Grammar, after version and kind as in {@link WireCodec}:
 *
 * <pre>
 * kind 44  last request  request application(8) stage(1)
 * kind 45  last answer   request last(1)
 * kind 46  restored      application(8) varint-age
 * stage    = 0 asks | 1 claims | 2 kept | 3 hands over
 * </pre>
 */
final class LifeFrames {

    static final int LAST_REQUEST = 44;
    static final int LAST_ANSWER = 45;
    static final int RESTORED = 46;

    private LifeFrames() {}

    /** Whether {@code frame} is one of these, and was written. */
    static boolean write(WireWriter out, Frame frame) {
        if (frame instanceof LastRequest request) {
            out.u8(LAST_REQUEST)
                    .varint(request.request())
                    .fixed64(request.application())
                    .u8(request.stage().code());
        } else if (frame instanceof LastAnswer answer) {
            out.u8(LAST_ANSWER).varint(answer.request()).u8(answer.last() ? 1 : 0);
        } else if (frame instanceof Restored restored) {
            out.u8(RESTORED).fixed64(restored.application()).varint(restored.ageMillis());
        } else {
            return false;
        }
        return true;
    }

    /** The frame of this kind, {@code null} if it is none of these. */
    static @Nullable Frame read(WireReader in, int kind) throws WireFormatException {
        return switch (kind) {
            case LAST_REQUEST -> {
                long request = in.varint("request");
                long application = in.fixed64("application");
                yield new LastRequest(request, application, stage(in));
            }
            case LAST_ANSWER -> {
                long request = in.varint("request");
                yield new LastAnswer(request, in.bool("last"));
            }
            case RESTORED -> {
                long application = in.fixed64("application");
                yield new Restored(application, in.millis("age"));
            }
            default -> null;
        };
    }

    private static Stage stage(WireReader in) throws WireFormatException {
        int code = in.u8("stage");
        for (Stage stage : Stage.values()) {
            if (stage.code() == code) {
                return stage;
            }
        }
        throw in.failure("a stage from 0 to 3", "stage " + code);
    }
}
