package io.understudy.testkit.member;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Namespaces;
import io.understudy.testkit.netns.Network;
import io.understudy.testkit.wire.DnsServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members in processes of their own that find each other as their machine resolves names, or by a directory, and are killed. */
@Tag("process")
@Timeout(1800)
class DnsMembersTest {

    private static final Duration LIMIT = Await.LIMIT;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
        DnsServer.assume();
    }

    @Tag("whole")
    @ParameterizedTest
    @CsvSource({"dnsName, tcp", "discoveryDirectory, tcp", "discoveryDirectory, auto"})
    void membersFindEachOtherAndComeBackAfterAKill(String how, String transport) throws Exception {
        Path names = Files.createDirectories(directory.resolve("names"));
        Path shared = Files.createDirectories(directory.resolve("shared"));
        Map<String, String> settings = Map.of(
                "hosts",
                "",
                "transport",
                "tcp",
                "secret",
                "a secret of the tests",
                how,
                how.equals("dnsName") ? "shop.test" : shared.toString());
        try (RemoteCluster cluster =
                RemoteCluster.of(3, (network, index) -> new RemoteMember(network, index, directory, settings))) {
            Network network = cluster.network();
            Files.writeString(
                    names.resolve("shop"),
                    network.hosts().stream()
                            .map(host -> host.address() + " shop.test\n")
                            .collect(Collectors.joining()));
            Process dns =
                    network.host(0).run(DnsServer.command(names, network.host(0).address(), 53, List.of()));
            try {
                for (Network.Host host : network.hosts()) {
                    host.nameServer(network.host(0).address());
                }
                for (RemoteMember member : cluster.members()) {
                    member.start();
                }
                cluster.members().forEach(member -> member.awaitReadyAmong(3, LIMIT));
                assertEquals(Result.ACKNOWLEDGED, cluster.member(0).create("s", 1800, Map.of("user", "ann")));
                cluster.member(0).kill();
                cluster.member(1).awaitReadyAmong(2, LIMIT);
                cluster.member(0).start();
                cluster.members().forEach(member -> member.awaitReadyAmong(3, LIMIT));
                assertEquals(Map.of("user", "ann"), cluster.member(0).read("s").pairs());
                cluster.members().forEach(RemoteMember::kill);
                long began = System.nanoTime();
                cluster.member(2).start();
                cluster.member(2).awaitReadyAmong(1, LIMIT);
                System.out.println(how + ": alone, after all were killed, "
                        + Duration.ofNanos(System.nanoTime() - began) + " after its process began");
            } finally {
                dns.destroyForcibly();
            }
        }
    }
}
