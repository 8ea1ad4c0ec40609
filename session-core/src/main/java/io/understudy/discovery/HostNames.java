package io.understudy.discovery;

import io.understudy.config.UnderstudyConfig;
import io.understudy.config.UnderstudyConfig.HostPort;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jgroups.PhysicalAddress;
import org.jgroups.stack.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the hosts are that {@code hosts} names: the first address of each that is of the kind (IPv4 or IPv6) that this node has. A name without one is told of
 * once; one that loses its address keeps the last.
 *
 * <p>Threads: one at a time.
 */
final class HostNames {

    private static final Logger LOG = System.getLogger(HostNames.class.getName());

    private final UnderstudyConfig config;
    private final boolean named;
    private final Map<HostPort, InetAddress> found = new LinkedHashMap<>();
    private final Set<HostPort> missing = new LinkedHashSet<>();

    HostNames(UnderstudyConfig config) {
        this.config = config;
        this.named = !config.hosts().stream().allMatch(HostPort::literal);
    }

    /** Whether there are any names, which have to be asked for, and not addresses alone. */
    boolean named() {
        return named;
    }

    /** Looks all of them up. The JDK remembers what it is told, for 30 s, or 10 s if that is nothing, unless it is set otherwise. */
    List<PhysicalAddress> look() {
        List<PhysicalAddress> all = new ArrayList<>();
        for (HostPort host : config.hosts()) {
            InetAddress now = address(host.host());
            if (now == null) {
                gone(host);
            } else {
                at(host, now);
            }
            InetAddress last = found.get(host);
            if (last != null) {
                all.add(new IpAddress(last, host.port()));
            }
        }
        return all;
    }

    private void at(HostPort host, InetAddress now) {
        InetAddress before = found.put(host, now);
        boolean moved = before != null && !before.equals(now);
        if (missing.remove(host) || moved) {
            LOG.log(
                    Level.INFO,
                    "{0} - ''hosts'' names {1}, which now has the address {2}",
                    config.nodeName(),
                    host.host(),
                    now.getHostAddress());
        }
    }

    private void gone(HostPort host) {
        if (missing.add(host)) {
            InetAddress before = found.get(host);
            LOG.log(
                    Level.WARNING,
                    "{0} - ''hosts'' names {1}, which has no address for now of the same IP version as "
                            + "''bindAddress'' {2}; this node keeps looking{3}",
                    config.nodeName(),
                    host.host(),
                    config.bindAddress().getHostAddress(),
                    before == null ? "" : ", and queries its former address " + before.getHostAddress() + "");
        }
    }

    private @Nullable InetAddress address(String host) {
        try {
            return Stream.of(InetAddress.getAllByName(host))
                    .filter(each -> each.getClass() == config.bindAddress().getClass())
                    .findFirst()
                    .orElse(null);
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
