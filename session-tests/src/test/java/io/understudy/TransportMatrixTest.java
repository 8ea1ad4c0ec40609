package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Promise;
import io.understudy.testkit.history.Verdict;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.SteadyWrites;
import io.understudy.testkit.netns.Fault;
import io.understudy.testkit.netns.Namespaces;
import io.understudy.testkit.netns.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code transport = auto} with a secret in networks that let multicast through everywhere, nowhere, in part, and not for long. */
@Tag("process")
@Timeout(1800)
class TransportMatrixTest {

    /** For JVMs that start at once, on a machine that other tests use. How long it took is printed: it is no figure of the product's. */
    private static final Duration STARTED = Duration.ofMinutes(3);

    private static final Duration LIMIT = Await.LIMIT;

    /** After it, writes are as quick as before the fault; the experiment {@code waits} judges it. */
    private static final Duration RECOVERED = Duration.ofSeconds(2);

    private static final Map<String, String> SETTINGS = Map.of("transport", "auto", "secret", "a secret of the matrix");

    private static final int CLIENTS = 4;
    private static final int WRITES = 400;

    @TempDir
    private Path directory;

    private final History history = new History();

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    private RemoteCluster cluster(int members) {
        return RemoteCluster.of(members, (network, index) -> new RemoteMember(network, index, directory, SETTINGS));
    }

    private static void start(RemoteCluster cluster) throws IOException {
        start(cluster.members());
    }

    private static void start(List<RemoteMember> members) throws IOException {
        long began = System.nanoTime();
        for (RemoteMember member : members) {
            member.start();
        }
        Await.until(
                STARTED,
                () -> members.stream().map(RemoteMember::readiness).toList(),
                () -> members.stream()
                                .allMatch(member -> member.jvm().alive() && member.figure("members") == members.size())
                        && members.stream().allMatch(RemoteMember::ready));
        System.out.println("one cluster after " + (System.nanoTime() - began) / 1_000_000 + " ms");
    }

    private static void awaitByMulticast(RemoteCluster cluster, Long... expected) {
        RemoteMember.awaitFigures(cluster.members(), "peers_by_multicast", List.of(expected));
    }

    private SteadyWrites load(List<RemoteMember> members) {
        return SteadyWrites.start("of" + members.size() + "-", CLIENTS, members, history);
    }

    /** All that was acknowledged is on all members, no read missed what was acknowledged before it, and none waited in vain. */
    private void judge(RemoteCluster cluster, SteadyWrites load) {
        load.close();
        Await.until(
                LIMIT,
                () -> "equal",
                () -> cluster.members().stream()
                                .map(RemoteMember::dump)
                                .distinct()
                                .count()
                        == 1);
        Map<String, Map<String, Map<String, String>>> held = new TreeMap<>();
        cluster.members().forEach(member -> held.put(member.name(), member.dump()));
        Verdict verdict = history.judge(held, Promise.ACKNOWLEDGED);
        System.out.println(load.writes() + " writes; p50 " + load.quantile(0.5, began -> true) + " us, p99 "
                + load.quantile(0.99, began -> true) + " us, longest " + load.quantile(1, began -> true)
                + " us; datagrams " + RemoteMember.figures(cluster.members(), "datagrams_sent") + ", dropped "
                + RemoteMember.figures(cluster.members(), "datagrams_dropped") + ", released out of order "
                + RemoteMember.figures(cluster.members(), "changes_released"));
        assertTrue(verdict.holds(), () -> verdict.toString());
        // All that leaves is sealed, by whichever way.
        assertEquals(
                cluster.members().stream().map(member -> 0L).toList(),
                RemoteMember.figures(cluster.members(), "frames_refused_unsealed"));
        assertEquals(List.of(), load.refused());
        assertEquals(0, history.count(Outcome.DEGRADED));
    }

    private List<String> told(int member, String... words) throws IOException {
        return Files.readAllLines(directory.resolve("node" + (member + 1) + ".log")).stream()
                .filter(line -> Stream.of(words).allMatch(line::contains))
                .toList();
    }

