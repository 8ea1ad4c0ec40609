package io.understudy.config;

import io.understudy.config.session.Coherence;
import io.understudy.config.session.OnDegraded;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The settings of one node, immutable and checked. Each component is described by its {@link Setting}.
 *
 * @param application what its applications have unless they have settings of their own
 * @param startAloneAfter how long a node that finds no other waits before it serves alone; zero is not at all
 * @param warmUp how long a starting node rehearses requests at most; zero is not at all
 * @param healthPort {@code -1} is off, {@code 0} any free port
 */
public record UnderstudyConfig(
        String clusterName,
        String nodeName,
        Transport transport,
        InetAddress bindAddress,
        int bindPort,
        List<HostPort> hosts,
        Discovery discovery,
        InetAddress multicastAddress,
        int multicastPort,
        Security security,
        Secrets secrets,
        Tls tls,
        ApplicationConfig application,
        Duration startAloneAfter,
        Duration warmUp,
        Duration touchInterval,
        Duration reconcileInterval,
        Duration tombstoneHorizon,
        Retention retention,
        MemoryConfig memory,
        int maxAttributeBytes,
        int maxWaitingRequests,
        RehearsalConfig rehearsal,
        int healthPort) {

    /** How many ports, from {@code bindPort} on, are tried before the start fails. */
    public static final int PORT_RANGE = 10;

    /** What {@code startAlone = auto} waits when settings name other members, or say where they are named. */
    private static final Duration AUTO_WAIT = Duration.ofSeconds(10);

    /** Below it nothing gets compiled. */
    private static final Duration SHORTEST_WARM_UP = Duration.ofMillis(100);

    /** The smallest {@code maxAttributeBytes}: below it ordinary attributes would not replicate. */
    private static final int MIN_ATTRIBUTE_BYTES = 1024;

    /**
     * A member's address.
     *
     * @param host name or address; IPv6 without brackets and interface
     * @param port TCP port
     */
    public record HostPort(String host, int port) {

        private static final Pattern ADDRESS_4 = Pattern.compile("\\d+(\\.\\d+){3}");

        /** Whether it is an address, which needs no look-up. */
        public boolean literal() {
            return host.indexOf(':') >= 0 || ADDRESS_4.matcher(host).matches();
        }

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    public Coherence coherence() {
        return application.coherence();
    }

    public Duration ackTimeout() {
        return application.ackTimeout();
    }

    public OnDegraded onDegraded() {
        return application.onDegraded();
    }

    /** The same node, for an application with these settings. */
    public UnderstudyConfig with(ApplicationConfig application) {
        return new UnderstudyConfig(
                clusterName,
                nodeName,
                transport,
                bindAddress,
                bindPort,
                hosts,
                discovery,
                multicastAddress,
                multicastPort,
                security,
                secrets,
                tls,
                application,
                startAloneAfter,
                warmUp,
                touchInterval,
                reconcileInterval,
                tombstoneHorizon,
                retention,
                memory,
                maxAttributeBytes,
                maxWaitingRequests,
                rehearsal,
                healthPort);
    }

    /**
     * The same with some settings changed, as text by name.
     *
     * @throws ConfigException as {@link #fromProperties}
     */
    public UnderstudyConfig with(Map<String, String> changed) {
        Builder builder = builder();
        builder.given.putAll(NodeSettings.asText(this));
        builder.given.putAll(ApplicationSettings.asText(application));
        if (multicastAddress.equals(MulticastGroup.usual(bindAddress))) {
            builder.given.remove(Setting.MULTICAST_ADDRESS); // It follows a changed bindAddress.
        }
        changed.forEach(builder::set);
        return builder.build();
    }

    /** Whether applications with these and with the other settings can share a node. */
    public boolean sameNode(UnderstudyConfig other) {
        return with(other.application).equals(other);
    }

    /** The settings of the node that are not the same in the other, with both values; empty if it is the {@link #sameNode}. */
    public List<String> differences(UnderstudyConfig other) {
        return NodeSettings.differences(this, other);
    }

    /** All defaults. */
    public static UnderstudyConfig defaults() {
        return builder().build();
    }

    /**
     * Reads settings by name; surrounding white space is ignored.
     *
     * @throws ConfigException if a name is unknown, a value malformed, or values do not go together
     */
    public static UnderstudyConfig fromProperties(Map<String, String> properties) {
        Builder builder = builder();
        properties.forEach(builder::set);
        return builder.build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects settings; they are checked by {@link #build}. Not safe for use by several threads. */
    public static final class Builder {

        private final Map<Setting, String> given = new EnumMap<>(Setting.class);

        private Builder() {}

        /**
         * Gives a setting as text.
         *
         * @throws ConfigException if there is no setting of that name
         */
        public Builder set(String key, String value) {
            return set(Setting.named(key), value);
        }

        public Builder set(Setting setting, String value) {
            given.put(setting, value);
            return this;
        }

        public Builder clusterName(String name) {
            return set(Setting.CLUSTER_NAME, name);
        }

        public Builder nodeName(String name) {
            return set(Setting.NODE_NAME, name);
        }

        public Builder transport(Transport transport) {
            return set(Setting.TRANSPORT, transport.name());
        }

        public Builder bind(String address, int port) {
            return set(Setting.BIND_ADDRESS, address).set(Setting.BIND_PORT, String.valueOf(port));
        }

        /** Members to look for, each as {@code host:port}. */
        public Builder hosts(String... hosts) {
            return set(Setting.HOSTS, String.join(",", hosts));
        }

        /** What the traffic between members is sealed with. */
        public Builder secret(String secret) {
            return set(Setting.SECRET, secret);
        }

        public Builder coherence(Coherence coherence) {
            return set(Setting.COHERENCE, coherence.name());
        }

        public Builder ackTimeout(Duration timeout) {
            return set(Setting.ACK_TIMEOUT, timeout.toMillis() + "ms");
        }

        /**
         * The checked settings.
         *
         * @throws ConfigException naming the setting, its value and a valid one
         */
        public UnderstudyConfig build() {
            SettingReader read = new SettingReader(given);
            InetAddress bind = BindAddress.read(read);
            Secrets secrets = Secrets.read(read);
            Tls tls = Tls.read(read);
            Security security = security(read, secrets, tls, bind);
            List<HostPort> hosts = Hosts.read(read, bind);
            Discovery discovery = Discovery.read(read);
            if (tls.given() && !bind.isLoopbackAddress() && hosts.isEmpty() && !discovery.listed()) {
                throw new ConfigException("setting 'tlsKeyStore' is '" + tls.keyStore()
                        + "', with which nodes do not find each other by multicast, because multicast is not "
                        + "encrypted: name the other nodes by 'hosts', 'dnsName', 'discoveryDirectory' or "
                        + "'discoveryDatabase'");
            }
            boolean others = discovery.listed() || !discovery.jgroupsStack().isEmpty();
            return new UnderstudyConfig(
                    read.nonEmpty(Setting.CLUSTER_NAME),
                    nodeNameOr(read.text(Setting.NODE_NAME)),
                    read.choice(Setting.TRANSPORT, Transport.class),
                    bind,
                    read.number(Setting.BIND_PORT, 1, 65_535 - PORT_RANGE),
                    hosts,
                    discovery,
                    MulticastGroup.read(read, bind),
                    read.number(Setting.MULTICAST_PORT, 1, 65_534),
                    security,
                    secrets,
                    tls,
                    ApplicationSettings.read(read),
                    startAlone(read, hosts, bind, others),
                    warmUp(read),
                    read.duration(Setting.TOUCH_INTERVAL, Duration.ofMillis(10)),
                    read.duration(Setting.RECONCILE_INTERVAL, Duration.ofMillis(100)),
                    read.duration(Setting.TOMBSTONE_HORIZON, Duration.ofSeconds(1)),
                    Retention.read(read),
                    MemoryConfig.read(read),
                    read.number(Setting.MAX_ATTRIBUTE_BYTES, MIN_ATTRIBUTE_BYTES, 1 << 20),
                    read.number(Setting.MAX_WAITING_REQUESTS, 1, 1_000_000),
                    RehearsalConfig.read(read),
                    read.number(Setting.HEALTH_PORT, -1, 65_535));
        }

        private static Security security(SettingReader read, Secrets secrets, Tls tls, InetAddress bind) {
            Security usual = secrets.given() ? Security.SECRET : tls.given() ? Security.TLS : Security.LOOPBACK;
            Security security =
                    read.text(Setting.SECURITY).isEmpty() ? usual : read.choice(Setting.SECURITY, Security.class);
            if (security == Security.NONE && usual != Security.LOOPBACK) {
                throw new ConfigException("setting 'security' is 'none', but '"
                        + (tls.given() ? "tlsKeyStore" : "secret") + "' is set: remove one of them");
            }
            if (security == Security.SECRET && tls.given()) {
                throw new ConfigException(
                        "setting 'security' is 'secret', but 'tlsKeyStore' is set, and 'secret' is not: "
                                + "remove 'security', or set 'secret' in place of 'tlsKeyStore' and 'tlsTrustStore'");
            }
            if (security == Security.SECRET && !secrets.given()) {
                throw new ConfigException(
                        "setting 'security' is 'secret', but 'secret' is not set: set it, to the same on "
                                + "all nodes. For example the output of: openssl rand -hex 32");
            }
            if (security == Security.TLS && !tls.given()) {
                throw new ConfigException("setting 'security' is 'tls', but 'tlsKeyStore' is not set: set it, and "
                        + "'tlsTrustStore', to the files with this node's certificate and with those of the members");
            }
            if (security == Security.LOOPBACK && !bind.isLoopbackAddress()) {
                throw new ConfigException("setting 'bindAddress' is '" + read.text(Setting.BIND_ADDRESS)
                        + "', which other hosts can reach, but the traffic is not protected: set 'secret', to the "
                        + "same on all "
                        + "nodes (for example the output of: openssl rand -hex 32), or 'security' to 'none' to "
                        + "accept that everybody in that network can read and write sessions, or 'bindAddress' to "
                        + "'127.0.0.1'");
            }
            return security;
        }

        private static Duration startAlone(SettingReader read, List<HostPort> hosts, InetAddress bind, boolean others) {
            String text = read.text(Setting.START_ALONE).toLowerCase(Locale.ROOT);
            if (text.equals("auto")) {
                HostPort self = new HostPort(BindAddress.text(bind), read.number(Setting.BIND_PORT, 1, 65_535));
                return !others && hosts.stream().allMatch(self::equals) ? Duration.ZERO : AUTO_WAIT;
            }
            if (text.equals("serve")) {
                return Duration.ZERO;
            }
            if (text.startsWith("wait ")) {
                return read.duration(
                        Setting.START_ALONE, text.substring("wait ".length()).trim(), Duration.ZERO);
            }
            throw read.malformed(
                    Setting.START_ALONE,
                    "must be 'auto', 'serve' or 'wait <duration>'",
                    DidYouMean.to(text, "auto", "serve", "wait 10s"));
        }

        private static Duration warmUp(SettingReader read) {
            return read.text(Setting.WARM_UP).equalsIgnoreCase("off")
                    ? Duration.ZERO
                    : read.duration(Setting.WARM_UP, SHORTEST_WARM_UP);
        }

        private static String nodeNameOr(String given) {
            if (!given.isEmpty()) {
                return given;
            }
            String host;
            try {
                host = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                host = "node";
            }
            return host + "-" + ProcessHandle.current().pid();
        }
    }
}
