package io.understudy.cluster.membership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.WireCodec;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * In which version of the wire format this member writes: the highest that all members of its view read, so that
 * releases can be mixed while they are exchanged one node at a time. A member that has not announced what it reads is
 * taken for an old one. A member with which no version is shared is a stranger: it counts for nothing here, and this
 * one for nothing there.
 *
 * <p>Threads: any.
 */
public final class WireVersions {

    private static final Logger LOG = System.getLogger(WireVersions.class.getName());

    private final Supplier<Address> self;
    private final String node;

    @GuardedBy("this")
    private final PeerStates<Presence> said = new PeerStates<>();

    @GuardedBy("this")
    private List<Address> view = List.of();

    /** That the log tells of already. */
    @GuardedBy("this")
    private final Set<Address> strangers = new HashSet<>();

    private volatile int written = WireCodec.HIGHEST_VERSION;

    /**
     * @param self this member, which is known when the first view is
     * @param node its name, for logs
     */
    public WireVersions(Supplier<Address> self, String node) {
        this.self = self;
        this.node = node;
    }

    /** The version to write now. */
    public int written() {
        return written;
    }

    /** To be called before anything is sent in the new view. */
    public synchronized void view(List<Address> members) {
        view = List.copyOf(members);
        said.view(members);
        strangers.retainAll(members);
        choose();
    }

    /**
     * A member announces what it reads. To be called before it is known to hold anything.
     *
     * @return whether a version is shared with it
     */
    public synchronized boolean said(Address member, Presence presence) {
        said.say(member, presence);
        choose();
        boolean shared = shared(presence);
        if (!shared && strangers.add(member)) {
            LOG.log(Level.WARNING, "{0} - {1}", node, unlike(member, presence));
        }
        return shared;
    }

    @GuardedBy("this")
    private void choose() {
        int highest = WireCodec.HIGHEST_VERSION;
        for (Address member : view) {
            Presence presence = said.by(member);
            if (!member.equals(self.get()) && presence == null) {
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
    public synchronized @Nullable String incompatibleHolder(String application) {
        boolean before = true;
        for (Address member : view) {
            before &= !member.equals(self.get());
            Presence presence = said.by(member);
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
    private static String unlike(Address member, Presence presence) {
        return ("%s reads wire versions %d to %d, this node %d to %d: they share no sessions. Stop one of them, or upgrade "
                        + "by way of a release that reads a version of both")
                .formatted(
                        member,
                        presence.lowestVersion(),
                        presence.highestVersion(),
                        WireCodec.LOWEST_VERSION,
                        WireCodec.HIGHEST_VERSION);
    }
}
