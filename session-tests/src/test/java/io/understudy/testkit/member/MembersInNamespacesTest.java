package io.understudy.testkit.member;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.DutyCycle;
import io.understudy.testkit.netns.Fault;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit's own parts: members in namespaces, their faults, and what they answer. */
@Tag("process")
class MembersInNamespacesTest {

    private static final Duration LIMIT = Await.LIMIT;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    @Test
    void membersReplicateSplitHealAndDie() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of())) {
            RemoteMember a = cluster.member(0);
            RemoteMember b = cluster.member(1);
            assertEquals(Result.ACKNOWLEDGED, a.create("s1", 1800, Map.of("user", "ann")));
            assertEquals(Map.of("user", "ann"), b.read("s1").pairs());
            assertEquals(Result.MISSING, b.write("s2", Map.of("user", "bob")));
            try (Fault split = cluster.network().partition(List.of(Set.of(0), Set.of(1)))) {
                assertEquals(Result.DEGRADED, a.write("s1", Map.of("user", "bob")), split::toString);
            }
            Await.until(LIMIT, b::dump, () -> b.dump().equals(Map.of("s1", Map.of("user", "bob"))));
            b.jvm().freeze();
            assertEquals(Result.DEGRADED, a.write("s1", Map.of("user", "cid", "cart", "tea")));
            b.jvm().thaw();
            Await.until(LIMIT, b::dump, () -> b.dump().equals(Map.of("s1", Map.of("user", "cid", "cart", "tea"))));
            assertTrue(a.figure("responses_degraded") >= 2, () -> "" + a.figures());
            a.kill();
            assertEquals(Result.UNAVAILABLE, a.write("s1", Map.of("user", "dan")));
            assertEquals(3, a.risk().responses());
        }
    }

    @Test
    void membersLeaveAndComeBackAndTellOfEnds() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of("clock", "-3600000"))) {
            RemoteMember a = cluster.member(0);
            RemoteMember b = cluster.member(1);
            a.fill(0, 20, 1800, 1000, 4);
            assertArrayEquals(new long[] {0, 0}, b.check(0, 20, 1000));
            assertArrayEquals(new long[] {1, 0}, b.check(0, 21, 1000));
            assertArrayEquals(new long[] {0, 20}, b.check(0, 20, 999));
            assertEquals(Map.of(), b.dump());
            b.leave();
            assertEquals(Result.UNAVAILABLE, b.create("s", 1800, Map.of()));
            b.deploy();
            b.awaitReady(LIMIT);
            assertArrayEquals(new long[] {0, 0}, b.check(0, 20, 1000));
            assertTrue(b.heap().peak() >= 20 * 1000);
            assertEquals(Result.ACKNOWLEDGED, b.create("s", 1800, Map.of("user", "ann")));
            try (DutyCycle slow = a.jvm().duty(Duration.ofMillis(10), Duration.ofMillis(90))) {
                // On a machine that has no time left for the slow one it leaves the view.
                Result result = b.write("s", Map.of("user", "bob"));
                assertTrue(result == Result.ACKNOWLEDGED || result == Result.DEGRADED, slow::toString);
            }
            cluster.awaitWhole();
            assertEquals(Result.ACKNOWLEDGED, a.invalidate("s"));
            a.kill();
            assertEquals(
                    List.of("s invalidated"),
                    a.ended().stream()
                            .map(ended -> ended.id() + " " + ended.cause())
                            .toList());
            assertEquals(List.of(), b.ended());
        }
    }

    /** What is sent to members out of reach holds up nothing that is sent to the others, heartbeats above all. */
    @Test
    void membersOfOneSideOfASplitKeepReachingEachOther() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(4, directory, Map.of())) {
            RemoteMember left = cluster.member(0);
            RemoteMember right = cluster.member(3);
            assertEquals(Result.ACKNOWLEDGED, left.create("s", 1800, Map.of("x", "0")));
            try (Fault split = cluster.network().partition(List.of(Set.of(0, 1), Set.of(2, 3)))) {
                // Answered at the latest when the others have left the views.
                assertEquals(Result.ACKNOWLEDGED, left.write("s", Map.of("x", "1")), split::toString);
                assertEquals(Result.ACKNOWLEDGED, right.write("s", Map.of("x", "1")), split::toString);
                long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
                for (int i = 2; System.nanoTime() < end; i++) {
                    assertEquals(Result.ACKNOWLEDGED, left.write("s", Map.of("x", String.valueOf(i))));
                    assertEquals(Result.ACKNOWLEDGED, right.write("s", Map.of("x", String.valueOf(i))));
                    Thread.sleep(20);
                }
            }
        }
    }
}
