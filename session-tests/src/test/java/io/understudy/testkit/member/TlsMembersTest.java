package io.understudy.testkit.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members with certificates in processes of their own on a real interface, one of which stands still for a while, and one with another CA's. */
@Tag("process")
@Timeout(1800)
class TlsMembersTest {

    private static final Duration LIMIT = Await.LIMIT;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    private static Map<String, String> settings(Path key, Path trust) {
        return Map.of(
                "security",
                "tls",
                "tlsKeyStore",
                key.toString(),
                "tlsKeyStorePassword",
                KeyTool.PASSWORD,
                "tlsTrustStore",
                trust.toString(),
                "tlsTrustStorePassword",
                KeyTool.PASSWORD);
    }

    /**
     * While it stands still the kernel accepts for it, so each handshake with it takes as long as it may; the experiment {@code waits} judges for how long
     * writes wait.
     */
    @Test
    void membersReplicateStandStillDieAndComeBack() throws Exception {
        KeyTool keys = new KeyTool(directory);
        Map<String, String> members = settings(keys.node("a", "n"), keys.trust("a"));
        Map<String, String> stranger = settings(keys.node("b", "stranger"), keys.trust("b"));
        try (RemoteCluster cluster = RemoteCluster.of(
                4, (network, index) -> new RemoteMember(network, index, directory, index < 3 ? members : stranger))) {
            List<RemoteMember> inside = cluster.members().subList(0, 3);
            for (RemoteMember member : inside) {
                member.start();
            }
            inside.forEach(member -> member.awaitReadyAmong(3, LIMIT));
            assertEquals(Result.ACKNOWLEDGED, inside.get(0).create("s", 1800, Map.of("user", "ann")));
            assertEquals(Map.of("user", "ann"), inside.get(2).read("s").pairs());
            RemoteMember outside = cluster.member(3);
            outside.start();
            outside.awaitReadyAmong(1, LIMIT);
            assertEquals(Result.MISSING, outside.read("s").result());

            inside.get(2).jvm().freeze();
            // Acknowledged by the other one, when failure detection has decided in time.
            Result during = inside.get(0).write("s", Map.of("user", "bob"));
            assertTrue(during == Result.ACKNOWLEDGED || during == Result.DEGRADED, during::name);
            inside.get(0).awaitReadyAmong(2, LIMIT);
            inside.get(1).awaitReadyAmong(2, LIMIT);
            long before = late(inside.get(0));
            long longest = 0;
            while (late(inside.get(0)) < before + 3) {
                long began = System.nanoTime();
                assertEquals(Result.ACKNOWLEDGED, inside.get(0).write("s", Map.of("at", "" + began)));
                longest = Math.max(longest, System.nanoTime() - began);
            }
            System.out.println("the longest write took " + TimeUnit.NANOSECONDS.toMillis(longest) + " ms");
            inside.get(2).jvm().thaw();
            inside.forEach(member -> member.awaitReadyAmong(3, LIMIT));
            assertEquals("bob", inside.get(2).read("s").pairs().get("user"));

            inside.get(1).kill();
            inside.get(1).start();
            inside.forEach(member -> member.awaitReadyAmong(3, LIMIT));
            assertEquals("bob", inside.get(1).read("s").pairs().get("user"));
        }
    }

    private static long late(RemoteMember member) {
        return member.figure("handshakes_refused_late");
    }
}
