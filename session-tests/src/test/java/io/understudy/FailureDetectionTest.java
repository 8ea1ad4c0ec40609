package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.netns.Namespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A paused process, a dead one, a frozen one and a host that is cut off, and what the others say of each. The experiment {@code detection} measures them. */
@Tag("process")
@Timeout(1800)
class FailureDetectionTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** Long enough for the other members to log it, and too short for a suspicion. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** A pause that is to pass: a member may be silent for 3.6 s, of which a part has passed when it stops. */
    private static final Duration TOLERATED = Duration.ofSeconds(3);

    /** How often a machine may stand still, so that a pause takes too long and is rightly a reason for a suspicion. */
    private static final int ATTEMPTS = 20;

    @TempDir
    private Path directory;

    private int lines;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    @Test
    void eachIsToldApart() throws Exception {
        Map<String, String> settings = Map.of("transport", "auto", "secret", "a secret of the tests");
        try (RemoteCluster cluster = RemoteCluster.start(3, directory, settings)) {
            RemoteMember watching = cluster.member(0);
            RemoteMember member = cluster.member(1);
            attempt(cluster, () -> standsStill(cluster));
            awaitWatched(cluster); // A connection that was exchanged just before the pause is made anew after it.
            long closed = watching.figures().get("members_lost_closed");
            long silent = watching.figures().get("members_lost_silent");

            member.kill();
            awaitLine("node2 is missing: its connection was closed", "its process ended");
            awaitMembers(watching, 2);
            member.start();
            cluster.awaitWhole();

            awaitWatched(cluster);
            member.jvm().freeze();
            awaitLine("node2 is missing: its connection is open", "process is frozen");
            awaitMembers(watching, 2);
            member.jvm().thaw();
            awaitLine("node2 is back after");
            cluster.awaitWhole();

            awaitWatched(cluster);
            try (AutoCloseable down = cluster.network().linkDown(1)) {
                awaitLine("node2 is missing: its connection is open", "host or the network to it is down");
                assertTrue(member.jvm().alive(), down::toString);
            }
            awaitLine("node2 is back after");
            cluster.awaitWhole();
            assertEquals(closed + 1, watching.figures().get("members_lost_closed"));
            assertEquals(silent + 2, watching.figures().get("members_lost_silent"));
        }
    }

    /** A pause of a member, and what has to be so if it took no longer than it should. */
    @FunctionalInterface
    private interface Step {
        /** Whether it took no longer. */
        boolean judged() throws Exception;
    }

    private void attempt(RemoteCluster cluster, Step step) throws Exception {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            awaitWatched(cluster);
            lines = said().size();
            if (step.judged()) {
                return;
            }
            cluster.awaitWhole();
        }
        throw new AssertionError("a pause of " + PAUSE + " always took more than " + TOLERATED);
    }

    private static boolean shortSince(long began) {
        return System.nanoTime() - began < TOLERATED.toNanos();
    }

    private boolean standsStill(RemoteCluster cluster) throws Exception {
        RemoteMember watching = cluster.member(0);
        RemoteMember member = cluster.member(1);
        List<String> members = members(watching);
        long suspected = watching.figures().get("members_suspected"); // While members meet connections are exchanged.
        long began = System.nanoTime();
        member.jvm().freeze();
        Thread.sleep(PAUSE.toMillis());
        member.jvm().thaw();
        if (!shortSince(began)) {
            return false;
        }
        awaitLine("node2 sends again after");
        assertEquals(members, members(watching));
        assertEquals(suspected, watching.figures().get("members_suspected"), () -> "suspected in " + said());
        return true;
    }

    /**
     * As the next member dies, the first one makes a connection to the one after it: which stands still just then, though not for as long as a member may be
     * silent.
     */
    @Test
    void whoStandsStillAsConnectionsAreExchangedStays() throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(3, directory, Map.of("transport", "auto"))) {
            attempt(cluster, () -> oneDiesAndTheNextStandsStill(cluster));
        }
    }

    private boolean oneDiesAndTheNextStandsStill(RemoteCluster cluster) throws Exception {
        RemoteMember watching = cluster.member(0);
        List<String> ring = members(watching);
        int next = (ring.indexOf(watching.name()) + 1) % ring.size();
        RemoteMember dying = named(cluster, ring.get(next));
        RemoteMember paused = named(cluster, ring.get((next + 1) % ring.size()));
        long suspected = watching.figures().get("members_suspected");

        long began = System.nanoTime();
        paused.jvm().freeze();
        dying.kill();
        Thread.sleep(PAUSE.toMillis());
        paused.jvm().thaw();
        if (!shortSince(began)) {
            dying.start();
            return false;
        }
        awaitLine(dying.name() + " is missing: its connection was closed");
        awaitMembers(watching, 2);
        awaitMembers(paused, 2);
        assertEquals(suspected + 1, watching.figures().get("members_suspected"), () -> "suspected in " + said());
        Await.until(LIMIT, watching::view, () -> watching.figures().get("member_watched") == 1);
        return true;
    }

    /** Members that have just met may be merged a second time, into a view of the same members. */
    private static List<String> members(RemoteMember watching) throws Exception {
        String view = watching.view();
        Matcher members = Pattern.compile("\\(\\d+\\) \\[([^]]+)]").matcher(view);
        assertTrue(members.find(), view);
        return List.of(members.group(1).split(", "));
    }

    private static RemoteMember named(RemoteCluster cluster, String name) {
        return cluster.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** While members meet, connections are exchanged, and one that is closed tells nothing of its member. */
    private static void awaitWatched(RemoteCluster cluster) {
        for (RemoteMember member : cluster.members()) {
            Await.until(LIMIT, member::view, () -> member.figures().get("member_watched") == 1);
        }
    }

    private static void awaitMembers(RemoteMember watching, long members) {
        Await.until(LIMIT, watching::view, () -> watching.figures().get("members") == members);
    }

    /** The first member says it, after what it said before. */
    private void awaitLine(String... words) {
        Await.until(LIMIT, () -> List.of(words) + " in " + said(), () -> {
            List<String> said = said();
            for (int i = lines; i < said.size(); i++) {
                if (List.of(words).stream().allMatch(said.get(i)::contains)) {
                    lines = i + 1;
                    return true;
                }
            }
            return false;
        });
    }

    private List<String> said() {
        try {
            return Files.readAllLines(directory.resolve("node1.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
