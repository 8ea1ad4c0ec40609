package io.understudy.benchmarks.joining;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.load.Convergence;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Beside;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Promise;
import io.understudy.testkit.history.Verdict;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Three members under load, stopped in order and started: one alone; the application on all of them at the same moment;
 * all of them, one after the other and at the same moment, with {@code keepSessions}. No answer that a client got is
 * lost, and no session that was there.
 */
public final class Restart {

    private static final Duration READY = Duration.ofSeconds(60);
    private static final int MEMBERS = 3;
    private static final int BYTES = 1000;
    private static final int IDLE_SECONDS = 7200;
    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(6, 20, false, 5, 300, 4, 1);

    private final Trial trial;
    private final RemoteCluster cluster;
    private final List<RemoteMember> members;
    private final int sessions;
    private final History history = new History();
    private final String name;
    private Figures figures = Figures.of(Map.of());
    private int loads;

    private Restart(Trial trial, RemoteCluster cluster, String name) {
        this.trial = trial;
        this.cluster = cluster;
        this.members = cluster.members();
        this.name = name;
        this.sessions = trial.whole() ? 10_000 : 500;
    }

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 20 : 1;
        Figures sum = trial.rounds("round", rounds, number -> round(trial, number));
        trial.demand(
                "one alone, the application everywhere at once, and all members twice, stopped and started",
                sum.get("restarts") + " times",
                sum.get("restarts") == 4 * rounds);
        trial.demand(
                "no session is missing, on any member",
                sum.get("missing") + " missing, " + sum.get("wrong") + " with other content; " + sum.get("missed")
                        + " requests did not find theirs",
                sum.get("missing") + sum.get("wrong") + sum.get("missed") == 0);
        trial.demand(
                "no write that was answered is missing",
                sum.get("lost") + " attributes, " + sum.get("lost_sessions") + " sessions; " + sum.get("acknowledged")
                        + " acknowledged, " + sum.get("degraded") + " degraded",
                sum.get("lost") + sum.get("lost_sessions") == 0 && sum.get("acknowledged") > 0);
        trial.demand(
                "nothing resurrected, unexplained or unequal, and nothing expired",
                sum.get("resurrected") + ", " + sum.get("unexplained") + ", " + sum.get("unequal") + ", "
                        + sum.get("expired"),
                sum.get("resurrected") + sum.get("unexplained") + sum.get("unequal") + sum.get("expired") == 0);
    }

    private static Figures round(Trial trial, int round) throws Exception {
        Path directory = trial.results().resolve("restart");
        Files.createDirectories(directory);
        Path kept = Files.createTempDirectory(directory, "kept");
        RemoteCluster stopped = RemoteCluster.of(
                MEMBERS,
                (network, index) -> new RemoteMember(
                        network,
                        index,
                        directory,
                        Map.of(
                                "keepSessions",
                                "on",
                                "keepDirectory",
                                kept.resolve("node" + index).toString())));
        try (RemoteCluster cluster = stopped.start()) {
            return new Restart(trial, cluster, "r" + round + "-").restarts(round);
        }
    }

    private Figures restarts(int round) throws Exception {
        members.get(0).fill(0, sessions, IDLE_SECONDS, BYTES, 8);
        SessionLoad load = load();
        RemoteMember alone = members.get(round % MEMBERS);
        leave(alone);
        load.awaitRequests(200);
        alone.start();
        cluster.awaitWhole();
        load.awaitRequests(500);
        judge("one alone", load);

        load = load();
        all(members, RemoteMember::undeploy);
        all(members, RemoteMember::deploy);
        members.forEach(member -> member.awaitReady(READY));
        load.awaitRequests(500);
        judge("the application everywhere", load);

        load = load();
        members.forEach(Restart::leave);
        startAll("all, one after the other", load);

        load = load();
        all(members, Restart::leave);
        startAll("all at once", load);

        figures = figures.plus(Figures.of(Map.of(
                "acknowledged", history.count(Outcome.ACKNOWLEDGED),
                "degraded", history.count(Outcome.DEGRADED),
                "expired",
                        members.stream()
                                .flatMap(member -> member.ended().stream())
                                .filter(ended -> ended.cause().equals("expired"))
                                .count())));
        return figures;
    }

    private SessionLoad load() {
        SessionLoad load = new SessionLoad(LOAD, name + loads++ + "-", history, client -> members).start();
        load.awaitRequests(600);
        return load;
    }

    private static void start(RemoteMember member) {
        try {
            member.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its node stops in order; then its process is ended. */
    private static void leave(RemoteMember member) {
        member.leave();
        member.kill();
    }

    /**
     * Clients come when the members are ready, as readiness tells load balancers, and have found each other: until
     * then one that was ready first does not have what the others kept.
     */
    private void startAll(String what, SessionLoad load) throws Exception {
        load.end();
        all(members, Restart::start);
        cluster.awaitWhole();
        judge(what, load());
    }

    private void judge(String what, SessionLoad load) throws Exception {
        load.end();
        long equalAfter = Convergence.await(members);
        Map<String, Number> found = new HashMap<>();
        long missing = 0;
        long wrong = 0;
        for (RemoteMember member : members) {
            long[] here = member.check(0, sessions, BYTES);
            missing += here[0];
            wrong += here[1];
        }
        Verdict verdict = Convergence.judge(trial, members, history, Promise.ALL_ANSWERED);
        trial.say(what + ": equal after " + equalAfter + " ms, " + missing + " missing, " + verdict.lostAttributes()
                + " attributes and " + verdict.lostSessions() + " sessions lost");
        found.putAll(Convergence.figures(verdict));
        found.put("restarts", 1);
        found.put("missing", missing);
        found.put("wrong", wrong);
        found.put("missed", load.missed());
        figures = figures.plus(Figures.of(found));
    }

    /** On all members at the same moment; returns when it is done on all. */
    private static void all(List<RemoteMember> members, Consumer<RemoteMember> what) {
        CompletableFuture<?>[] done = members.stream()
                .map(member -> Beside.run(() -> what.accept(member)))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(done).join();
    }
}
