package io.understudy.cluster.expiry;

import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.replica.HybridClock;
import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;

/** Which member expires a session of an application. Threads: any. */
public final class Ownership {

    private final LocalApplication application;
    private final Members members;
    private final HybridClock clock;

    /** @param clock stamps the uses of this member */
    public Ownership(LocalApplication application, Members members, HybridClock clock) {
        this.application = application;
        this.members = members;
        this.clock = clock;
    }

    /** Whether it is this one: it used it last, or inherited it from a member that is gone or does not run the application. */
    public boolean here(SessionReplica replica) {
        Stamp lastUse = replica.lastUse();
        if (lastUse == null || application.suspended() || !application.ready()) {
            return false;
        }
        if (lastUse.origin() == clock.origin()) {
            return true;
        }
        return !members.runs(lastUse.origin(), application.number())
                && among(replica.key(), true).equals(members.self());
    }

    /** The member that takes over what one that is gone had begun: the same for all who see the same members. */
    Address heir(SessionKey key) {
        return among(key, application.serves());
    }

    private Address among(SessionKey key, boolean self) {
        List<Address> candidates = new ArrayList<>(members.serving(application.number()));
        if (candidates.isEmpty() || self) {
            candidates.add(members.self());
        }
        return Rendezvous.of(key, candidates);
    }
}
