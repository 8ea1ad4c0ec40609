package io.understudy.wire;

import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import java.util.ArrayList;
import java.util.List;

/**
 * Presences to bytes and back. Grammar:
 *
 * <pre>
 * presence = origin(8) varint-announcement coherent(1) lowest(1) highest(1) n*(text-name phase(1) flags(1))
 * phase    = 0 joining | 1 counted | 2 ready
 * flags    = 1 deployed | 2 restoring
 * </pre>
 */
final class PresenceCodec {

    private static final int DEPLOYED = 1;
    private static final int RESTORING = 2;

    private PresenceCodec() {}

    static void write(WireWriter out, Presence presence) {
        out.fixed64(presence.origin()).varint(presence.announcement()).u8(presence.coherent() ? 1 : 0);
        out.u8(presence.lowestVersion()).u8(presence.highestVersion());
        out.varint(presence.memberships().size());
        for (Membership membership : presence.memberships()) {
            out.text(membership.application()).u8(membership.phase().code()).u8(flags(membership));
        }
    }

    static Presence read(WireReader in) throws WireFormatException {
        return new Presence(
                in.fixed64("origin"),
                in.varint("announcement"),
                in.bool("coherent"),
                in.u8("lowest version"),
                in.u8("highest version"),
                memberships(in));
    }

    private static List<Membership> memberships(WireReader in) throws WireFormatException {
        int count = in.count("applications", 3);
        List<Membership> memberships = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = in.text("application name");
            memberships.add(membership(in, name));
        }
        return memberships;
    }

    private static int flags(Membership membership) {
        return (membership.deployed() ? DEPLOYED : 0) | (membership.restoring() ? RESTORING : 0);
    }

    private static Membership membership(WireReader in, String name) throws WireFormatException {
        Phase phase = phase(in);
        int flags = in.number("flags", DEPLOYED | RESTORING);
        return new Membership(name, phase, (flags & DEPLOYED) != 0, (flags & RESTORING) != 0);
    }

    private static Phase phase(WireReader in) throws WireFormatException {
        int code = in.u8("phase");
        for (Phase phase : Phase.values()) {
            if (phase.code() == code) {
                return phase;
            }
        }
        throw in.failure("a phase from 0 to 2", "phase " + code);
    }
}
