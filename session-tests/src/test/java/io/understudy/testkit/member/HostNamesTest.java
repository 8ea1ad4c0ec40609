package io.understudy.testkit.member;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Namespaces;
import io.understudy.testkit.netns.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that name each other in {@code hosts}, before there is anything behind the names. */
@Tag("process")
@Timeout(1800)
class HostNamesTest {

    private static final Duration LIMIT = Await.LIMIT;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    @Test
    void aHostThatHasNoAddressYetIsToldOfOnceAndFoundWhenItHasOne() throws Exception {
        Path names = Files.writeString(directory.resolve("names"), "10.0.0.9 another.test\n");
        Map<String, String> settings =
                Map.of("transport", "tcp", "hosts", "one.test:7800,two.test:7800", "secret", "a secret of the tests");
        List<String> options = List.of(
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-Djdk.net.hosts.file=" + names,
                "-Dsun.net.inetaddr.negative.ttl=1",
                "-Dsun.net.inetaddr.ttl=1",
                "-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%n");
        try (RemoteCluster cluster = RemoteCluster.of(
                2, (network, index) -> new RemoteMember(network, index, directory, settings, options))) {
            Network network = cluster.network();
            for (RemoteMember member : cluster.members()) {
                member.start();
            }
            cluster.awaitReady();
            for (RemoteMember member : cluster.members()) {
                Await.until(
                        LIMIT,
                        () -> said(member, ""),
                        () -> said(member, "has no address for now").size() == 2);
                assertEquals(1L, member.figures().get("members"));
            }
            Files.writeString(
                    names,
                    network.host(0).address() + " one.test\n" + network.host(1).address() + " two.test\n");
            cluster.awaitWhole();
            for (RemoteMember member : cluster.members()) { // One of them may have been found, and look only then.
                List<String> found = List.of("INFO " + member.name()
                        + " - 'hosts' names two.test, which now has the address "
                        + network.host(1).address());
                Await.until(
                        LIMIT,
                        () -> said(member, ""),
                        () -> said(member, "names two.test, which now has the address")
                                .equals(found));
                assertEquals(2, said(member, "has no address for now").size(), member.name());
            }
        }
    }

    private List<String> said(RemoteMember member, String words) {
        try {
            return Files.readAllLines(directory.resolve(member.name() + ".log")).stream()
                    .filter(line -> line.contains(words))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
