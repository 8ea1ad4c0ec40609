package io.understudy.cluster;

import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;

/** Which member expires a session of an application. Threads: any. */
final class Ownership {

    private final ApplicationGroup group;
    private final ClusterChannel channel;

    Ownership(ApplicationGroup group, ClusterChannel channel) {
        this.group = group;
        this.channel = channel;
    }

    /** Whether it is this one: it used it last, or inherited it from a member that is gone or does not run the application. */
    boolean here(SessionReplica replica) {
        Stamp lastUse = replica.lastUse();
        if (lastUse == null || group.suspended() || !group.ready()) {
            return false;
        }
        if (lastUse.origin() == channel.clock().origin()) {
            return true;
        }
        return !channel.members().runs(lastUse.origin(), group.number())
                && among(replica.key(), true).equals(channel.self());
    }

    /** The member that takes over what one that is gone had begun: the same for all who see the same members. */
    Address heir(SessionKey key) {
        return among(key, group.serves());
    }

    private Address among(SessionKey key, boolean self) {
        List<Address> candidates = new ArrayList<>(channel.members().serving(group.number()));
        if (candidates.isEmpty() || self) {
            candidates.add(channel.self());
        }
        return Rendezvous.of(key, candidates);
    }
}
