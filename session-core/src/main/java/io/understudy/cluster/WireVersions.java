package io.understudy.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.codec.Frame.Membership;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Presence;
import io.understudy.codec.WireCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * In which version of the wire format this member writes: the highest that all members of its view read, so that releases
 * can be mixed while they are exchanged one node at a time. Who has not said what it reads is taken for an old one. A member
 * with which no version is shared is a stranger: it counts for nothing here, and this one for nothing there.
 *
 * <p>Threads: any.
 */
final class WireVersions {

    @GuardedBy("this")
    private final Map<Address, Presence> said = new HashMap<>();

    @GuardedBy("this")
    private List<Address> view = List.of();

    private volatile int written = WireCodec.HIGHEST_VERSION;

    /** The version to write now. */
    int written() {
        return written;
    }

    /** To be called before anything is sent in the new view. */
    synchronized void view(List<Address> members, Address self) {
        view = List.copyOf(members);
        said.keySet().retainAll(members);
        choose(self);
    }

    /**
     * A member says what it reads. To be called before it is known to hold anything.
     *
     * @return whether a version is shared with it
     */
    synchronized boolean said(Address member, Presence presence, Address self) {
        said.put(member, presence);
        choose(self);
        return shared(presence);
    }

    @GuardedBy("this")
    private void choose(Address self) {
        int highest = WireCodec.HIGHEST_VERSION;
        for (Address member : view) {
            Presence presence = said.get(member);
            if (!member.equals(self) && presence == null) {
                highest = WireCodec.LOWEST_VERSION;
            } else if (presence != null && shared(presence)) {
                highest = Math.min(highest, presence.highestVersion());
            }
        }
        written = highest;
    }

    private static boolean shared(Presence presence) {
        return presence.lowestVersion() <= WireCodec.HIGHEST_VERSION
                && presence.highestVersion() >= WireCodec.LOWEST_VERSION;
    }

    /**
     * Why this member may not take itself for the first that has an application: a stranger has it, and is ready, or about to
     * be. {@code null} if none is.
     */
    synchronized @Nullable String outsider(String application, Address self) {
        boolean before = true;
        for (Address member : view) {
            before &= !member.equals(self);
            Presence presence = said.get(member);
            if (presence != null && !shared(presence)) {
                for (Membership there : presence.memberships()) {
                    if (there.application().equals(application) && (before || there.phase() == Phase.READY)) {
                        return unlike(member, presence);
                    }
                }
            }
        }
        return null;
    }

    /** What is wrong with a stranger, and the way out. */
    static String unlike(Address member, Presence presence) {
        return "%s reads wire versions %d to %d, this node %d to %d: they share no sessions. Stop either, or go by a release "
                        .formatted(
                                member,
                                presence.lowestVersion(),
                                presence.highestVersion(),
                                WireCodec.LOWEST_VERSION,
                                WireCodec.HIGHEST_VERSION)
                + "that reads a version of both";
    }
}
