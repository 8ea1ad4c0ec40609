package io.understudy.discovery;

import io.understudy.config.UnderstudyConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.naming.NamingException;
import org.jgroups.Address;
import org.jgroups.protocols.dns.AddressedDNSResolver;
import org.jgroups.protocols.dns.DNSResolver;
import org.jgroups.protocols.dns.DNSResolver.DNSRecordType;
import org.jgroups.protocols.dns.DefaultDNSResolver;
import org.jgroups.stack.IpAddress;

/**
 * The addresses that {@code dnsName} has, of the kind (IPv4 or IPv6) that this node has. That there are none is no error, as a service may be empty at
 * first; it is said once.
 *
 * <p>Threads: one at a time.
 */
final class Names implements DNSResolver {

    private static final Logger LOG = System.getLogger(Names.class.getName());

    private static final String FACTORY = "com.sun.jndi.dns.DnsContextFactory";

    /** Members look for others about once a second, to merge; a name is looked up no more often than this. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Until somebody is found names are looked up each time. */
    private static final int ALONE = 1;

    private final UnderstudyConfig config;
    private final DNSResolver resolver;
    private List<Address> found = List.of();
    private long lookedNanos;
    private boolean said;
    private volatile boolean closed;

    Names(UnderstudyConfig config) {
        this.config = config;
        String server = config.discovery().dnsServer();
        try {
            resolver = server.isEmpty() ? new DefaultDNSResolver(FACTORY, "") : new OfServer(server);
        } catch (NamingException e) {
            throw new IllegalStateException(
                    "the JDK's module jdk.naming.dns, which 'dnsName' needs, can't be used: " + e, e);
        }
    }

    /** Whose answers to services' names are looked up at the same server, too. */
    private static final class OfServer extends AddressedDNSResolver {

        OfServer(String server) throws NamingException {
            super(FACTORY, server);
        }

        @Override
        protected List<Address> resolveAEntries(String name, String port) {
            List<Address> all = super.resolveAEntries(name, port);
            resolveAAAAEntries(name)
                    .forEach(address ->
                            all.add(new IpAddress(((IpAddress) address).getIpAddress(), Integer.parseInt(port))));
            return all;
        }

        @Override
        protected List<Address> resolveIPEntries(String name, String port) {
            return resolveAEntries(name, port);
        }
    }

    String query() {
        return config.discovery().dnsQuery();
    }

    DNSRecordType type() {
        return config.discovery().dnsServices() ? DNSRecordType.SRV : DNSRecordType.A;
    }

    @Override
    public List<Address> resolveIps(String name, DNSRecordType type) {
        long now = System.nanoTime();
        if (found.size() <= ALONE || now - lookedNanos > AGAIN_NANOS) {
            found = resolver.resolveIps(name, type).stream()
                    .filter(address -> sameKind(((IpAddress) address).getIpAddress()))
                    .toList();
            lookedNanos = now;
            say();
        }
        return found;
    }

    private boolean sameKind(InetAddress address) {
        return address.getClass() == config.bindAddress().getClass();
    }

    private void say() {
        if (closed) {
            return; // The answer came too late for this node.
        }
        if (found.isEmpty() && !said) {
            said = true;
            LOG.log(
                    Level.WARNING,
                    "{0} - ''dnsName'' {1} has no address for now of the same IP version as ''bindAddress'' {2}; "
                            + "this node keeps looking. In Kubernetes use a headless service with "
                            + "publishNotReadyAddresses: true",
                    config.nodeName(),
                    config.discovery().dnsName(),
                    config.bindAddress().getHostAddress());
        } else if (!found.isEmpty() && said) {
            said = false;
            LOG.log(
                    Level.INFO,
                    "{0} - ''dnsName'' {1} now has {2} addresses",
                    config.nodeName(),
                    config.discovery().dnsName(),
                    found.size());
        }
    }

    @Override
    public void close() {
        closed = true;
        resolver.close();
    }
}