    /** The first member's log says so, in so many lines at least, a little later than it is so. */
    private void awaitTold(int times, Fault fault, String... words) {
        Await.until(LIMIT, () -> fault + ": " + List.of(words), () -> {
            try {
                return told(0, words).size() >= times;
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    void allFree() throws Exception {
        try (RemoteCluster cluster = cluster(3)) {
            start(cluster);
            SteadyWrites load = load(cluster.members());
            awaitByMulticast(cluster, 2L, 2L, 2L);
            List<Long> before = RemoteMember.figures(cluster.members(), "datagrams_sent");
            load.await(WRITES);
            List<Long> after = RemoteMember.figures(cluster.members(), "datagrams_sent");
            judge(cluster, load);
            for (int member = 0; member < 3; member++) {
                assertTrue(after.get(member) > before.get(member), before + " and then " + after);
                // Of each it says so once, and once more if it did not hear a beacon in time, on a machine that does
                // not get to it; a little later than it is so.
                int index = member;
                Await.that(
                        "node" + (member + 1) + " says that two members are reached by multicast",
                        () -> told(index, "is reached by multicast since").size()
                                        - told(index, "is reached by TCP since").size()
                                == 2);
            }
        }
    }

    @Test
    void udpBlockedEverywhere() throws Exception {
        nowhere(Network::udpBlocked, "no confirmation of small and large beacons");
    }

    @Tag("whole")
    @Test
    void multicastBlockedEverywhere() throws Exception {
        nowhere(Network::multicastBlocked, "no confirmation of small and large beacons");
    }

    @Tag("whole")
    @Test
    void fragmentsBlockedEverywhere() throws Exception {
        nowhere(Network::fragmentsBlocked, "no confirmation of large beacons");
    }

    @FunctionalInterface
    private interface Wrong {
        Fault at(Network network);
    }

    private void nowhere(Wrong wrong, String reason) throws Exception {
        try (RemoteCluster cluster = cluster(3);
                Fault fault = wrong.at(cluster.network())) {
            start(cluster);
            SteadyWrites load = load(cluster.members());
            load.await(WRITES);
            awaitTold(2, fault, "reached by TCP since", reason); // At first, or when small beacons were confirmed, too.
            judge(cluster, load);
            assertEquals(List.of(0L, 0L, 0L), RemoteMember.figures(cluster.members(), "datagrams_sent"));
            assertEquals(List.of(2L, 2L, 2L), RemoteMember.figures(cluster.members(), "peers_by_tcp"));
        }
    }

    @Test
    void oneMemberBlocked() throws Exception {
        try (RemoteCluster cluster = cluster(4);
                Fault fault = cluster.network().udpBlocked(3)) {
            start(cluster);
            SteadyWrites load = load(cluster.members());
            awaitByMulticast(cluster, 2L, 2L, 2L, 3L);
            load.await(WRITES);
            judge(cluster, load);
            awaitTold(1, fault, "node4 is reached by TCP since");
        }
    }

    @Tag("whole")
    @Test
    void lateJoinerBlocked() throws Exception {
        try (RemoteCluster cluster = cluster(4);
                Fault fault = cluster.network().udpBlocked(3)) {
            start(cluster.members().subList(0, 3));
            SteadyWrites load = load(cluster.members().subList(0, 3));
            awaitByMulticast(cluster, 2L, 2L, 2L, -1L);
            RemoteMember joiner = cluster.member(3);
            long began = System.nanoTime();
            joiner.start();
            Await.until(STARTED, joiner::readiness, joiner::ready);
            System.out.println("joined after " + (System.nanoTime() - began) / 1_000_000 + " ms");
            load.close();
            try (SteadyWrites all = load(cluster.members())) {
                awaitByMulticast(cluster, 2L, 2L, 2L, 3L);
                all.await(WRITES);
                judge(cluster, all);
            }
            assertEquals(List.of(), load.refused(), fault::toString);
        }
    }

    @Test
    void udpCutInTheMiddleAndBack() throws Exception {
        try (RemoteCluster cluster = cluster(3)) {
            start(cluster);
            SteadyWrites load = load(cluster.members());
            awaitByMulticast(cluster, 2L, 2L, 2L);
            long began = System.nanoTime();
            load.await(WRITES);
            long cut = System.nanoTime();
            long recovered = cut + RECOVERED.toNanos();
            try (Fault fault = cluster.network().udpBlocked()) {
                load.goOn(RECOVERED.multipliedBy(2));
                awaitByMulticast(cluster, 0L, 0L, 0L);
                awaitTold(2, fault, "is reached by TCP since");
            }
            long before = load.quantile(0.9, at -> at > began && at < cut);
            long during = load.quantile(1, at -> at > cut && at < recovered);
            long after = load.quantile(0.9, at -> at > recovered);
            System.out.println("p90 " + before + " us, longest in the 2 s from the cut on " + during + " us, p90 then "
                    + after + " us");
            long healed = System.nanoTime();
            awaitByMulticast(cluster, 2L, 2L, 2L);
            System.out.println("by multicast again after " + (System.nanoTime() - healed) / 1_000_000 + " ms");
            load.await(WRITES / 2);
            judge(cluster, load);
        }
    }

    @Tag("whole")
    @Test
    void datagramsLost() throws Exception {
        try (RemoteCluster cluster = cluster(3);
                Fault fault = cluster.network().udpLoss(5)) {
            start(cluster);
            SteadyWrites load = load(cluster.members());
            load.await(2 * WRITES);
            judge(cluster, load);
            List<String> ways = new ArrayList<>();
            for (int member = 0; member < 3; member++) {
                ways.addAll(told(member, "is reached by"));
            }
            System.out.println(fault + ": " + ways);
        }
    }
}
