package io.understudy.discovery;

import io.understudy.config.Discovery;
import io.understudy.config.UnderstudyConfig;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.protocols.TCPPING;
import org.jgroups.stack.Protocol;

/** The protocols that look for members at the addresses that settings name. */
public final class Sources {

    private Sources() {}

    /** What asks at {@code hosts}, whose names are looked up again and again; nobody if there are none. */
    public static TCPPING hosts(UnderstudyConfig config) {
        return new PROBING_TCPPING(new HostNames(config));
    }

    /**
     * One protocol for each source that is set. They only send queries, under the name of TCPPING, so a stack needs
     * TCPPING too.
     *
     * @throws io.understudy.config.ConfigException if a directory can't be written to, or a database not be connected
     *     to
     */
    public static List<Protocol> of(UnderstudyConfig config) {
        Discovery settings = config.discovery();
        List<Protocol> sources = new ArrayList<>();
        if (!settings.dnsName().isEmpty()) {
            sources.add(new PROBING_DNS_PING(new Names(config)));
        }
        if (!settings.directory().isEmpty()) {
            sources.add(new PROBING_FILE_PING(config.nodeName(), settings.directory()));
        }
        if (!settings.database().isEmpty()) {
            sources.add(new PROBING_JDBC_PING(config.nodeName(), settings));
        }
        return sources;
    }
}
