package io.understudy.config;

/** Every setting: its name, its default and what it does. The tables in the guide are checked against this one. */
public enum Setting {
    CLUSTER_NAME("clusterName", "understudy", "Members with the same name form one cluster."),
    NODE_NAME("nodeName", "", "This node's name in logs; by default host name and process id."),
    TRANSPORT(
            "transport",
            "auto",
            "`auto`: UDP multicast to the members that show that they hear it, TCP to the others, decided anew all the time. "
                    + "`tcp` or `udp`: always that."),
    BIND_ADDRESS(
            "bindAddress",
            "127.0.0.1",
            "What the members talk on: an address of this machine, IPv4 or IPv6, a host name of it, an interface such as `eth1`, or a network "
                    + "such as `10.1.0.0/16`."),
    BIND_PORT("bindPort", "7800", "TCP port; without `hosts` and `dnsName` the next 9 are tried if it is taken."),
    HOSTS(
            "hosts",
            "",
            "Comma-separated `host:port`, or `[address]:port` with IPv6, of members to look for with `tcp` and `auto`. Without it, and "
                    + "without the next three: the ports from `bindPort` on at `bindAddress`, and multicast unless that is loopback. `auto` looks by multicast, "
                    + "too, in any case."),
    DNS_NAME(
            "dnsName",
            "",
            "Name in DNS with the addresses of members, each at the `bindPort` of this node: a headless service of Kubernetes. One that "
                    + "begins with `_` has the ports, too (SRV). `dns://server:port/name` asks that server."),
    DISCOVERY_DIRECTORY(
            "discoveryDirectory",
            "",
            "Directory, the same for all nodes on a shared file system, in which each writes its address."),
    DISCOVERY_DATABASE(
            "discoveryDatabase",
            "",
            "JDBC URL of a database in which each node writes its address, into a table that is made if it is not there. The driver "
                    + "is a library of the container."),
    DISCOVERY_DATABASE_USER("discoveryDatabaseUser", "", "Its user."),
    DISCOVERY_DATABASE_PASSWORD(
            "discoveryDatabasePassword", "", "The user's password, or `file:` and the path of a file with it."),
    JGROUPS_STACK(
            "jgroupsStack",
            "",
            "File with a JGroups stack of your own, in XML, in place of all that `transport` and discovery have made of it; checked at "
                    + "the start for what is needed."),
    MULTICAST_ADDRESS(
            "multicastAddress",
            "239.255.78.0",
            "Group address of `udp` and `auto`, and of discovery; with an IPv6 `bindAddress` `ff15::78:0` if it is not set."),
    MULTICAST_PORT("multicastPort", "7820", "Port of the multicast group; `auto` takes the next one, too."),
    SECURITY(
            "security",
            "",
            "`loopback`: refuse any other interface; the default without `secret` and `tlsKeyStore`. `secret`: sealed, on any; the default with it. "
                    + "`tls`: TLS, on any; the default with `tlsKeyStore`. `none`: unprotected, on any."),
    SECRET(
            "secret",
            "",
            "What the traffic between members is encrypted and authenticated with: 16 characters or more, the same on all nodes, or `file:` "
                    + "and the path of a file with it. Without the secret nobody joins, reads or writes."),
    FORMER_SECRET(
            "formerSecret",
            "",
            "A second secret, which is accepted besides: for exchanging `secret` one node after the other."),
    TLS_KEY_STORE(
            "tlsKeyStore",
            "",
            "In place of `secret`, over TCP: file with this node's key and its certificate, with what that leads to; PKCS12 or JKS. Exchanged "
                    + "while the node runs when the file changes."),
    TLS_KEY_STORE_PASSWORD(
            "tlsKeyStorePassword", "", "Its password, and the key's, or `file:` and the path of a file with it."),
    TLS_TRUST_STORE(
            "tlsTrustStore",
            "",
            "File with the certificates, of a CA mostly, whose holders are members; PKCS12 or JKS. Exchanged while the node runs, too."),
    TLS_TRUST_STORE_PASSWORD(
            "tlsTrustStorePassword", "", "Its password, if it has one, or `file:` and the path of a file with it."),
    COHERENCE("coherence", "coherent", "`coherent`: responses wait for acknowledgements. `incoherent`: they do not."),
    ACKS(
            "acks",
            "all",
            "How many members a coherent response waits for: `all` that are ready, so many that a `majority` holds the "
                    + "change, or `one`. With fewer than all the response is degraded."),
    COHERENT_PATHS(
            "coherentPaths",
            "",
            "Comma-separated paths of the application whose requests are coherent whatever the mode: `/exact`, "
                    + "`/prefix/*`, `*.ext`."),
    INCOHERENT_PATHS(
            "incoherentPaths",
            "",
            "The same for incoherent requests; of a path of both kinds the request is coherent."),
    ACK_TIMEOUT("ackTimeout", "7s", "Longest wait of a coherent response; above the time failure detection takes."),
    ON_DEGRADED("onDegraded", "proceed", "`proceed` or `refuse` (503) when acknowledgements did not come in time."),
    DEGRADED_HEADER("degradedHeader", "", "Name of a header, with value `true`, of degraded responses; empty is none."),
    VERSION_COOKIE(
            "versionCookie",
            "",
            "How a cookie's name begins by which a node that the client comes to next knows whether it has all that the client has seen "
                    + "of its session, and waits for the rest; empty is none."),
    VERSION_COOKIE_SECRET(
            "versionCookieSecret",
            "",
            "What it is signed with: 16 characters or more, the same on all nodes; needed with `versionCookie`."),
    VERSION_COOKIE_WAIT(
            "versionCookieWait",
            "500ms",
            "How long a node that is behind waits, at most, before it serves what it has: that response is degraded."),
    SESSION_LOCK("sessionLock", "off", "`on`: only one request of a session runs at a time, on all nodes together."),
    LOCK_PATHS("lockPaths", "/*", "Comma-separated paths, in the application, of the requests that take the lock."),
    LOCK_TIMEOUT("lockTimeout", "10s", "How long a request waits for the lock; above `ackTimeout`."),
    ON_LOCK_TIMEOUT("onLockTimeout", "refuse", "`refuse` (503) or `proceed` without the lock when that time is over."),
    SESSION_DOCTOR(
            "sessionDoctor",
            "off",
            "For development. `log`: after each request its attributes are encoded, decoded and compared; what another node would "
                    + "not get as it is here is logged with its path, such as `cart.items[3].price`."),
    START_ALONE(
            "startAlone",
            "auto",
            "Until when a node that finds no other serves alone: `serve` at once, `wait 10s`; `auto` waits 10s when "
                    + "`hosts` names others, or `dnsName`, `discoveryDirectory`, `discoveryDatabase` or `jgroupsStack` is set."),
    TOUCH_INTERVAL("touchInterval", "1s", "How often access times are sent, for many sessions at once."),
    RECONCILE_INTERVAL(
            "reconcileInterval",
            "60s",
            "About how often members compare what they hold, whatever else makes them compare."),
    TOMBSTONE_HORIZON(
            "tombstoneHorizon",
            "24h",
            "The longest time the end of a session is remembered; below it a partition brings no ended session back."),
    RETAIN_UNDEPLOYED(
            "retainUndeployed",
            "15m",
            "How long a node keeps, and goes on acknowledging, the sessions of an application that is undeployed there; "
                    + "`0s` is not at all."),
    KEEP_SESSIONS(
            "keepSessions",
            "off",
            "`on`: the last node that stops in order writes the sessions to a file, which its next start reads."),
    KEEP_DIRECTORY(
            "keepDirectory",
            "",
            "Directory of these files, which hold session data and are readable by their owner only; needed with "
                    + "`keepSessions`."),
    ATTRIBUTE_FILTER(
            "attributeFilter",
            "",
            "Classes that attributes may hold besides the application's own, and that they may not: `com.acme.**;!com.acme.old.*`, as "
                    + "`java.io.ObjectInputFilter` has it, without bounds."),
    ATTRIBUTE_CLASSES(
            "attributeClasses",
            "loader",
            "`loader`: where a class comes from, and `attributeFilter`, say whether it may be in attributes. `learn FILE`: the "
                    + "classes that are met are also collected in the file. `enforce FILE`: of them only those in the file may."),
    MAX_ATTRIBUTE_BYTES(
            "maxAttributeBytes", "1048576", "Larger encoded attributes stay on their node, named in a warning."),
    MAX_SESSION_BYTES(
            "maxSessionBytes",
            "16777216",
            "A session's encoded attributes together, with their names and 64 bytes each, and with those that were removed and "
                    + "are remembered, at most 512. Those that would make it larger stay on their node, named in a warning."),
    EMPTY_SESSIONS(
            "emptySessions",
            "announce",
            "New sessions without attributes: `announce` many in one message for each `touchInterval`, unless the request "
                    + "waits; `replicate` each at once; or keep them `local` until they have attributes."),
    MAX_MEMORY(
            "maxMemory",
            "40%",
            "Heap that the sessions of all applications may take: bytes, also as `512m` or `2g`, or a share of the maximum "
                    + "heap. Beyond it the attributes of those used least recently are kept on disk, and the objects of their "
                    + "attributes are not kept in memory between requests."),
    SPILL_DIRECTORY(
            "spillDirectory",
            "",
            "Where they are kept, in a directory that each node makes for itself and deletes at its end; by default "
                    + "`understudy-` and the user's name in the directory for temporary files."),
    MAX_WAITING_REQUESTS(
            "maxWaitingRequests",
            "100",
            "Requests of this node that may wait at once, for other members or for a session's lock; one more is answered with 503 at "
                    + "once, and a logout goes on without waiting. About half of the container's threads, so that the others go on."),
    HEALTH_PORT(
            "healthPort", "-1", "Port of `/ready`, `/metrics` and `/drain` at `bindAddress`; `-1` is off, `0` any.");

    private final String key;
    private final String defaultValue;
    private final String description;

    Setting(String key, String defaultValue, String description) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    /** The name in properties and container configuration. */
    public String key() {
        return key;
    }

    /** The value used when the setting is not given, as text. */
    public String defaultValue() {
        return defaultValue;
    }

    /** One sentence for the reference. */
    public String description() {
        return description;
    }

    /**
     * The setting of this name.
     *
     * @throws ConfigException naming the nearest setting, if there is none
     */
    public static Setting named(String key) {
        for (Setting setting : values()) {
            if (setting.key.equals(key)) {
                return setting;
            }
        }
        throw new ConfigException("unknown setting '" + key + "'; did you mean '" + Nearest.to(key, keys()) + "'?");
    }

    private static String[] keys() {
        Setting[] settings = values();
        String[] keys = new String[settings.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = settings[i].key;
        }
        return keys;
    }
}
