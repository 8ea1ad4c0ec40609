package io.understudy.benchmarks.durability;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.load.Convergence;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Promise;
import io.understudy.testkit.history.Verdict;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.netns.Fault;
import io.understudy.testkit.netns.Network;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Four members under load of clients that use the same sessions on any of them, through splits, one-way loss, packet
 * loss and a frozen member. After each fault the clients rest, and all members must be equal within 5 s.
 */
public final class Partition {

    private static final Duration READY = Duration.ofSeconds(40);
    private static final int MEMBERS = 4;
    private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);
    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(8, 120, true, 5, 200, 8, 2);

    private static final List<List<Set<Integer>>> SPLITS = List.of(
            List.of(Set.of(0, 1), Set.of(2, 3)),
            List.of(Set.of(2), Set.of(0, 1, 3)),
            List.of(Set.of(0, 2), Set.of(1, 3)),
            List.of(Set.of(0), Set.of(1, 2, 3)),
            List.of(Set.of(0, 3), Set.of(1, 2)),
            List.of(Set.of(3), Set.of(0, 1, 2)));

    private final Trial trial;
    private final RemoteCluster cluster;
    private final Network network;
    private final List<RemoteMember> members;
    private final History history = new History();
    private final Events events = new Events();
    private final List<Long> equalAfter = new ArrayList<>();
    private final String name;
    private long phase;
    private long requests;
    private volatile IntFunction<List<RemoteMember>> servers;
    private SessionLoad load;

    private Partition(Trial trial, RemoteCluster cluster, String name) {
        this.trial = trial;
        this.cluster = cluster;
        this.network = cluster.network();
        this.members = cluster.members();
        this.name = name;
        this.servers = client -> members;
        this.load = new SessionLoad(LOAD, name, history, client -> servers.apply(client));
    }

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 20 : 1;
        Figures sum = trial.rounds("round", rounds, number -> round(trial, number));
        trial.demand(
                "faults: splits 2|2 and 1|3, one-way loss, 30 % loss, SIGSTOP, a long split",
                "" + sum.get("faults"), sum.get("faults") == 6 * rounds);
        trial.floor(
                "after each all members equal within 5 s", sum.get("equal_late") + " late", sum.get("equal_late") == 0);
        trial.demand("then all equal", sum.get("unequal") + " unequal", sum.get("unequal") == 0);
        trial.demand(
                "every acknowledged write present or overwritten by a later one",
                sum.get("lost") + " attributes, " + sum.get("lost_sessions") + " sessions missing of "
                        + sum.get("acknowledged") + " acknowledged; " + sum.get("unexplained")
                        + " unexplained; degraded " + sum.get("degraded"),
                sum.get("lost") + sum.get("lost_sessions") + sum.get("unexplained") == 0);
        trial.demand("0 resurrected", "" + sum.get("resurrected"), sum.get("resurrected") == 0);
        trial.demand(
                "no destroy event twice on one side",
                sum.get("twice") + " of " + sum.get("events"),
                sum.get("twice") == 0 && sum.get("events") > 0);
        trial.demand("none caused by a merge", "" + sum.get("uncalled_for"), sum.get("uncalled_for") == 0);
    }

    private static Figures round(Trial trial, int round) throws Exception {
        Path directory = trial.results().resolve("partition");
        try (RemoteCluster cluster =
                RemoteCluster.start(MEMBERS, directory, Map.of("tombstoneHorizon", trial.whole() ? "12s" : "6s"))) {
            return new Partition(trial, cluster, "p" + round + "-").faults(round);
        }
    }

    private Figures faults(int round) throws Exception {
        boolean whole = trial.whole();
        int split = 2 * (round - 1);
        split(SPLITS.get(split % SPLITS.size()), whole ? 10 : 5);
        split(SPLITS.get((split + 1) % SPLITS.size()), whole ? 10 : 5);
        int from = round % MEMBERS;
        int to = (round + 1) % MEMBERS;
        during(
                "nothing from " + from + " to " + to,
                whole ? 10 : 5,
                () -> network.oneWay(from, to),
                List.of(Set.of(0), Set.of(1), Set.of(2), Set.of(3)),
                false);
        during("30 % loss", whole ? 15 : 5, () -> network.loss(30), List.of(ALL), false);
        frozen((round + 1) % MEMBERS, 10);
        split(SPLITS.get((split + 2) % SPLITS.size()), whole ? 20 : 10);
        events.examples().forEach(trial::say);
        Verdict verdict = Convergence.judge(trial, members, history, Promise.ACKNOWLEDGED);
        Map<String, Long> figures = new HashMap<>(Convergence.figures(verdict));
        figures.put("faults", (long) equalAfter.size());
        figures.put(
                "equal_late", equalAfter.stream().filter(millis -> millis < 0).count());
        figures.put("requests", requests);
        figures.put("acknowledged", history.count(Outcome.ACKNOWLEDGED));
        figures.put("degraded", history.count(Outcome.DEGRADED));
        figures.put("events", events.count());
        figures.put("twice", events.twice());
        figures.put("uncalled_for", events.uncalledFor());
        return Figures.of(figures);
    }

    /** Clients stay on their side, or go to any member: the even ones to one, the odd ones to the other. */
    private void split(List<Set<Integer>> groups, int seconds) throws Exception {
        during("split " + groups, seconds, () -> network.partition(groups), groups, true);
    }

    private void during(String what, int seconds, Supplier<Fault> fault, List<Set<Integer>> sides, boolean bySide)
            throws Exception {
        together();
        Fault now = fault.get();
        servers = client -> bySide ? on(sides.get(client % sides.size())) : members;
        Thread.sleep(seconds * 1000L);
        now.close();
        healed(what, sides);
    }

    private void frozen(int frozen, int seconds) throws Exception {
        together();
        List<RemoteMember> others =
                members.stream().filter(member -> member.index() != frozen).toList();
        members.get(frozen).jvm().freeze();
        servers = client -> others;
        Thread.sleep(seconds * 1000L);
        members.get(frozen).jvm().thaw();
        // It is out of the view long before it goes on: a side of its own, for which an heir ends what it had begun.
        healed(
                "SIGSTOP of " + frozen,
                List.of(others.stream().map(RemoteMember::index).collect(Collectors.toSet()), Set.of(frozen)));
    }

    /** A second of undisturbed load before each fault. */
    private void together() throws InterruptedException {
        servers = client -> members;
        phase++;
        load = load.next(name + phase + "-", client -> servers.apply(client)).start();
        load.awaitRequests(1000);
    }

    private List<RemoteMember> on(Set<Integer> side) {
        return side.stream().map(members::get).toList();
    }

    /** The clients end what they are at; the members have 5 s from now. */
    private void healed(String what, List<Set<Integer>> sides) throws InterruptedException {
        long began = System.nanoTime();
        load.end();
        requests += load.requests();
        long millis = Convergence.await(members, began);
        equalAfter.add(millis);
        trial.say(what + ": " + (millis < 0 ? "NOT equal after 5 s" : "equal after " + millis + " ms"));
        if (millis < 0) {
            awaitEqual();
            trial.say("equal after " + (System.nanoTime() - began) / 1_000_000 + " ms");
        }
        // Equal they may be before that: whoever logs out then does so on two sides.
        cluster.awaitWhole();
        trial.say("in one view after " + (System.nanoTime() - began) / 1_000_000 + " ms");
        events.collect(what, members, sides);
    }

    private void awaitEqual() {
        try {
            Await.until(READY, () -> "still unequal", () -> Convergence.equal(members));
        } catch (AssertionError e) {
            members.forEach(member -> trial.say(member.name() + ": " + member.figures()));
            Convergence.judge(trial, members, history, Promise.ACKNOWLEDGED);
            throw e;
        }
    }
}
