package io.understudy.wire;

import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Acks;
import io.understudy.wire.Frame.Beginnings;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Counting;
import io.understudy.wire.Frame.Digests;
import io.understudy.wire.Frame.Ends;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Heard;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Locking;
import io.understudy.wire.Frame.MissingAcks;
import io.understudy.wire.Frame.Part;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.Refusal;
import io.understudy.wire.Frame.StateRequest;
import io.understudy.wire.Frame.States;
import io.understudy.wire.Frame.Touch;
import io.understudy.wire.Frame.Touches;
import io.understudy.wire.Frame.Update;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames to bytes and back, versions 1 and 2, which differ in how {@link WireWriter} writes stamps. Presence and its
 * confirmation, by which members agree on a version, are of version 1 for ever. Grammar ({@code n*x} is a varint count
 * and that many x; primitives as in {@link WireWriter}, updates as in {@link DeltaCodec}):
 *
 * <pre>
 * frame    = version(1) kind body
 * kind 1   change          application(8) update
 * kind 2   touches         application(8) n*(key(8) stamp varint-idle)
 * kind 3   acks            n*(varint number*2 + parked)
 * kind 4   presence        as in {@link PresenceCodec}
 * kind 5   counting        application(8)
 * kind 6   beginnings      application(8) n*update
 * kind 7   digests         request more(1) n*(key(8) hash(8))
 * kind 8   state request   request application(8) n*key(8)
 * kind 9   find request    request application(8) text-id
 * kind 10  states          request truncated(1) n*update
 * kind 11  refusal         request
 * kind 12  part            see {@link PartFrames}
 * kind 13  last part       see {@link PartFrames}
 * kind 15 to 19            as in {@link LockFrames}
 * kinds 21 to 23           as in {@link ReconcileFrames}
 * kinds 44 to 46           as in {@link LifeFrames}
 * kind 25  heard           varint-announcement
 * kind 26  missing acks    n*varint-number
 * kinds 30 to 33           as in {@link ExpiryFrames}
 * request  = varint
 * </pre>
 *
 * <p>Threads: any; stateless.
 */
public final class WireCodec {

    /** The oldest wire version that is read and can be written: that of the release before. */
    public static final int LOWEST_VERSION = 1;

    /** The newest. */
    public static final int HIGHEST_VERSION = 2;

    private static final int CHANGE = 1;
    private static final int TOUCHES = 2;
    private static final int ACKS = 3;
    private static final int PRESENCE = 4;
    private static final int COUNTING = 5;
    private static final int BEGINNINGS = 6;
    private static final int DIGESTS = 7;
    private static final int STATE_REQUEST = 8;
    private static final int FIND_REQUEST = 9;
    private static final int STATES = 10;
    private static final int REFUSAL = 11;
    private static final int HEARD = 25;
    private static final int MISSING_ACKS = 26;

    private WireCodec() {}

    /**
     * The frame as bytes; see {@link FrameBuffer} for many of them.
     *
     * @param version that all who are to read it can read
     */
    public static byte[] encode(Frame frame, int version) {
        WireWriter out = new WireWriter(256);
        write(out, frame, version);
        return out.toBytes();
    }

    static void write(WireWriter out, Frame frame, int version) {
        out.version(frame instanceof Presence || frame instanceof Heard ? LOWEST_VERSION : version);
        if (frame instanceof Change change) {
            DeltaCodec.write(out.u8(CHANGE).fixed64(change.application()), change.update());
        } else if (frame instanceof Touches touches) {
            out.u8(TOUCHES)
                    .fixed64(touches.application())
                    .varint(touches.touches().size());
            for (Touch touch : touches.touches()) {
                out.fixed64(touch.key().value()).stamp(touch.lastUse()).varint(touch.idleMillis());
            }
        } else if (frame instanceof Beginnings beginnings) {
            out.u8(BEGINNINGS).fixed64(beginnings.application());
            updates(out, beginnings.sessions());
        } else if (frame instanceof Acks acks) {
            out.u8(ACKS).varint(acks.acks().size());
            acks.acks().forEach(ack -> out.varint(ack.number() << 1 | (ack.parked() ? 1 : 0)));
        } else if (frame instanceof MissingAcks missing) {
            out.u8(MISSING_ACKS).varint(missing.numbers().size());
            missing.numbers().forEach(out::varint);
        } else if (frame instanceof Presence presence) {
            PresenceCodec.write(out.u8(PRESENCE), presence);
        } else if (frame instanceof Heard heard) {
            out.u8(HEARD).varint(heard.announcement());
        } else if (frame instanceof Counting counting) {
            out.u8(COUNTING).fixed64(counting.application());
        } else if (frame instanceof Digests digests) {
            out.u8(DIGESTS).varint(digests.request()).u8(digests.more() ? 1 : 0);
            out.varint(digests.digests().size());
            digests.digests().forEach(d -> out.fixed64(d.key().value()).fixed64(d.hash()));
        } else if (frame instanceof StateRequest request) {
            out.u8(STATE_REQUEST).varint(request.request()).fixed64(request.application());
            out.varint(request.keys().size());
            request.keys().forEach(key -> out.fixed64(key.value()));
        } else if (frame instanceof FindRequest request) {
            out.u8(FIND_REQUEST).varint(request.request()).fixed64(request.application());
            out.text(request.id());
        } else if (frame instanceof States states) {
            out.u8(STATES).varint(states.request()).u8(states.truncated() ? 1 : 0);
            updates(out, states.states());
        } else if (frame instanceof Refusal refusal) {
            out.u8(REFUSAL).varint(refusal.request());
        } else if (frame instanceof Part part) {
            PartFrames.write(out, part);
        } else if (frame instanceof LastPart last) {
            PartFrames.write(out, last);
        } else if (frame instanceof Locking locking) {
            LockFrames.write(out, locking.message());
        } else if (frame instanceof Ends ends) {
            ExpiryFrames.write(out, ends);
        } else if (!ReconcileFrames.write(out, frame) && !LifeFrames.write(out, frame)) {
            throw new IllegalArgumentException("no bytes for " + frame);
        }
    }

