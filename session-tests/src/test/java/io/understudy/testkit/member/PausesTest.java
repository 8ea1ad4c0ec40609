package io.understudy.testkit.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Fault;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member that stood still, by SIGSTOP, while the others went on without it. */
@Tag("process")
@Timeout(300)
class PausesTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** Longer than it takes to take others for dead, so that a request begins after that. */
    private static final Duration OUT_OF_REACH = Duration.ofMillis(5400);

    /** Sessions that are due when the member runs again. */
    private static final int DUE = 20;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    @Test
    void whatOthersChangedAndEndedMeanwhileIsNeverServedAsItWas() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of())) {
            RemoteMember other = cluster.member(0);
            RemoteMember paused = cluster.member(1);
            assertEquals(Result.ACKNOWLEDGED, paused.create("changed", 1800, Map.of("n", "1")));
            assertEquals(Result.ACKNOWLEDGED, paused.create("ended", 1800, Map.of("n", "1")));
            paused.jvm().freeze();
            // Waits until failure detection has taken the other one for dead, as nobody acknowledges.
            assertEquals(Result.DEGRADED, other.write("changed", Map.of("n", "2")));
            other.invalidate("ended");
            assertEquals(Result.DEGRADED, other.create("new", 1800, Map.of("n", "3")));
            paused.jvm().thaw();
            List<String> served = new ArrayList<>();
            Await.until(LIMIT, () -> served, () -> {
                long begun = System.nanoTime();
                Answer changed = paused.read("changed");
                Result ended = paused.read("ended").result();
                Answer added = paused.read("new");
                Duration held = Duration.ofNanos(System.nanoTime() - begun);
                served.add(changed + " " + ended + " " + added + " after " + held.toMillis() + " ms");
                assertTrue(ended == Result.MISSING || ended == Result.UNAVAILABLE, served::toString);
                assertTrue(
                        changed.result() == Result.UNAVAILABLE
                                || changed.pairs().equals(Map.of("n", "2")),
                        served::toString);
                assertTrue(added.result() != Result.MISSING, served::toString);
                return changed.result() == Result.OK && ended == Result.MISSING && added.result() == Result.OK;
            });
            paused.awaitReady(LIMIT);
            assertEquals(Result.ACKNOWLEDGED, paused.write("changed", Map.of("n", "4")));
            assertEquals(Map.of("n", "4"), other.read("changed").pairs());
        }
    }

    /** It may take the others for dead before they merge with it again: then it must not take itself for the only one. */
    @Test
    void outOfReachOfTheOthersItDoesNotServeWhatTheyMayHaveChanged() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of())) {
            RemoteMember other = cluster.member(0);
            RemoteMember paused = cluster.member(1);
            assertEquals(Result.ACKNOWLEDGED, paused.create("changed", 1800, Map.of("n", "1")));
            paused.jvm().freeze();
            assertEquals(Result.DEGRADED, other.write("changed", Map.of("n", "2")));
            try (Fault split = cluster.network().partition(List.of(Set.of(0), Set.of(1)))) {
                long thawed = System.nanoTime();
                paused.jvm().thaw();
                while (System.nanoTime() - thawed < OUT_OF_REACH.toNanos()) {
                    assertEquals(Result.UNAVAILABLE, paused.read("changed").result(), split::toString);
                }
            }
            Await.until(
                    LIMIT,
                    () -> paused.read("changed"),
                    () -> paused.read("changed").pairs().equals(Map.of("n", "2")));
        }
    }

    @Test
    void itExpiresNothingThatOthersExpiredForIt() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of("touchInterval", "100ms"))) {
            RemoteMember other = cluster.member(0);
            RemoteMember paused = cluster.member(1);
            for (int i = 0; i < DUE; i++) {
                assertEquals(Result.ACKNOWLEDGED, paused.create("due" + i, 3, Map.of("n", "1")));
            }
            paused.jvm().freeze();
            Await.until(LIMIT, other::ended, () -> other.ended().size() == DUE);
            paused.jvm().thaw();
            paused.awaitReady(LIMIT);
            Await.until(LIMIT, paused::dump, () -> paused.dump().isEmpty());
            assertEquals(List.of(), paused.ended());
            assertEquals(
                    IntStream.range(0, DUE).mapToObj(i -> "due" + i).sorted().toList(),
                    other.ended().stream().map(ended -> ended.id()).sorted().toList());
        }
    }
}
