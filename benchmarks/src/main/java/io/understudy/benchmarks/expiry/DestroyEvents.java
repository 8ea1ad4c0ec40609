package io.understudy.benchmarks.expiry;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.member.Audited;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Listeners get the end of a session once. One of three members owns many sessions, and stops in order, or loses the
 * application, or is killed, while they expire. Users log out on two members at once. Sessions are used on another
 * member just before their owner's timer ({@link LateUses}). What members reported is in files that outlive a SIGKILL.
 */
public final class DestroyEvents {

    private static final Duration READY = Duration.ofSeconds(60);
    private static final int MEMBERS = 3;
    private static final int BYTES = 100;
    private static final int FILL_THREADS = 16;

    /** The idle time of sessions that are not to expire during the experiment. */
    private static final int LONG_IDLE_SECONDS = 7200;

    /** How long sessions may be there after their time. */
    private static final Duration GONE = Duration.ofSeconds(60);

    private final Trial trial;
    private final List<RemoteMember> members;
    private final int idleSeconds;
    private int from;

    private DestroyEvents(Trial trial, List<RemoteMember> members) {
        this.trial = trial;
        this.members = members;
        this.idleSeconds = trial.whole() ? 12 : 2;
    }

    public static void run(Trial trial) throws Exception {
        int sessions = trial.whole() ? 10_000 : 1_000;
        int logouts = trial.whole() ? 1_000 : 100;
        Figures orderly = trial.round("orderly", () -> round(trial, events -> events.orderly(sessions, logouts)));
        once(trial, "owner stops in order while they expire", "stop", orderly, sessions);
        once(trial, "owner loses the application while they expire", "leave", orderly, sessions);
        once(trial, "logouts on two members at once", "logout", orderly, logouts);
        int kills = 5;
        int each = trial.whole() ? 10_000 : 200;
        Figures killed = trial.round("kills", () -> round(trial, events -> events.kills(kills, each)));
        killed(trial, killed, kills, each);
        LateUses.run(trial);
    }

    private static void once(Trial trial, String what, String name, Figures figures, int sessions) {
        trial.demand(
                what + ": each of " + sessions + " destroyed exactly once",
                figures.get(name + "_told") + " told, " + figures.get(name + "_twice") + " of them more than once",
                figures.get(name + "_told") == sessions && figures.get(name + "_twice") == 0);
    }

    private static void killed(Trial trial, Figures figures, int kills, int each) {
        trial.demand(
                "owners SIGKILLed while " + each + " sessions expire",
                figures.get("during") + ", who had told of " + figures.get("before") + " sessions",
                figures.get("during") == kills);
        trial.demand(
                "none missing",
                figures.get("kill_told") + " of " + kills * each + " told",
                figures.get("kill_told") == kills * each);
        int most = RemoteMember.EXPIRY_THREADS;
        trial.demand(
                "at most " + most + " (its expiry threads) told twice, each time, none more often",
                "at most " + figures.get("most_twice") + ", " + figures.get("kill_more") + " more often",
                figures.get("most_twice") <= most && figures.get("kill_more") == 0);
        trial.demand(
                "the audit names those that were told twice",
                figures.get("unnamed") + " of " + figures.get("kill_twice") + " not named, " + figures.get("named")
                        + " named in all",
                figures.get("unnamed") == 0);
    }

    /** What is done with a cluster. */
    private interface Work {
        Map<String, Number> on(DestroyEvents events) throws Exception;
    }

    private static Figures round(Trial trial, Work work) throws Exception {
        Path directory = trial.results().resolve("events");
        try (RemoteCluster cluster = RemoteCluster.start(MEMBERS, directory, Map.of("touchInterval", "500ms"))) {
            List<RemoteMember> members = cluster.members();
            return Figures.of(work.on(new DestroyEvents(trial, members)));
        }
    }

    private Map<String, Number> orderly(int sessions, int logouts) throws Exception {
        Map<String, Number> figures = new HashMap<>();
        owned(members.get(0), sessions, RemoteMember::leave).figures("stop", figures);
        members.get(0).deploy();
        members.get(0).awaitReady(READY);
        owned(members.get(1), sessions, RemoteMember::undeploy).figures("leave", figures);
        members.get(1).deploy();
        members.get(1).awaitReady(READY);
        logouts(logouts).figures("logout", figures);
        return figures;
    }

