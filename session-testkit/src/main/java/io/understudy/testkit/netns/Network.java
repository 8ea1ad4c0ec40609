package io.understudy.testkit.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Hosts that are joined by a bridge and reach nothing else: Linux network namespaces, each with one interface and the
 * address {@code 10.78.0.(1 + index)}, or {@link Wiring otherwise}. Needs root, {@code ip} and {@code nft} (see {@link
 * #missing}).
 *
 * <p>{@link #close} kills what runs in them and removes them, and so does the end of this JVM. If a JVM was killed, the
 * next network on this machine removes what it left behind.
 *
 * <p>Threads: any.
 */
public final class Network implements AutoCloseable {

    /** Names are {@code ust<pid of the maker>_<number of the network>_<index>}, numbers in base 36; at most 15 characters. */
    private static final String PREFIX = "ust";

    private static final Pattern NAME =
            Pattern.compile("\\b" + PREFIX + "([0-9a-z]+)_[0-9a-z]+(_[0-9a-z]+|b[0-9]?)\\b");
    private static final int RADIX = 36;
    private static final int REMOVALS = 5;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final String prefix;
    private final Wiring wiring;
    private final List<Host> hosts;
    private final Map<Fault, List<Fault.Rule>> faults = new LinkedHashMap<>();
    private final Thread atExit = new Thread(this::remove, "network-cleanup");
    private boolean closed;

    private Network(int count, Wiring wiring) {
        this.wiring = wiring;
        this.prefix = PREFIX + Long.toString(ProcessHandle.current().pid(), RADIX) + "_"
                + Integer.toString(MADE.getAndIncrement(), RADIX);
        this.hosts = IntStream.range(0, count)
                .mapToObj(index -> new Host(wiring, index, prefix + "_" + Integer.toString(index, RADIX)))
                .toList();
    }

    /**
     * Makes a network.
     *
     * @throws IllegalStateException if this machine can't, naming what is {@link #missing}
     */
    public static Network of(int hosts) {
        return of(hosts, Wiring.USUAL);
    }

    /** The same with another wiring. */
    public static Network of(int hosts, Wiring wiring) {
        String missing = missing();
        if (!missing.isEmpty()) {
            throw new IllegalStateException("no network namespaces: " + missing);
        }
        removeLeftovers();
        Network network = new Network(hosts, wiring);
        Runtime.getRuntime().addShutdownHook(network.atExit);
        try {
            network.make();
            return network;
        } catch (RuntimeException e) {
            network.close();
            throw e;
        }
    }

    /** What this machine lacks to make networks; empty if nothing. */
    public static String missing() {
        for (List<String> command : List.of(List.of("ip", "netns", "list"), List.of("nft", "list", "tables"))) {
            try {
                Shell.run(command);
            } catch (IllegalStateException e) {
                return "'" + String.join(" ", command) + "' must work (root, iproute2, nftables): " + e.getMessage();
            }
        }
        return "";
    }

    private String bridge(int link) {
        return prefix + "b" + (link == 0 ? "" : link);
    }

    /** The bridge's end of an interface; the hosts' first ones are numbered like the hosts. */
    private String peer(int number) {
        return prefix + "_" + Integer.toString(number, RADIX);
    }

    /** Captures all that hosts send to each other from now on. */
    public Capture capture(Path file) throws IOException {
        return Capture.of(bridge(0), host(hosts.size() - 1), file);
    }

    private void make() {
        for (Host host : hosts) {
            Shell.run("ip", "netns", "add", host.namespace());
            Shell.run("ip", "-n", host.namespace(), "link", "set", "lo", "up");
        }
        for (int link = 0; link < wiring.interfaces(); link++) {
            String bridge = bridge(link);
            Shell.run("ip", "link", "add", "name", bridge, "type", "bridge");
            Shell.run("ip", "link", "set", bridge, "type", "bridge", "mcast_snooping", "0");
            Shell.run("ip", "link", "set", bridge, "up");
            for (Host host : hosts) {
                join(host, link, bridge);
            }
        }
        if (wiring.kind() == Wiring.Kind.IPV6) {
            hosts.forEach(host -> Shell.run("ip", "-n", host.namespace(), "addr", "del", "127.0.0.1/8", "dev", "lo"));
        }
    }

    /** What the host's interface sends, its peer at the bridge takes: only an interface that it is too large for drops it. */
    private void join(Host host, int link, String bridge) {
        String name = host.namespace();
        String peer = peer(host.index() + link * hosts.size());
        String at = "eth" + link;
        String mtu = String.valueOf(wiring.mtu(host.index()));
        boolean six = wiring.kind() == Wiring.Kind.IPV6;
        Shell.run("ip", "link", "add", peer, "mtu", mtu, "type", "veth", "peer", "name", at, "mtu", mtu, "netns", name);
        Shell.run("ip", "link", "set", peer, "master", bridge);
        Shell.run("ip", "link", "set", peer, "up");
        if (six) {
            // The address is there at once: nobody is asked whether it is taken.
            Shell.run("ip", "netns", "exec", name, "sysctl", "-q", "-w", "net.ipv6.conf." + at + ".accept_dad=0");
        }
        Shell.run("ip", "-n", name, "link", "set", at, "up");
        Shell.run("ip", "-n", name, "addr", "add", host.address(link) + (six ? "/64" : "/24"), "dev", at);
        if (!six && link == 0) {
            Shell.run("ip", "-n", name, "route", "add", "224.0.0.0/4", "dev", at);
        }
    }

    public List<Host> hosts() {
        return hosts;
    }

    public Host host(int index) {
        return hosts.get(index);
    }

    /** From now on a host's first interface sends and takes packets of up to so many bytes, and the bridge passes that many to it. */
    public void mtu(int host, int bytes) {
        String mtu = String.valueOf(bytes);
        Shell.run("ip", "-n", host(host).namespace(), "link", "set", "eth0", "mtu", mtu);
        Shell.run("ip", "link", "set", peer(host), "mtu", mtu);
    }

    /** Every host loses this share of the packets that arrive, as whole datagrams or segments. */
    public Fault loss(double percent) {
        return add("loss of " + percent + " %", hosts.stream().map(host -> Fault.loss(host.index(), percent)));
    }

    /** One host loses this share of the packets that arrive. */
    public Fault lossAt(int host, double percent) {
        return add("loss of " + percent + " % at host " + host, Stream.of(Fault.loss(host, percent)));
    }

    /** Nothing that {@code from} sends reaches {@code to}; the other way is open. */
    public Fault oneWay(int from, int to) {
        return add("nothing from " + from + " to " + to, Stream.of(from(from, to)));
    }

    /** Hosts of different groups don't reach each other. A host in no group reaches nobody. */
    public Fault partition(Collection<? extends Set<Integer>> groups) {
        List<Fault.Rule> rules = new ArrayList<>();
        for (Host to : hosts) {
            for (Host from : hosts) {
                boolean together =
                        groups.stream().anyMatch(group -> group.contains(to.index()) && group.contains(from.index()));
                if (to != from && !together) {
                    rules.add(from(from.index(), to.index()));
                }
            }
        }
        return add("partition " + groups, rules.stream());
    }

    /** Takes a host's link down, until this is closed: as if its cable were pulled, or its machine without power. */
    public AutoCloseable linkDown(int host) {
        Shell.run("ip", "link", "set", peer(host), "down");
        return () -> Shell.run("ip", "link", "set", peer(host), "up");
    }

    /** No datagram reaches this host, multicast or not; TCP does. */
    public Fault udpBlocked(int host) {
        return add("no UDP at host " + host, Stream.of(new Fault.Rule(host, "meta l4proto udp drop")));
    }

    /** No datagram reaches any host, multicast or not; TCP does. */
    public Fault udpBlocked() {
        return add("no UDP", hosts.stream().map(host -> new Fault.Rule(host.index(), "meta l4proto udp drop")));
    }

    /** No multicast reaches any host; other datagrams do, and TCP. */
    public Fault multicastBlocked() {
        return add(
                "no multicast", hosts.stream().map(host -> new Fault.Rule(host.index(), "ip daddr 224.0.0.0/4 drop")));
    }

    /** No fragment of an IP packet reaches any host: of datagrams those that fit into one packet do. */
    public Fault fragmentsBlocked() {
        return add(
                "no fragments",
                hosts.stream().map(host -> new Fault.Rule(host.index(), "ip frag-off & 0x3fff != 0 drop", true)));
    }

    /** Every host loses this share of the datagrams that arrive, and nothing of TCP. */
    public Fault udpLoss(double percent) {
        return add(
                "loss of " + percent + " % of UDP", hosts.stream().map(host -> Fault.udpLoss(host.index(), percent)));
    }

    private Fault.Rule from(int from, int to) {
        return new Fault.Rule(to, "ip saddr " + host(from).address() + " drop");
    }

    private synchronized Fault add(String what, Stream<Fault.Rule> rules) {
        Fault fault = new Fault(this, what);
        faults.put(fault, rules.toList());
        apply();
        return fault;
    }

    synchronized void heal(Fault fault) {
        if (faults.remove(fault) != null && !closed) {
            apply();
        }
    }

    /** Each host's rules are replaced in one step. */
    private void apply() {
        for (Host host : hosts) {
            StringBuilder script = new StringBuilder("table inet faults {}\ndelete table inet faults\n");
            script.append("table inet faults {\nchain arriving {\ntype filter hook input priority 0;\n");
            rules(script, host, false);
            script.append("}\nchain fragments {\ntype filter hook prerouting priority -500;\n");
            rules(script, host, true);
            script.append("}\n}\n");
            Shell.run(script.toString(), List.of("ip", "netns", "exec", host.namespace(), "nft", "-f", "-"));
        }
    }

    private void rules(StringBuilder script, Host host, boolean fragments) {
        faults.values().stream()
                .flatMap(List::stream)
                .filter(rule -> rule.host() == host.index() && rule.fragments() == fragments)
                .forEach(rule -> script.append(rule.text()).append('\n'));
    }

    /** Repeats: at the end of this JVM something else may be ending its processes, these commands among them. */
    private void remove() {
        for (int attempt = 0; attempt < REMOVALS; attempt++) {
            try {
                remove(prefix);
                if (names(everything(), prefix).isEmpty()) {
                    return;
                }
            } catch (IllegalStateException e) {
                System.err.println(prefix + " is still there: " + e.getMessage());
            }
        }
    }

    private static String everything() {
        return Shell.run("ip", "netns", "list") + Shell.run("ip", "-o", "link", "show");
    }

    private static void remove(String prefix) {
        for (String namespace : names(Shell.run("ip", "netns", "list"), prefix)) {
            for (String pid : Shell.attempt("ip", "netns", "pids", namespace).split("\\s+", -1)) {
                if (!pid.isEmpty()) {
                    ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
            Shell.attempt("ip", "netns", "del", namespace);
            Shell.attempt("rm", "-rf", nameServers(namespace).toString());
        }
        for (String link : names(Shell.run("ip", "-o", "link", "show"), prefix)) {
            Shell.attempt("ip", "link", "del", link);
        }
    }

    /** What {@code ip netns exec} shows in place of the machine's own. */
    private static Path nameServers(String namespace) {
        return Path.of("/etc/netns", namespace);
    }

    private static Set<String> names(String listing, String prefix) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = NAME.matcher(listing);
        while (matcher.find()) {
            if (matcher.group().startsWith(prefix)) {
                names.add(matcher.group());
            }
        }
        return names;
    }

    /** Removes the networks of makers that are gone. */
    private static void removeLeftovers() {
        for (String name : names(everything(), PREFIX)) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                long maker = Long.parseLong(matcher.group(1), RADIX);
                if (ProcessHandle.of(maker).isEmpty()) {
                    remove(PREFIX + matcher.group(1) + "_");
                }
            }
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            return; // This JVM ends, and the hook does the work.
        }
        remove();
    }

    @Override
    public String toString() {
        return prefix + faults.keySet();
    }

    /** A host of the network. */
    public static final class Host {

        private final Wiring wiring;
        private final int index;
        private final String namespace;

        private Host(Wiring wiring, int index, String namespace) {
            this.wiring = wiring;
            this.index = index;
            this.namespace = namespace;
        }

        public int index() {
            return index;
        }

        /** The name of its namespace, for {@code ip netns exec}. */
        public String namespace() {
            return namespace;
        }

        public String address() {
            return address(0);
        }

        /** The address of its interface with this number. */
        public String address(int link) {
            return wiring.address(link, index);
        }

        /** As it is written before a port. */
        public String endpoint() {
            return wiring.kind() == Wiring.Kind.IPV6 ? "[" + address() + "]" : address();
        }

        /** What a command of the operating system prints there. */
        public String run(String... command) {
            return Shell.run(Stream.concat(Stream.of("ip", "netns", "exec", namespace), Stream.of(command))
                    .toList());
        }

        /** What is started there from now on asks the DNS server at this address for names; until the network is closed. */
        public void nameServer(String server) throws IOException {
            Files.createDirectories(nameServers(namespace));
            Files.writeString(nameServers(namespace).resolve("resolv.conf"), "nameserver " + server + "\n");
        }

        /** Runs a program there. */
        public Process run(List<String> program) throws IOException {
            List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
            command.addAll(program);
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }

        /**
         * Starts a JVM there, of this JVM's JDK and class path.
         *
         * @param options of the JVM, as {@code -Xmx128m}
         * @param main the class with the main method
         * @param log receives what it prints
         */
        public Jvm java(List<String> options, String main, List<String> arguments, Path log) throws IOException {
            return java(System.getProperty("java.class.path"), options, main, arguments, log);
        }

        /** The same with another class path than this JVM's. */
        public Jvm java(String classPath, List<String> options, String main, List<String> arguments, Path log)
                throws IOException {
            List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-Djava.net.preferIPv4Stack="
                    + wiring.equals(Wiring.USUAL)); // What else there is needs a JVM as it is by default.
            command.addAll(List.of("-cp", classPath));
            command.addAll(options);
            command.add(main);
            command.addAll(arguments);
            return new Jvm(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
        }
    }
}
