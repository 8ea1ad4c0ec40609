package io.understudy.testkit.wire;

import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.naming.NamingException;
import org.jgroups.protocols.dns.AddressedDNSResolver;
import org.jgroups.protocols.dns.DNSResolver.DNSRecordType;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * dnsmasq on a port of loopback, which knows the names that a test gives it, and asks no other server. Threads: one.
 */
public final class DnsServer implements AutoCloseable {

    private static final Duration LIMIT = Await.LIMIT;

    private final Process process;
    private final Path names;
    private final int port;
    private int files;

    private DnsServer(Process process, Path names, int port) {
        this.process = process;
        this.names = names;
        this.port = port;
    }

    /** Skips the test, loudly, where there is no dnsmasq; in continuous integration (CI=true) it fails instead. */
    public static void assume() {
        if (program().isPresent()) {
            return;
        }
        String missing = "dnsmasq is not installed (Debian: dnsmasq-base)";
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail("nothing may be skipped with CI=true: " + missing);
        }
        System.err.println("SKIPPED, needs a DNS server: " + missing);
        Assumptions.abort(missing);
    }

    private static Optional<String> program() {
        return Stream.of("/usr/sbin/dnsmasq", "/usr/local/sbin/dnsmasq", "/usr/bin/dnsmasq")
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst();
    }

    /**
     * The command that runs it.
     *
     * @param names a directory of files with lines {@code address name}, also of those that are made later
     * @param more options
     */
    public static List<String> command(Path names, String address, int port, List<String> more) {
        List<String> command = new ArrayList<>(List.of(
                program().orElseThrow(),
                "--keep-in-foreground",
                "--conf-file=/dev/null",
                "--pid-file=",
                "--user=root",
                "--no-resolv",
                "--no-hosts",
                "--no-poll",
                "--bind-interfaces",
                "--listen-address=" + address,
                "--port=" + port,
                "--host-record=up.test," + address,
                "--hostsdir=" + names));
        command.addAll(more);
        return command;
    }

    /**
     * @param directory for its files, empty
     * @param more options
     */
    public static DnsServer start(Path directory, String... more) throws IOException {
        int port = LoopbackCluster.freePorts(1).get(0);
        Path names = Files.createDirectories(directory.resolve("names"));
        Process process = new ProcessBuilder(command(names, "127.0.0.1", port, List.of(more)))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("dnsmasq.log").toFile())
                .start();
        DnsServer server = new DnsServer(process, names, port);
        Await.until(LIMIT, () -> "dnsmasq runs: " + process.isAlive(), () -> server.knows("up.test"));
        return server;
    }

    /** The name as a setting has it, with this server. */
    public String uri(String name) {
        return "dns://127.0.0.1:" + port + "/" + name;
    }

    /** Adds an address to a name; returns when it is served. */
    public void add(String name, String... addresses) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String address : addresses) {
            lines.append(address).append(' ').append(name).append('\n');
        }
        Files.writeString(names.resolve("names" + files++), lines);
        Await.until(LIMIT, () -> name, () -> knows(name));
    }

    private boolean knows(String name) {
        try (AddressedDNSResolver resolver =
                new AddressedDNSResolver("com.sun.jndi.dns.DnsContextFactory", "127.0.0.1:" + port)) {
            return !resolver.resolveIps(name, DNSRecordType.A).isEmpty();
        } catch (NamingException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
