package io.understudy.discovery;

import java.util.List;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;
import org.jgroups.util.Responses;

/**
 * TCPPING that looks the names of hosts up each time it asks, and makes nobody wait for that. That one looks once: a host without an address as a node starts
 * (a container that is not there yet) stands for this machine ever after, and one that moves is lost.
 *
 * <p>On the wire it is TCPPING. Threads: as TCPPING.
 */
final class PROBING_TCPPING extends TCPPING {

    private final HostNames hosts;
    private final SingleFlight looking = new SingleFlight();

    PROBING_TCPPING(HostNames hosts) {
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        this.hosts = hosts;
        this.initial_hosts_set_programmatically = true;
        this.initial_hosts = hosts.named() ? List.of() : hosts.look();
    }

    @Override
    public void findMembers(List<Address> members, boolean initial, Responses responses) {
        if (!hosts.named()) {
            super.findMembers(members, initial, responses);
            return;
        }
        looking.run(timer, () -> {
            initial_hosts = hosts.look();
            super.findMembers(members, initial, responses);
        });
    }
}
