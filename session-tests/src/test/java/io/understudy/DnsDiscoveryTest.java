package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.StartedNodes;
import io.understudy.testkit.wire.DnsServer;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that find each other by a DNS server alone. */
@Tag("process")
@Timeout(1800)
class DnsDiscoveryTest {

    private static final Duration LIMIT = Await.LIMIT;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsDns() {
        DnsServer.assume();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "auto", "sealed"})
    void nodesAtTheSamePortFindEachOtherByTheirAddresses(String kind) throws IOException {
        int port = LoopbackCluster.freePorts(1).get(0);
        try (DnsServer dns = DnsServer.start(directory)) {
            // The last two are of nobody, and of another kind.
            dns.add("shop.test", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "::1");
            Map<Setting, String> settings = new EnumMap<>(Map.of(Setting.DNS_NAME, dns.uri("shop.test")));
            settings.putAll(
                    kind.equals("sealed")
                            ? Map.of(Setting.SECRET, "a secret of the tests")
                            : Map.of(Setting.TRANSPORT, kind));
            try (StartedNodes nodes = new StartedNodes(settings)) {
                nodes.start("first", "127.0.0.2", port);
                nodes.awaitOne();
                nodes.start("second", "127.0.0.3", port);
                nodes.start("third", "127.0.0.4", port);
                nodes.awaitOne();
                nodes.replicate();
                nodes.stop("first");
                nodes.awaitOne();
                nodes.start("first again", "127.0.0.2", port);
                nodes.awaitOne();
                nodes.replicate();
            }
        }
    }

    @Test
    void nodesAtDifferentPortsFindEachOtherByTheServices() throws IOException {
        List<Integer> ports = LoopbackCluster.freePorts(3);
        try (DnsServer dns = DnsServer.start(
                directory,
                "--host-record=node.test,127.0.0.1",
                "--srv-host=_understudy._tcp.shop.test,node.test," + ports.get(0),
                "--srv-host=_understudy._tcp.shop.test,node.test," + ports.get(1),
                "--srv-host=_understudy._tcp.shop.test,node.test," + ports.get(2))) {
            try (StartedNodes nodes =
                    new StartedNodes(Map.of(Setting.DNS_NAME, dns.uri("_understudy._tcp.shop.test")))) {
                nodes.start("first", "127.0.0.1", ports.get(0));
                nodes.awaitOne();
                nodes.start("second", "127.0.0.1", ports.get(1));
                nodes.start("third", "127.0.0.1", ports.get(2));
                nodes.awaitOne();
                nodes.replicate();
            }
        }
    }

    @Test
    void aNameThatIsEmptyAtFirstIsToldOfOnceAndLookedUpOn() throws IOException {
        int port = LoopbackCluster.freePorts(1).get(0);
        try (LogLines log = new LogLines("io.understudy.discovery");
                DnsServer dns = DnsServer.start(directory);
                StartedNodes nodes = new StartedNodes(Map.of(Setting.DNS_NAME, dns.uri("shop.test")))) {
            String name = dns.uri("shop.test");
            nodes.start("first", "127.0.0.2", port);
            nodes.start("second", "127.0.0.3", port);
            nodes.awaitAlone();
            Await.until(
                    LIMIT,
                    () -> log.with(""),
                    () -> log.with(name, "has no address for now").size() == 2);
            dns.add("shop.test", "127.0.0.2", "127.0.0.3");
            nodes.awaitOne();
            nodes.replicate();
            Await.until(
                    LIMIT,
                    () -> log.with(""),
                    () -> log.with(name, "now has 2 addresses").size() == 2);
            assertEquals(2, log.with(name, "has no address for now").size());
        }
    }

    /** A look-up takes 15 seconds then. Two nodes that wait for theirs would take 30 s to start; they take about 2. */
    @Test
    void aServerThatDoesNotAnswerHoldsUpNobodyAndOthersAreFoundOtherwise() throws IOException {
        int port = LoopbackCluster.freePorts(1).get(0);
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                StartedNodes nodes = new StartedNodes(Map.of(
                        Setting.DNS_NAME,
                        "dns://127.0.0.1:" + silent.getLocalPort() + "/shop.test",
                        Setting.DISCOVERY_DIRECTORY,
                        directory.toString()))) {
            long began = System.nanoTime();
            nodes.start("first", "127.0.0.2", port);
            nodes.start("second", "127.0.0.3", port);
            Duration taken = Duration.ofNanos(System.nanoTime() - began);
            nodes.awaitOne();
            nodes.replicate();
            nodes.stop("first");
            nodes.awaitOne();
            assertTrue(taken.compareTo(Duration.ofSeconds(20)) < 0, () -> "both started after " + taken);
        }
    }

    /** One node is told by hosts, one by DNS, one by a directory. */
    @Test
    void nodesThatLookInDifferentWaysUnderstandEachOther() throws IOException {
        int port = LoopbackCluster.freePorts(1).get(0);
        try (DnsServer dns = DnsServer.start(directory)) {
            dns.add("shop.test", "127.0.0.2");
            try (StartedNodes nodes = new StartedNodes(Map.of())) {
                nodes.start("first", "127.0.0.2", port, Map.of(Setting.DISCOVERY_DIRECTORY, directory.toString()));
                nodes.awaitOne();
                nodes.start("second", "127.0.0.3", port, Map.of(Setting.DNS_NAME, dns.uri("shop.test")));
                nodes.start("third", "127.0.0.4", port, Map.of(Setting.HOSTS, "127.0.0.2:" + port));
                nodes.start("fourth", "127.0.0.5", port, Map.of(Setting.DISCOVERY_DIRECTORY, directory.toString()));
                nodes.awaitOne();
                nodes.replicate();
            }
        }
    }
}
