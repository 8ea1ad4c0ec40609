package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.netns.Namespaces;
import io.understudy.testkit.netns.Network;
import io.understudy.testkit.netns.Wiring;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members in networks with IPv6 only, with several interfaces, and with packets of other sizes than Ethernet's. */
@Tag("process")
@Timeout(1800)
class NetworksTest {

    private static final Duration LIMIT = Await.LIMIT;

    private static final String SECRET = "a secret of the tests";

    private static final AtomicInteger ROUNDS = new AtomicInteger();

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    private static void awaitByMulticast(List<RemoteMember> members, Long... expected) {
        RemoteMember.awaitFigures(members, "peers_by_multicast", List.of(expected));
    }

    private static void awaitWhole(List<RemoteMember> members) {
        Await.until(
                LIMIT,
                () -> RemoteMember.figures(members, "members"),
                () -> members.stream().allMatch(RemoteMember::ready)
                        && RemoteMember.figures(members, "members")
                                .equals(Collections.nCopies(members.size(), (long) members.size())));
    }

    /** All three reach each other by multicast, and what they write arrives by it. */
    private static void byMulticast(List<RemoteMember> members) {
        awaitByMulticast(members, 2L, 2L, 2L);
        List<Long> before = RemoteMember.figures(members, "datagrams_sent");
        replicates(members);
        List<Long> after = RemoteMember.figures(members, "datagrams_sent");
        for (int member = 0; member < members.size(); member++) {
            assertTrue(after.get(member) > before.get(member), before + " and then " + after);
        }
    }

