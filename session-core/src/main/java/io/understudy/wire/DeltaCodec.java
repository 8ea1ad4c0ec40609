package io.understudy.wire;

import io.understudy.codec.WireText;
import io.understudy.replica.Ending;
import io.understudy.replica.Renames;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.wire.Frame.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Updates to bytes and back. Grammar:
 *
 * <pre>
 * update     = varint-age varint-idle key(8) flags(1)
 *              [stamp text-id] [stamp varint-max-inactive] [stamp-last-use] [stamp-judged | key(8)-into]
 *              [stamp-created] [renames]
 *              n*attribute
 * flags      = 1 complete | 2 id | 4 max inactive | 8 last use | 16 invalidated | 32 expired | 48 united | 64 created
 *            | 128 renames
 * renames    = n*(stamp text-id) n*stamp-replaced has-floor(1) [stamp-floor]
 * attribute  = text-name stamp removed(1) [bytes]       in ascending order of names
 * max-inactive = seconds as zigzag
 * </pre>
 */
final class DeltaCodec {

    private static final int COMPLETE = 1;
    private static final int ID = 2;
    private static final int MAX_INACTIVE = 4;
    private static final int LAST_USE = 8;
    private static final int INVALIDATED = 16;
    private static final int EXPIRED = 32;
    private static final int UNITED = INVALIDATED | EXPIRED;
    private static final int CREATED = 64;
    private static final int RENAMES = 128;

    private DeltaCodec() {}

    static void write(WireWriter out, Update update) {
        SessionDelta delta = update.delta();
        out.varint(update.ageMillis()).varint(update.idleMillis());
        out.fixed64(delta.key().value()).u8(flags(delta));
        if (delta.id() != null) {
            out.stamp(delta.id().stamp()).text(delta.id().value());
        }
        if (delta.maxInactiveSeconds() != null) {
            int seconds = delta.maxInactiveSeconds().value();
            out.stamp(delta.maxInactiveSeconds().stamp()).varint(((seconds << 1) ^ (seconds >> 31)) & 0xFFFF_FFFFL);
        }
        if (delta.lastUse() != null) {
            out.stamp(delta.lastUse());
        }
        if (delta.ending() != null && delta.ending().judged() != null) {
            out.stamp(delta.ending().judged());
        }
        if (delta.ending() != null && delta.ending().into() != null) {
            out.fixed64(delta.ending().into().value());
        }
        if (delta.created() != null) {
            out.stamp(delta.created());
        }
        if (!delta.renames().equals(Renames.NONE)) {
            write(out, delta.renames());
        }
        out.varint(delta.attributes().size());
        Map.Entry<String, StampedBytes> lone = delta.lone();
        if (lone != null) {
            write(out, lone);
            return;
        }
        Map<String, StampedBytes> sorted =
                delta.attributes().size() < 2 ? delta.attributes() : new TreeMap<>(delta.attributes());
        for (Map.Entry<String, StampedBytes> attribute : sorted.entrySet()) {
            write(out, attribute);
        }
    }

    private static void write(WireWriter out, Map.Entry<String, StampedBytes> attribute) {
        StampedBytes value = attribute.getValue();
        byte[] bytes = value.bytes();
        out.text(attribute.getKey()).stamp(value.stamp()).u8(bytes == null ? 1 : 0);
        if (bytes != null) {
            out.bytes(bytes);
        }
    }

    private static void write(WireWriter out, Renames renames) {
        out.varint(renames.rivals().size());
        renames.rivals().forEach(rival -> out.stamp(rival.stamp()).text(rival.value()));
        out.varint(renames.replaced().size());
        renames.replaced().forEach(out::stamp);
        Stamp floor = renames.floor();
        out.u8(floor == null ? 0 : 1);
        if (floor != null) {
            out.stamp(floor);
        }
    }

    private static Renames renames(WireReader in) throws WireFormatException {
        List<Stamped<String>> rivals = new ArrayList<>();
        for (int i = in.count("rival ids", in.stampBytes() + 1); i > 0; i--) {
            Stamp stamp = in.stamp("stamp of rival id");
            rivals.add(new Stamped<>(stamp, in.text("rival id")));
        }
        List<Stamp> replaced = new ArrayList<>();
        for (int i = in.count("replaced ids", in.stampBytes()); i > 0; i--) {
            replaced.add(in.stamp("replaced id"));
        }
        return Renames.read(rivals, replaced, in.bool("has-floor") ? in.stamp("floor") : null);
    }

