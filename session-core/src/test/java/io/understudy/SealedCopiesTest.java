package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.netns.Fault;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In {@code auto} a member that hears no multicast gets copies over TCP; they are sealed as the datagrams are. */
@Timeout(120)
class SealedCopiesTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    @Test
    void copiesBesideDatagramsAreSealed() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.of(
                4,
                (network, index) ->
                        new RemoteMember(network, index, directory, Map.of("secret", "a secret of the tests")))) {
            try (Fault fault = cluster.network().udpBlocked(3)) {
                cluster.start();
                RemoteMember writer = cluster.member(0);
                Await.until(
                        LIMIT,
                        () -> fault + ": " + writer.figures(),
                        () -> writer.figures().get("peers_by_multicast") == 2);
                for (int i = 0; i < 50; i++) {
                    assertEquals(Result.ACKNOWLEDGED, writer.create("s" + i, 1800, Map.of("i", "" + i)));
                    assertEquals(
                            Map.of("i", "" + i), cluster.member(3).read("s" + i).pairs());
                }
            }
            assertEquals(
                    List.of(0L, 0L, 0L, 0L),
                    cluster.members().stream()
                            .map(member -> member.figures().get("frames_refused_unsealed"))
                            .toList());
        }
    }
}
