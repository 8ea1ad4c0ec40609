package io.understudy.cluster.convergence;

import io.understudy.cluster.membership.DepartedMembers;
import io.understudy.cluster.membership.Members;
import io.understudy.store.Tombstones;
import io.understudy.wire.Frame.Phase;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;

/**
 * Which members are proven to hold the tombstones of one application that are here, by comparison. Threads: any.
 *
 * @see Tombstones
 */
public final class TombstoneAcks {

    private final Members members;
    private final long application;
    private final Map<Address, Long> provenBefore = new ConcurrentHashMap<>();

    public TombstoneAcks(Members members, long application) {
        this.members = members;
        this.application = application;
    }

    /** A member that leaves has to prove it anew. */
    public void view(Collection<Address> present) {
        provenBefore.keySet().retainAll(present);
    }

    /** @param before of which time {@code member} holds all tombstones that are here; none if not known */
    public void compared(Address member, long before) {
        if (before != DepartedMembers.NONE) {
            provenBefore.put(member, before);
        }
    }

    /** @param readySince when this member came to hold all sessions */
    public void tell(Tombstones tombstones, long readySince) {
        long before = Long.MAX_VALUE;
        for (Address member : members.others(application, Phase.JOINING)) {
            before = Math.min(before, provenBefore.getOrDefault(member, Long.MIN_VALUE));
        }
        List<Long> missing = members.missing(application);
        long lastMissing = missing.stream().mapToLong(Long::longValue).max().orElse(DepartedMembers.NONE);
        tombstones.settled(before, Math.max(readySince, lastMissing), missing);
    }
}