    /**
     * The frame in {@code length} bytes from {@code offset} on.
     *
     * @throws WireFormatException if the bytes are not exactly one frame of a version known here
     */
    public static Frame decode(byte[] bytes, int offset, int length) throws WireFormatException {
        WireReader in = new WireReader(bytes, offset, length);
        int version = in.u8("version");
        if (version < LOWEST_VERSION || version > HIGHEST_VERSION) {
            throw in.failure("a wire version from " + LOWEST_VERSION + " to " + HIGHEST_VERSION, "version " + version);
        }
        in.version(version);
        Frame frame = body(in, in.u8("kind"));
        in.end();
        return frame;
    }

    /**
     * Whether these bytes may be a change that holds uses and attributes only, of a session that began before. Looks at the
     * first of them only: {@link #decode} may refuse the rest.
     */
    public static boolean writesOnly(byte[] bytes, int offset, int length) {
        WireReader in = new WireReader(bytes, offset, length);
        try {
            in.version(in.u8("version"));
            if (in.u8("kind") != CHANGE) {
                return false;
            }
            long unusedApplication = in.fixed64("application");
            return DeltaCodec.writesOnly(in);
        } catch (WireFormatException e) {
            return false;
        }
    }

    private static Frame body(WireReader in, int kind) throws WireFormatException {
        return switch (kind) {
            case CHANGE -> new Change(in.fixed64("application"), DeltaCodec.read(in));
            case TOUCHES -> new Touches(in.fixed64("application"), touches(in));
            case BEGINNINGS -> new Beginnings(in.fixed64("application"), updates(in));
            case ACKS -> new Acks(acks(in));
            case MISSING_ACKS -> new MissingAcks(numbers(in));
            case PRESENCE -> PresenceCodec.read(in);
            case HEARD -> new Heard(in.varint("announcement"));
            case COUNTING -> new Counting(in.fixed64("application"));
            case DIGESTS -> {
                long request = in.varint("request");
                boolean more = in.bool("more");
                yield new Digests(request, digests(in), more);
            }
            case STATE_REQUEST -> new StateRequest(in.varint("request"), in.fixed64("application"), keys(in));
            case FIND_REQUEST -> new FindRequest(in.varint("request"), in.fixed64("application"), in.text("id"));
            case STATES -> states(in);
            case REFUSAL -> new Refusal(in.varint("request"));
            case PartFrames.PART -> PartFrames.part(in);
            case PartFrames.LAST_PART -> PartFrames.lastPart(in);
            case LockFrames.LOCK_REQUEST,
                    LockFrames.LOCK_GRANT,
                    LockFrames.LOCK_RELEASE,
                    LockFrames.LOCK_REPORT,
                    LockFrames.LOCK_ASK -> new Locking(LockFrames.read(in, kind));
            case ExpiryFrames.CLAIMS,
                    ExpiryFrames.VOTES,
                    ExpiryFrames.GIVEN_UP,
                    ExpiryFrames.ASK,
                    ExpiryFrames.ORPHANS -> ExpiryFrames.read(in, kind);
            default -> {
                Frame frame =
                        kind < LifeFrames.LAST_REQUEST ? ReconcileFrames.read(in, kind) : LifeFrames.read(in, kind);
                if (frame == null) {
                    throw in.failure("a known kind", "kind " + kind);
                }
                yield frame;
            }
        };
    }

    /** Whoever asked learns that the answer can't be read: it can ask for fewer sessions. */
    private static States states(WireReader in) throws WireFormatException {
        long request = in.varint("request");
        try {
            boolean truncated = in.bool("truncated");
            States states = new States(request, updates(in), truncated);
            in.end();
            return states;
        } catch (WireFormatException e) {
            throw e.answering(request);
        }
    }

    private static SessionKey key(WireReader in) throws WireFormatException {
        return new SessionKey(in.fixed64("key"));
    }

    private static List<Touch> touches(WireReader in) throws WireFormatException {
        int count = in.count("touches", in.stampBytes() + 9);
        List<Touch> touches = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            touches.add(new Touch(key(in), in.stamp("last use"), in.millis("idle time")));
        }
        return touches;
    }

    private static List<Ack> acks(WireReader in) throws WireFormatException {
        int count = in.count("acks", 1);
        List<Ack> acks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long coded = in.varint("ack");
            acks.add(new Ack(coded >>> 1, (coded & 1) == 1));
        }
        return acks;
    }

    private static List<Long> numbers(WireReader in) throws WireFormatException {
        int count = in.count("numbers", 1);
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(in.varint("number"));
        }
        return numbers;
    }

    private static List<SessionDigest> digests(WireReader in) throws WireFormatException {
        int count = in.count("digests", 16);
        List<SessionDigest> digests = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            digests.add(new SessionDigest(key(in), in.fixed64("hash")));
        }
        return digests;
    }

    private static List<SessionKey> keys(WireReader in) throws WireFormatException {
        int count = in.count("keys", 8);
        List<SessionKey> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(key(in));
        }
        return keys;
    }

    private static void updates(WireWriter out, List<Update> updates) {
        out.varint(updates.size());
        updates.forEach(update -> DeltaCodec.write(out, update));
    }

    private static List<Update> updates(WireReader in) throws WireFormatException {
        int count = in.count("updates", 11);
        List<Update> updates = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            updates.add(DeltaCodec.read(in));
        }
        return updates;
    }
}
