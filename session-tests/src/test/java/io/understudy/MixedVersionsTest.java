package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.member.Answer;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.netns.Namespaces;
import io.understudy.wire.WireCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Releases are exchanged one node at a time, and back again, under load. The other release is a build that was kept when its
 * wire version was the newest; see {@code src/test/kept}.
 */
@Tag("process")
class MixedVersionsTest {

    private static final Path KEPT = Path.of("src", "test", "kept", "understudy-wire-1.jar");
    private static final Duration LIMIT = Await.LIMIT;
    private static final int MEMBERS = 3;
    private static final int WRITERS = 3;
    private static final int SESSIONS = 10;

    /** Between two writes of one client, in milliseconds. */
    private static final long PACE_MILLIS = 5;

    @TempDir
    private Path directory;

    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
        assertTrue(Files.isRegularFile(KEPT), () -> KEPT.toAbsolutePath() + " is missing");
    }

    @Test
    void aClusterIsExchangedMemberByMemberAndBackAndNothingIsLost() throws Exception {
        try (RemoteCluster cluster =
                RemoteCluster.of(MEMBERS, (network, index) -> new RemoteMember(network, index, directory, Map.of()))) {
            cluster.members().forEach(member -> member.build(KEPT));
            cluster.start();
            List<Thread> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int first = writer;
                Thread thread = new Thread(() -> write(cluster, first), "writer");
                thread.start();
                writers.add(thread);
            }
            try {
                for (RemoteMember member : cluster.members()) {
                    member.leave();
                    exchange(cluster, member, null);
                }
                assertEquals(List.of(2L, 2L, 2L), versions(cluster));
                for (RemoteMember member : cluster.members()) {
                    exchange(cluster, member, KEPT); // Killed.
                }
            } finally {
                over.set(true);
                for (Thread writer : writers) {
                    writer.join();
                }
            }
            assertEquals(List.of(), wrong);
            Await.until(
                    LIMIT,
                    () -> dumps(cluster),
                    () -> dumps(cluster).stream().distinct().count() == 1);
            Map<String, Integer> held = new TreeMap<>();
            cluster.member(0).dump().forEach((id, attributes) -> held.put(id, Integer.parseInt(attributes.get("n"))));
            assertEquals(acknowledged.keySet(), held.keySet());
            acknowledged.forEach((id, n) -> assertTrue(held.get(id) >= n, () -> id + ": " + held.get(id) + " < " + n));
            assertTrue(acknowledged.values().stream().allMatch(n -> n > 20), acknowledged::toString);
        }
    }

    /** @param build {@code null} is this one */
    private void exchange(RemoteCluster cluster, RemoteMember member, @Nullable Path build) throws Exception {
        member.kill();
        member.build(build);
        member.start();
        cluster.awaitWhole();
        int written = cluster.members().stream().allMatch(MixedVersionsTest::ofThisBuild) ? 2 : 1;
        List<RemoteMember> newer = cluster.members().stream()
                .filter(MixedVersionsTest::ofThisBuild)
                .toList();
        Await.until(
                LIMIT,
                () -> "not " + written + ": " + versions(cluster),
                () -> newer.stream().allMatch(each -> each.figures().getOrDefault("wire_version", 0L) == written));
        for (RemoteMember each : newer) {
            assertEquals(0, each.figures().getOrDefault("frames_rejected", 0L), each::readiness);
        }
    }

    private static boolean ofThisBuild(RemoteMember member) {
        return member.figures().containsKey("wire_version");
    }

    private static List<Long> versions(RemoteCluster cluster) {
        return cluster.members().stream()
                .map(member -> member.figures().getOrDefault("wire_version", (long) WireCodec.LOWEST_VERSION))
                .toList();
    }

    private static List<Map<String, Map<String, String>>> dumps(RemoteCluster cluster) {
        return cluster.members().stream().map(RemoteMember::dump).toList();
    }

    /** Counts in each of its sessions, through one member after the other; who is away is passed over. */
    private void write(RemoteCluster cluster, int writer) {
        try {
            for (int n = 0; !over.get(); n++) {
                for (int i = 0; i < SESSIONS && !over.get(); i++) {
                    String id = "w" + writer + "-" + i;
                    Map<String, String> value = Map.of("n", String.valueOf(n));
                    Result result = Result.UNAVAILABLE;
                    for (int at = n; unanswered(result); at++) {
                        RemoteMember member = cluster.member(at % MEMBERS);
                        result = n == 0 && member.read(id).result() == Result.MISSING
                                ? member.create(id, 1800, value)
                                : member.write(id, value);
                        Thread.sleep(PACE_MILLIS);
                    }
                    check(id, n, result, cluster.member(n % MEMBERS));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean unanswered(Result result) {
        return result == Result.UNAVAILABLE || result == Result.UNKNOWN;
    }

    private void check(String id, int n, Result result, RemoteMember member) {
        if (result == Result.ACKNOWLEDGED) {
            acknowledged.put(id, n);
        } else if (result != Result.DEGRADED && result != Result.UNCHANGED) {
            synchronized (wrong) {
                wrong.add(id + " " + n + ": " + result);
            }
        }
        Answer read = member.read(id);
        String found = read.pairs().get("n");
        if (read.result() == Result.OK && found != null && Integer.parseInt(found) < acknowledged.getOrDefault(id, 0)) {
            synchronized (wrong) {
                wrong.add(id + " " + n + ": " + found + " read after " + acknowledged.get(id));
            }
        }
    }
}
