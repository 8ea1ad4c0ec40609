package io.understudy.discovery;

import java.util.List;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.dns.DNS_PING;
import org.jgroups.util.Responses;

/**
 * DNS_PING that makes nobody wait for DNS. It asks under the name of TCPPING (see {@link DiscoveryRequest}).
 *
 * <p>Threads: as DNS_PING.
 */
final class PROBING_DNS_PING extends DNS_PING {

    private final SingleFlight looking = new SingleFlight();

    PROBING_DNS_PING(Names names) {
        setId(ClassConfigurator.getProtocolId(DNS_PING.class));
        dnsResolver(names).dnsQuery(names.query()).dnsRecordType(names.type().name());
    }

    @Override
    public void findMembers(List<Address> members, boolean initial, Responses responses) {
        looking.run(timer, () -> super.findMembers(members, initial, responses));
    }

    @Override
    protected void sendDiscoveryRequest(Message question) {
        super.sendDiscoveryRequest(DiscoveryRequest.renamed(question, id));
    }
}
