package io.understudy.testkit.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.netns.Fault;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member that stood still, by SIGSTOP, while the others went on without it. */
@Tag("process")
@Timeout(1800)
class PausesTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** A member that stood still, and finds nobody for so long from then on, takes itself for the only one. */
    private static final Duration ALONE_AFTER = Duration.ofSeconds(10);

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
                long alone = System.nanoTime() + ALONE_AFTER.toNanos();
                paused.jvm().thaw();
                CompletableFuture<List<Answer>> atOnce = Beside.get(() -> answeredBefore(alone, paused));
                Await.until(LIMIT, paused::figures, () -> paused.figure("members") == 1);
                assertUnavailable(answeredBefore(alone, paused), split);
                assertUnavailable(atOnce.join(), split);
            }
            Await.until(
                    LIMIT,
                    () -> paused.read("changed"),
                    () -> paused.read("changed").pairs().equals(Map.of("n", "2")));
        }
    }

    /** One request's answer. If it came later, it may be that of a member that takes itself for the only one. */
    private static List<Answer> answeredBefore(long end, RemoteMember member) {
        Answer answer = member.read("changed");
        return System.nanoTime() - end < 0 ? List.of(answer) : List.of();
    }

    private static void assertUnavailable(List<Answer> answers, Fault fault) {
        answers.forEach(answer -> assertEquals(Result.UNAVAILABLE, answer.result(), () -> fault + ": " + answer));
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
            long frozen = System.nanoTime();
            // On a machine that stood still, it has ended the first of them itself.
            Await.until(LIMIT, other::ended, () -> ids(other, paused).size() == DUE);
            paused.jvm().thaw();
            paused.awaitReady(LIMIT);
            Await.until(LIMIT, paused::dump, () -> paused.dump().isEmpty());
            assertEquals(
                    List.of(),
                    paused.ended().stream()
                            .filter(ended -> ended.nanos() - frozen > 0)
                            .toList());
            assertEquals(
                    IntStream.range(0, DUE).mapToObj(i -> "due" + i).collect(Collectors.toSet()), ids(other, paused));
            assertEquals(ids(other).size(), other.ended().size(), () -> "more than once: " + other.ended());
        }
    }

    /** The ids of sessions whose end they told of. */
    private static Set<String> ids(RemoteMember... members) {
        return Stream.of(members)
                .flatMap(member -> member.ended().stream())
                .map(Ended::id)
                .collect(Collectors.toSet());
    }
}
