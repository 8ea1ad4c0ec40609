package io.understudy.benchmarks.silence;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Three members of which one is killed, cut off, frozen or paused, in turn: how long it takes until the others have a
 * view without it, and whether they report what happened to it.
 */
public final class Detection {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Map<String, String> SETTINGS =
            Map.of("transport", "auto", "secret", "a secret of the experiments");

    /** A pause as a long garbage collection makes it, in milliseconds. */
    private static final long PAUSE_MILLIS = 3000;

    private static final double KILLED_MEDIAN_MS = 1000;
    private static final double KILLED_MOST_MS = 2500;
    private static final double SILENT_MOST_MS = 5000;

    private static final String CLOSED = "members_lost_closed";
    private static final String SILENT = "members_lost_silent";
    private static final String SUSPECTED = "members_suspected";
    private static final String PAUSED = "members_paused";

    private interface Fault {
        /** @return what ends it */
        AutoCloseable begin(RemoteMember member) throws Exception;
    }

    private final Trial trial;
    private final RemoteCluster cluster;

    private Detection(Trial trial, RemoteCluster cluster) {
        this.trial = trial;
        this.cluster = cluster;
    }

    public static void run(Trial trial) throws Exception {
        try (RemoteCluster cluster = RemoteCluster.start(3, trial.results().resolve("detection"), SETTINGS)) {
            new Detection(trial, cluster).run();
        }
    }

    private void run() throws Exception {
        Rounds killed = rounds("killed", trial.whole() ? 20 : 5, CLOSED, Detection::kill);
        Rounds cut = rounds("cut off", trial.whole() ? 10 : 1, SILENT, this::cutOff);
        Rounds frozen = rounds("frozen", trial.whole() ? 10 : 1, SILENT, Detection::freeze);
        Rounds paused = new Rounds();
        int pauses = trial.whole() ? 20 : 5;
        for (int number = 0; number < pauses; number++) {
            RemoteMember member = cluster.member(number % 3);
            paused.add(trial.round("paused " + (number + 1), () -> pause(member)));
        }
        trial.floor(
                "process killed: the new view after at most 1 s, median",
                text(killed.median("ms")),
                killed.median("ms") <= KILLED_MEDIAN_MS);
        trial.floor(
                "process killed: the new view after at most 2.5 s, each",
                text(killed.most("ms")),
                killed.most("ms") <= KILLED_MOST_MS);
        trial.floor(
                "host cut off: the new view after at most 5 s, each",
                text(cut.most("ms")),
                cut.most("ms") <= SILENT_MOST_MS);
        trial.floor(
                "process frozen: the new view after at most 5 s, each",
                text(frozen.most("ms")),
                frozen.most("ms") <= SILENT_MOST_MS);
        trial.floor(
                "paused for 3 s: nobody suspects it",
                "" + paused.most(SUSPECTED) + " suspicions at most",
                paused.most(SUSPECTED) == 0);
        double wrong = List.of(killed, cut, frozen, paused).stream()
                .mapToDouble(each -> each.most("wrong"))
                .max()
                .orElseThrow();
        trial.floor("every other member tells which it was", wrong + " did not, at most", wrong == 0);
    }

    private static String text(double millis) {
        return String.format(Locale.ROOT, "%.0f ms", millis);
    }

    private Rounds rounds(String name, int count, String sign, Fault fault) throws Exception {
        Rounds rounds = new Rounds();
        for (int number = 0; number < count; number++) {
            RemoteMember member = cluster.member(number % 3);
            rounds.add(trial.round(name + " " + (number + 1), () -> missed(member, sign, fault)));
        }
        return rounds;
    }

    private List<RemoteMember> others(RemoteMember member) {
        return cluster.members().stream().filter(each -> each != member).toList();
    }

    private static Map<RemoteMember, Map<String, Long>> figures(List<RemoteMember> members) {
        Map<RemoteMember, Map<String, Long>> figures = new HashMap<>();
        members.forEach(each -> figures.put(each, each.figures()));
        return figures;
    }

    private static long grown(RemoteMember member, Map<RemoteMember, Map<String, Long>> before, String figure) {
        return member.figures().getOrDefault(figure, 0L)
                - before.getOrDefault(member, Map.of()).getOrDefault(figure, 0L);
    }

    private Figures missed(RemoteMember member, String sign, Fault fault) throws Exception {
        List<RemoteMember> others = others(member);
        cluster.awaitWhole();
        Map<RemoteMember, Map<String, Long>> before = figures(others);
        long began = System.nanoTime();
        long wrong;
        long took;
        try (AutoCloseable end = fault.begin(member)) {
            Await.until(
                    LIMIT,
                    () -> end + ": " + others.stream().map(RemoteMember::view).toList(),
                    () -> others.stream().noneMatch(each -> each.view().contains(member.name())));
            took = System.nanoTime() - began;
            wrong = others.stream()
                    .filter(each -> grown(each, before, CLOSED) != (sign.equals(CLOSED) ? 1 : 0)
                            || grown(each, before, SILENT) != (sign.equals(SILENT) ? 1 : 0))
                    .count();
        }
        cluster.awaitWhole();
        return Figures.of(Map.of("ms", took / 1_000_000, "wrong", wrong));
    }

    private static AutoCloseable kill(RemoteMember member) {
        member.kill();
        return member::start;
    }

    private AutoCloseable cutOff(RemoteMember member) {
        return cluster.network().linkDown(member.index());
    }

    private static AutoCloseable freeze(RemoteMember member) {
        member.jvm().freeze();
        return member.jvm()::thaw;
    }

    private Figures pause(RemoteMember member) throws Exception {
        List<RemoteMember> others = others(member);
        cluster.awaitWhole();
        Map<RemoteMember, Map<String, Long>> before = figures(others);
        List<String> views = others.stream().map(RemoteMember::view).toList();
        member.jvm().freeze();
        Thread.sleep(PAUSE_MILLIS);
        member.jvm().thaw();
        Await.until(
                LIMIT,
                () -> figures(others),
                () -> others.stream()
                        .allMatch(each -> grown(each, before, PAUSED) + grown(each, before, SUSPECTED) > 0));
        long suspected = others.stream()
                .mapToLong(each -> grown(each, before, SUSPECTED))
                .sum();
        long wrong =
                others.stream().filter(each -> grown(each, before, PAUSED) != 1).count();
        boolean same = views.equals(others.stream().map(RemoteMember::view).toList());
        return Figures.of(Map.of(SUSPECTED, suspected + (same ? 0 : 1), "wrong", wrong));
    }
}
