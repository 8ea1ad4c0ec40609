package io.understudy.discovery;

import java.util.Collection;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.PingHeader;
import org.jgroups.protocols.TCPPING;
import org.jgroups.util.ByteArray;
import org.jgroups.util.NameCache;
import org.jspecify.annotations.Nullable;

/**
 * The question who is there, as TCPPING asks it and under its name. So members understand each other whatever each of them
 * looks for others by, and nothing that a source says of members is believed: only who answers counts.
 */
final class DiscoveryRequest {

    /** Whose name it has. */
    static final short ID = ClassConfigurator.getProtocolId(TCPPING.class);

    /** Of more members than these all that get the question answer it, and not those alone that are looked for. */
    private static final int MAX_MEMBERS = 500;

    private DiscoveryRequest() {}

    /** Where others reach this node. */
    static PhysicalAddress own(Discovery asker) {
        return (PhysicalAddress) asker.down(new Event(Event.GET_PHYSICAL_ADDRESS, asker.getAddress()));
    }

    /**
     * Asks all of these.
     *
     * @param members that are looked for; {@code null} for all
     * @param initial whether this node has no view yet
     */
    static void ask(
            Discovery asker, Collection<PhysicalAddress> whom, @Nullable List<Address> members, boolean initial) {
        Address self = asker.getAddress();
        PingData asking = new PingData(self, false, NameCache.get(self), own(asker));
        if (members != null && members.size() <= MAX_MEMBERS) {
            asking.mbrs(members);
        }
        ByteArray data = Discovery.marshal(asking);
        PingHeader header = new PingHeader(PingHeader.GET_MBRS_REQ)
                .clusterName(asker.getClusterName())
                .initialDiscovery(initial);
        for (PhysicalAddress address : whom) {
            asker.getDownProtocol()
                    .down(new BytesMessage(address)
                            .setFlag(Message.Flag.DONT_BUNDLE, Message.Flag.OOB)
                            .setFlag(Message.TransientFlag.DONT_LOOPBACK)
                            .setArray(data)
                            .putHeader(ID, header));
        }
    }

    /** The same question that a protocol asks under its own name. */
    static Message renamed(Message question, short name) {
        return question.copy(true, false).putHeader(ID, question.getHeader(name));
    }
}
