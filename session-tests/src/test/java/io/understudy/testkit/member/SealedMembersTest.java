package io.understudy.testkit.member;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members with a secret in processes of their own on a real interface, and one without. */
@Tag("process")
@Timeout(1800)
class SealedMembersTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final String SECRET = "a secret of the tests";

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    @Test
    void membersReplicateDieAndComeBack() throws Exception {
        replicateDieAndComeBack("udp");
    }

    /** By multicast the members look for each other without {@code hosts}. */
    @Tag("whole")
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tcp without hosts"})
    void membersOfOtherKindsDoSo(String kind) throws Exception {
        replicateDieAndComeBack(kind);
    }

    private void replicateDieAndComeBack(String kind) throws Exception {
        boolean multicast = kind.endsWith("without hosts");
        Map<String, String> settings =
                multicast ? Map.of("secret", SECRET, "hosts", "") : Map.of("secret", SECRET, "transport", kind);
        try (RemoteCluster cluster = RemoteCluster.of(
                4,
                (network, index) -> new RemoteMember(
                        network,
                        index,
                        directory,
                        index < 3 ? settings : Map.of("transport", kind.substring(0, 3), "startAlone", "serve")))) {
            List<RemoteMember> members = cluster.members().subList(0, 3);
            for (RemoteMember member : members) {
                member.start();
            }
            members.forEach(member -> member.awaitReadyAmong(3, LIMIT));
            assertEquals(Result.ACKNOWLEDGED, members.get(0).create("s", 1800, Map.of("user", "ann")));
            assertEquals(Map.of("user", "ann"), members.get(2).read("s").pairs());
            members.get(1).kill();
            members.get(1).start();
            members.get(1).awaitReadyAmong(3, LIMIT);
            members.get(0).awaitReadyAmong(3, LIMIT);
            assertEquals(Map.of("user", "ann"), members.get(1).read("s").pairs());
            RemoteMember outside = cluster.member(3);
            outside.start();
            outside.awaitReadyAmong(1, LIMIT);
            assertEquals(Result.MISSING, outside.read("s").result());
            assertEquals(Result.ACKNOWLEDGED, members.get(0).write("s", Map.of("user", "bob")));
            members.forEach(member -> member.awaitReadyAmong(3, LIMIT));
        }
    }
}