    private List<String> told(String member, String words) {
        try {
            return Files.readAllLines(directory.resolve(member + ".log")).stream()
                    .filter(line -> line.contains(words))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each member writes sessions of all sizes, acknowledged by all, and all others have them. */
    private static void replicates(List<RemoteMember> members) {
        int round = ROUNDS.incrementAndGet();
        for (RemoteMember member : members) {
            for (int bytes : List.of(1, 1000, 1300, 1500, 3000, 9000, 15_000, 60_000, 300_000)) {
                String id = member.name() + "-" + bytes + "-" + round;
                Map<String, String> attributes = Map.of("value", "v".repeat(bytes));
                assertEquals(Result.ACKNOWLEDGED, member.create(id, 1800, attributes), id);
                for (RemoteMember other : members) {
                    assertEquals(attributes, other.read(id).pairs(), () -> id + " at " + other.name());
                }
            }
        }
    }

    private RemoteCluster start(int members, Wiring wiring, BiFunction<Network, Integer, Map<String, String>> settings)
            throws IOException {
        return RemoteCluster.of(
                        members,
                        wiring,
                        (network, index) -> new RemoteMember(network, index, directory, settings.apply(network, index)))
                .start();
    }

    @ParameterizedTest
    @CsvSource({"tcp, 2", "udp, 2", "auto, 3"})
    void addressesOfIpv6Only(String transport, int members) throws Exception {
        Map<String, String> settings = Map.of("transport", transport, "secret", SECRET);
        try (RemoteCluster cluster = start(members, Wiring.of(Wiring.Kind.IPV6), (network, index) -> settings)) {
            replicates(cluster.members());
            if (transport.equals("auto")) {
                byMulticast(cluster.members());
            }
            assertEquals(
                    1,
                    told("node1", "node1 - uses address fd78::1 at interface eth0, MTU 1500")
                            .size());
        }
    }

    /** Members of the same name and group on each of two networks of the same machines, which find each other by multicast. */
    @Test
    void severalInterfaces() throws Exception {
        List<String> chosen = List.of("eth1", "10.78.1.0/24", "10.78.1.3");
        try (RemoteCluster first = RemoteCluster.of(
                        3,
                        Wiring.interfaces(2),
                        (network, index) -> new RemoteMember(
                                network, index, directory, Map.of("hosts", "", "bindAddress", "eth0")));
                Closing second = new Closing(IntStream.range(0, 3)
                        .mapToObj(index -> new RemoteMember(
                                first.network(),
                                index,
                                directory,
                                Map.of(
                                        "hosts",
                                        "",
                                        "bindAddress",
                                        chosen.get(index),
                                        "nodeName",
                                        "second" + (index + 1))))
                        .toList())) {
            for (RemoteMember member : second.members()) {
                member.start();
            }
            first.start();
            for (List<RemoteMember> members : List.of(first.members(), second.members())) {
                awaitWhole(members);
                byMulticast(members);
            }
            List<Long> dropped = RemoteMember.figures(second.members(), "datagrams_dropped");
            List<Long> droppedOfFirst = RemoteMember.figures(first.members(), "datagrams_dropped");
            replicates(second.members());
            replicates(first.members());
            assertEquals(
                    dropped,
                    RemoteMember.figures(second.members(), "datagrams_dropped"),
                    "nothing came from the other network");
            assertEquals(droppedOfFirst, RemoteMember.figures(first.members(), "datagrams_dropped"));
            assertEquals(
                    Result.MISSING,
                    second.members().get(0).read("node1-1-" + ROUNDS.get()).result());
            assertEquals(
                    1,
                    told("second1", "second1 - uses address 10.78.1.1 at interface eth1, MTU 1500")
                            .size());
            assertEquals(
                    1,
                    told("second2", "second2 - uses address 10.78.1.2 at interface eth1, MTU 1500")
                            .size());
        }
    }

    private record Closing(List<RemoteMember> members) implements AutoCloseable {
        @Override
        public void close() {
            members.forEach(RemoteMember::close);
        }
    }

    /** What {@code bindAddress} does not choose, and what is not of this machine, the start refuses. */
    @Test
    void anAddressThatIsNotThereOrNotOne() throws Exception {
        Map<String, String> refused = Map.of(
                "10.78.0.0/15",
                        "which 2 addresses of this machine fit: choose one of 10.78.0.1 (eth0), 10.78.1.1 (eth1)",
                "10.78.1.7",
                        "which is not an address of this machine: choose one of 10.78.0.1 (eth0), 10.78.1.1 (eth1), ",
                "fe80::1%eth0", "must not be a link-local IPv6 address",
                "0.0.0.0", "must be a single address at which the other members reach this node");
        try (Network network = Network.of(1, Wiring.interfaces(2))) {
            List<RemoteMember> members = new ArrayList<>();
            refused.forEach((address, message) -> members.add(new RemoteMember(
                    network,
                    0,
                    directory,
                    Map.of("bindAddress", address, "nodeName", address.replaceAll("[/:%]", "_")))));
            for (RemoteMember member : members) {
                member.start();
            }
            for (RemoteMember member : members) {
                Await.until(LIMIT, member::name, () -> !member.jvm().alive());
            }
            refused.forEach((address, message) -> assertEquals(
                    1, told(address.replaceAll("[/:%]", "_"), message).size(), () -> address + ": " + message));
        }
    }

    /** Links that pass packets of different sizes drop what is larger, without a word. */
    @Tag("whole")
    @Test
    void packetsOfAllSizesInAuto() throws Exception {
        try (RemoteCluster cluster =
                start(3, Wiring.mtus(1400, 9000, 9000), (network, index) -> Map.of("transport", "auto"))) {
            // What is large enough for fragments the first sends in small ones, and does not get from the others.
            awaitByMulticast(cluster.members(), 2L, 0L, 0L);
            replicates(cluster.members());
            Await.until(
                    LIMIT,
                    () -> told("node2", "is reached"),
                    () -> !told("node2", "node1 is reached by TCP since").isEmpty());
            mtu(cluster.network(), 1400);
            byMulticast(cluster.members());
            mtu(cluster.network(), 9000);
            byMulticast(cluster.members());
        }
    }

    @Test
    void packetsOfAllSizesInUdp() throws Exception {
        try (RemoteCluster cluster = start(2, Wiring.mtus(1400), (network, index) -> Map.of("transport", "udp"))) {
            replicates(cluster.members());
            mtu(cluster.network(), 9000);
            replicates(cluster.members());
        }
    }

    private static void mtu(Network network, int bytes) {
        network.hosts().forEach(host -> network.mtu(host.index(), bytes));
    }
}
