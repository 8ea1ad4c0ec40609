package io.understudy.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The settings of one node, immutable and checked. Each component is described by its {@link Setting}.
 *
 * @param application what its applications have unless they have settings of their own
 * @param startAloneAfter how long a node that finds no other waits before it serves alone; zero is not at all
 * @param healthPort {@code -1} is off, {@code 0} any free port
 */
public record UnderstudyConfig(
        String clusterName,
        String nodeName,
        Transport transport,
        InetAddress bindAddress,
        int bindPort,
        List<HostPort> hosts,
        InetAddress multicastAddress,
        int multicastPort,
        Security security,
        Secrets secrets,
        ApplicationConfig application,
        Duration startAloneAfter,
        Duration touchInterval,
        Duration reconcileInterval,
        Duration tombstoneHorizon,
        Retention retention,
        MemoryConfig memory,
        int maxAttributeBytes,
        int healthPort) {

    /** How many ports, from {@code bindPort} on, are tried before the start fails. */
    public static final int PORT_RANGE = 10;

    /** What {@code startAlone = auto} waits when {@code hosts} names other members. */
    private static final Duration AUTO_WAIT = Duration.ofSeconds(10);

    /** The smallest {@code maxAttributeBytes}: below it ordinary attributes would not replicate. */
    private static final int MIN_ATTRIBUTE_BYTES = 1024;

    /**
     * A member's address.
     *
     * @param host name or address
     * @param port TCP port
     */
    public record HostPort(String host, int port) {}

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
                multicastAddress,
                multicastPort,
                security,
                secrets,
                application,
                startAloneAfter,
                touchInterval,
                reconcileInterval,
                tombstoneHorizon,
                retention,
                memory,
                maxAttributeBytes,
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
        builder.given.putAll(application.asText());
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
            InetAddress bind = address(read, Setting.BIND_ADDRESS);
            Secrets secrets = Secrets.read(read);
            Security security = security(read, secrets, bind);
            InetAddress multicast = address(read, Setting.MULTICAST_ADDRESS);
            if (!multicast.isMulticastAddress()) {
                throw read.malformed(
                        Setting.MULTICAST_ADDRESS,
                        "must be a multicast address (224.0.0.0 to 239.255.255.255)",
                        Setting.MULTICAST_ADDRESS.defaultValue());
            }
            List<HostPort> hosts = hosts(read);
            return new UnderstudyConfig(
                    read.nonEmpty(Setting.CLUSTER_NAME),
                    nodeNameOr(read.text(Setting.NODE_NAME)),
                    read.choice(Setting.TRANSPORT, Transport.class),
                    bind,
                    read.number(Setting.BIND_PORT, 1, 65_535 - PORT_RANGE),
                    hosts,
                    multicast,
                    read.number(Setting.MULTICAST_PORT, 1, 65_534),
                    security,
                    secrets,
                    ApplicationConfig.read(read),
                    startAlone(read, hosts, bind),
                    read.duration(Setting.TOUCH_INTERVAL, Duration.ofMillis(10)),
                    read.duration(Setting.RECONCILE_INTERVAL, Duration.ofMillis(100)),
                    read.duration(Setting.TOMBSTONE_HORIZON, Duration.ofSeconds(1)),
                    Retention.read(read),
                    MemoryConfig.read(read),
                    read.number(Setting.MAX_ATTRIBUTE_BYTES, MIN_ATTRIBUTE_BYTES, 1 << 20),
                    read.number(Setting.HEALTH_PORT, -1, 65_535));
        }

        private static Security security(SettingReader read, Secrets secrets, InetAddress bind) {
            Security security = read.text(Setting.SECURITY).isEmpty()
                    ? secrets.given() ? Security.SECRET : Security.LOOPBACK
                    : read.choice(Setting.SECURITY, Security.class);
            if (security == Security.NONE && secrets.given()) {
                throw new ConfigException("setting 'security' is 'none', but 'secret' is set: leave out one of them");
            }
            if (security == Security.SECRET && !secrets.given()) {
                throw new ConfigException(
                        "setting 'security' is 'secret', but 'secret' is not set: set it, to the same on "
                                + "all nodes. For example the output of: openssl rand -hex 32");
            }
            if (security == Security.LOOPBACK && !bind.isLoopbackAddress()) {
                throw new ConfigException("setting 'bindAddress' is '" + read.text(Setting.BIND_ADDRESS)
                        + "', which others can reach, but the traffic is not protected: set 'secret', to the same on all "
                        + "nodes (for example the output of: openssl rand -hex 32), or 'security' to 'none' to "
                        + "accept that everybody in that network can read and write sessions, or 'bindAddress' to "
                        + "'127.0.0.1'");
            }
            return security;
        }

        private static InetAddress address(SettingReader read, Setting setting) {
            try {
                return InetAddress.getByName(read.nonEmpty(setting));
            } catch (UnknownHostException e) {
                throw read.malformed(
                        setting, "must be an address or a host name that resolves", setting.defaultValue());
            }
        }

        private static List<HostPort> hosts(SettingReader read) {
            return Stream.of(read.text(Setting.HOSTS).split(","))
                    .map(String::trim)
                    .filter(host -> !host.isEmpty())
                    .map(host -> hostPort(read, host))
                    .toList();
        }

        private static HostPort hostPort(SettingReader read, String text) {
            int colon = text.lastIndexOf(':');
            try {
                int port = Integer.parseInt(text.substring(colon + 1));
                if (colon > 0 && port > 0 && port <= 65_535) {
                    return new HostPort(text.substring(0, colon), port);
                }
            } catch (NumberFormatException e) {
                // Falls through to the one message for all malformed hosts.
            }
            String host = colon > 0 ? text.substring(0, colon) : text;
            throw read.malformed(Setting.HOSTS, "must be host:port, host:port ...", host + ":7800");
        }

        private static Duration startAlone(SettingReader read, List<HostPort> hosts, InetAddress bind) {
            String text = read.text(Setting.START_ALONE).toLowerCase(Locale.ROOT);
            if (text.equals("auto")) {
                HostPort self = new HostPort(bind.getHostAddress(), read.number(Setting.BIND_PORT, 1, 65_535));
                return hosts.stream().allMatch(self::equals) ? Duration.ZERO : AUTO_WAIT;
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
                    Nearest.to(text, "auto", "serve", "wait 10s"));
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