    private static int flags(SessionDelta delta) {
        int flags = delta.complete() ? COMPLETE : 0;
        flags |= delta.id() == null ? 0 : ID;
        flags |= delta.maxInactiveSeconds() == null ? 0 : MAX_INACTIVE;
        flags |= delta.lastUse() == null ? 0 : LAST_USE;
        flags |= delta.created() == null ? 0 : CREATED;
        flags |= delta.renames().equals(Renames.NONE) ? 0 : RENAMES;
        Ending ending = delta.ending();
        if (ending != null) {
            flags |= ending.into() != null ? UNITED : ending.invalidated() ? INVALIDATED : EXPIRED;
        }
        return flags;
    }

    /** Whether an update holds uses and attributes only; as far as its first bytes tell. */
    static boolean writesOnly(WireReader in) throws WireFormatException {
        long unusedAge = in.millis("age");
        long unusedIdle = in.millis("idle time");
        long unusedKey = in.fixed64("key");
        return (in.u8("flags") & ~LAST_USE) == 0;
    }

    static Update read(WireReader in) throws WireFormatException {
        long age = in.millis("age");
        long idle = in.millis("idle time");
        SessionKey key = new SessionKey(in.fixed64("key"));
        int flags = in.u8("flags");
        Stamped<String> id = null;
        if ((flags & ID) != 0) {
            Stamp stamp = in.stamp("stamp of id");
            id = new Stamped<>(stamp, in.text("id"));
        }
        Stamped<Integer> maxInactive = null;
        if ((flags & MAX_INACTIVE) != 0) {
            Stamp stamp = in.stamp("stamp of max inactive");
            maxInactive = new Stamped<>(stamp, zigzag(in));
        }
        Stamp lastUse = (flags & LAST_USE) != 0 ? in.stamp("last use") : null;
        Ending ending = ending(in, flags & UNITED);
        Stamp created = (flags & CREATED) != 0 ? in.stamp("creation") : null;
        Renames renames = (flags & RENAMES) != 0 ? renames(in) : Renames.NONE;
        return new Update(
                age,
                idle,
                new SessionDelta(
                        key,
                        (flags & COMPLETE) != 0,
                        id,
                        maxInactive,
                        lastUse,
                        attributes(in),
                        ending,
                        created,
                        renames));
    }

    private static @Nullable Ending ending(WireReader in, int flags) throws WireFormatException {
        return switch (flags) {
            case INVALIDATED -> Ending.INVALIDATED;
            case EXPIRED -> Ending.expired(in.stamp("judged use"));
            case UNITED -> Ending.united(new SessionKey(in.fixed64("session it goes on as")));
            default -> null;
        };
    }

    private static int zigzag(WireReader in) throws WireFormatException {
        long coded = in.varint("max inactive");
        if (coded < 0 || coded > 0xFFFF_FFFFL) {
            throw in.failure("max inactive of 32 bits", Long.toUnsignedString(coded));
        }
        return (int) (coded >>> 1) ^ -(int) (coded & 1);
    }

    private static Map<String, StampedBytes> attributes(WireReader in) throws WireFormatException {
        int count = in.count("attributes", in.stampBytes() + 2);
        if (count == 0) {
            return Map.of();
        }
        String name = in.name("attribute name");
        if (count == 1) {
            return SessionDelta.attribute(name, attribute(in)); // Of most changes.
        }
        Map<String, StampedBytes> attributes = new HashMap<>(Math.min(count, 1024));
        attributes.put(name, attribute(in));
        for (int i = 1; i < count; i++) {
            String previous = name;
            name = in.name("attribute name");
            if (previous.compareTo(name) >= 0) {
                throw in.failure(
                        "an attribute name after '" + WireText.shown(previous) + "'", "'" + WireText.shown(name) + "'");
            }
            attributes.put(name, attribute(in));
        }
        return Map.copyOf(attributes);
    }

    private static StampedBytes attribute(WireReader in) throws WireFormatException {
        Stamp stamp = in.stamp("stamp of attribute");
        return in.bool("removed") ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, in.bytes("attribute"));
    }
}
