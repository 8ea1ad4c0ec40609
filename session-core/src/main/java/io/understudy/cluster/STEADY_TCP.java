package io.understudy.cluster;

import java.util.Collection;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.annotations.MBean;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jgroups.util.Util;

/**
 * JGroups' TCP, but a member that does not read makes no other wait.
 *
 * <p>Each connection has a queue and a thread of its own: with one thread for all, a full socket buffer stops what is sent
 * to everybody, heartbeats too. A queue that is full drops; the reliable protocols above send again. And connections to
 * members that left are closed hard: a graceful end is one more write, which would hold up the new view for as long as
 * the peer does not read.
 *
 * <p>Threads: as TCP. Public as JGroups looks into it.
 */
@MBean(description = "TCP in which a member that does not read makes no other wait")
public final class STEADY_TCP extends TCP {

    /** Packets queued per member, of up to 64 KB each; the flow controls' credits are the bound in bytes. */
    private static final int MAX_QUEUE = 4096;

    public STEADY_TCP() {
        setId(ClassConfigurator.getProtocolId(TCP.class)); // On the wire it is TCP.
        nonBlockingSends(true);
        maxSendQueue(MAX_QUEUE);
    }

    @Override
    public void retainAll(Collection<Address> present) {
        srv.forAllConnections((peer, connection) -> {
            if (!present.contains(peer) && !(peer instanceof PhysicalAddress known && is_member.test(known))) {
                close(connection);
            }
        });
        super.retainAll(present);
    }

    private static void close(Connection connection) {
        try {
            connection.close(false);
        } catch (Exception e) {
            Util.close(connection); // It was closed already, or is broken: both is what was wanted.
        }
    }
}