    /**
     * A member creates sessions. It stops in order, as a node or an application, after it has reported some of their
     * ends.
     */
    private Told owned(RemoteMember owner, int sessions, Consumer<RemoteMember> goes) {
        int begin = next(sessions);
        int before = owner.ended().size();
        owner.fill(begin, begin + sessions, idleSeconds, BYTES, FILL_THREADS);
        Await.until(
                GONE,
                () -> owner.name() + " expires nothing",
                () -> owner.ended().size() - before > sessions / 5);
        goes.accept(owner);
        return told(owner, begin, sessions);
    }

    /** A member creates sessions. It is killed after it has reported some of their ends, while it works on others. */
    private Told ownedUntilKilled(RemoteMember owner, int sessions) {
        int begin = next(sessions);
        owner.lastEnd(sessions / 5);
        owner.fill(begin, begin + sessions, idleSeconds, BYTES, FILL_THREADS);
        owner.awaitKilled();
        return told(owner, begin, sessions);
    }

    private Told told(RemoteMember owner, int begin, int sessions) {
        List<RemoteMember> left =
                members.stream().filter(member -> member != owner).toList();
        Told told = awaitTold(members, left, begin, sessions);
        trial.say(owner.name() + " told of " + told.by(owner) + " of " + sessions + ", then went; in all: " + told);
        return told;
    }

    private Map<String, Number> kills(int kills, int each) throws Exception {
        Figures sum = Figures.of(Map.of());
        long most = 0;
        for (int kill = 0; kill < kills; kill++) {
            RemoteMember owner = members.get(kill % MEMBERS);
            Told told = ownedUntilKilled(owner, each);
            List<Audited> audit = members.stream()
                    .filter(member -> member != owner)
                    .flatMap(member -> member.audit().stream())
                    .filter(entry -> told.ids().contains(entry.id()))
                    .toList();
            Set<String> named = audit.stream()
                    .filter(entry -> entry.what().equals("FIRED_AGAIN"))
                    .map(Audited::id)
                    .collect(Collectors.toSet());
            Map<String, Number> figures = new HashMap<>();
            told.figures("kill", figures);
            figures.put("kill_more", told.oftenerThan(2).size());
            figures.put("before", told.by(owner));
            figures.put("during", told.by(owner) < each ? 1 : 0);
            figures.put("named", named.size());
            Set<String> unnamed = told.oftenerThan(1);
            most = Math.max(most, unnamed.size());
            unnamed.removeAll(named);
            figures.put("unnamed", unnamed.size());
            audit.stream().filter(entry -> unnamed.contains(entry.id())).forEach(entry -> trial.say("" + entry));
            sum = sum.plus(Figures.of(figures));
            owner.start();
            owner.awaitReady(READY);
        }
        Map<String, Number> figures = new HashMap<>(sum.values());
        figures.put("most_twice", most);
        return figures;
    }

    /**
     * Each session is ended by requests to two members at the same moment, every other time neither being its owner.
     */
    private Told logouts(int sessions) throws Exception {
        int begin = next(sessions);
        members.get(0).fill(begin, begin + sessions, LONG_IDLE_SECONDS, BYTES, FILL_THREADS);
        for (int session = begin; session < begin + sessions; session++) {
            String id = RemoteMember.filled(session);
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<Result>> both = new ArrayList<>();
            for (RemoteMember member : members.subList(session % 2, session % 2 + 2)) {
                both.add(Beside.get(() -> logout(member, id, together)));
            }
            both.forEach(CompletableFuture::join);
        }
        Told told = awaitTold(members, members, begin, sessions);
        trial.say("logouts on two members: " + told);
        return told;
    }

    private static Result logout(RemoteMember member, String id, CyclicBarrier together) {
        try {
            together.await(READY.toSeconds(), TimeUnit.SECONDS);
            return member.invalidate(id);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private int next(int sessions) {
        int begin = from;
        from += sessions;
        return begin;
    }

    /** Until they are told of; a session that is about to end is shown to nobody, so being gone says too little. */
    private static Told awaitTold(List<RemoteMember> members, List<RemoteMember> left, int begin, int sessions) {
        try {
            Await.until(
                    GONE,
                    () -> "untold",
                    () -> left.stream().allMatch(member -> member.check(begin, begin + sessions, BYTES)[0] == sessions)
                            && Told.of(members, begin, sessions).ids().size() == sessions);
        } catch (AssertionError e) {
            System.out.println("not all were told of within " + GONE.toSeconds() + " s");
        }
        return Told.of(members, begin, sessions);
    }
}
