package io.understudy.network.detection;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;

/**
 * What the ports of other members replied to connections of failure detection: whether a member that has none may be
 * suspected.
 *
 * <p>Threads: any.
 */
final class PortReplies {

    /** Members that gave no answer. */
    private final Set<Address> silent = ConcurrentHashMap.newKeySet();

    /** Members whose ports refused a connection, and that were suspected of having ended. */
    private final Set<Address> refusing = ConcurrentHashMap.newKeySet();

    /** Those of them that answered over the transport then, until there is a connection. */
    private final Set<Address> vouchedFor = ConcurrentHashMap.newKeySet();

    /** Members of which it was logged that there is no connection. */
    private final Set<Address> outOfReach = ConcurrentHashMap.newKeySet();

    /** The ports of a member are queried, one after the other. */
    void queried(Address member) {
        silent.remove(member);
    }

    /** One of the member's ports gave no answer: nothing shows that the member is not there. */
    void unanswered(Address member) {
        silent.add(member);
    }

    /** There is a connection. */
    void connected(Address member) {
        silent.remove(member); // It was not at the first of its ports.
        refusing.remove(member);
        vouchedFor.remove(member);
        outOfReach.remove(member);
    }

    /** There is none, at no port of the member. */
    void unconnected(Address member) {
        if (vouchedFor(member)) {
            silent.add(member); // As by a firewall that refuses in its name: it would be suspected without end.
        } else if (!silent.contains(member)) {
            refusing.add(member);
        }
    }

    /** A suspected member answered over the transport. */
    void vouched(Address member, Collection<Address> members) {
        refusing.retainAll(members);
        vouchedFor.retainAll(members);
        if (refusing.remove(member)) {
            vouchedFor.add(member);
        }
    }

    /** Whether the member's ports refuse connections, and the member is there. */
    boolean vouchedFor(Address member) {
        return vouchedFor.contains(member);
    }

    /** Whether a member without a connection is none to suspect. */
    boolean silent(Address member) {
        return silent.contains(member);
    }

    /** Whether it was not noted since its last connection that the member is out of reach of these connections. */
    boolean firstOutOfReach(Address member, Collection<Address> members) {
        outOfReach.retainAll(members);
        return outOfReach.add(member);
    }
}
