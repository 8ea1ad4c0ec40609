package io.understudy.benchmarks.memory;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.process.ProcessOutput;
import io.understudy.benchmarks.trial.Trial;
import java.util.List;
import java.util.stream.Stream;

/**
 * Many sessions and tombstones: what they cost a member's timer thread each second, and what a joiner costs the
 * member that it pulls from. First of a store alone, then of members in one process: two join the first, and
 * a fourth joins them while users log out.
 */
public final class Many {

    private static final String STORE = "io.understudy.store.StoreCost";

    /** The first of four ports. */
    private static final int PORT = 7793;

    private static final long SECOND_MICROS = 1_000_000;
    private static final int MAX_PERCENT = 5;
    private static final int MAX_LOGOUT_MILLIS = 5;

    /** In one process, with members that share two processors, a logout takes several ms wherever one of these stands still. */
    private static final double MAX_LOGOUT_RATIO = 1.5;

    private static final int MAX_NOISY_MILLIS = 15;

    private static final long MAX_DIGEST_MILLIS = 10_000;

    private Many() {}

    public static void run(Trial trial) throws Exception {
        int sessions = trial.whole() ? 1_000_000 : 50_000;
        int tombstones = sessions / 2;
        String all = sessions + " sessions and " + tombstones + " tombstones";
        List<String> counts = List.of(String.valueOf(sessions), String.valueOf(tombstones));
        List<String> heap = List.of(trial.whole() ? "-Xmx2g" : "-Xmx512m", "-XX:+UseSerialGC");
        Figures store = trial.round("store", () -> figures(trial, "many-store", 300, heap, with(STORE, counts)));
        trial.demand(
                all + ": a sweep looks at none of which nothing is due",
                store.get("looked") + " looked at, " + store.get("sweep_bytes") + " bytes of garbage",
                store.get("looked") == 0);
        trial.floor(
                all + ": a sweep each second takes less than " + MAX_PERCENT + " % of a processor",
                String.format("%.3f %%", 100 * store.get("sweep_us") / SECOND_MICROS),
                store.get("sweep_us") < SECOND_MICROS * MAX_PERCENT / 100);
        trial.floor(
                all + ": all digests for a joiner take less than 10 s of a processor",
                store.get("digests_ms") + " ms in " + store.get("pages") + " pages",
                store.get("digests_ms") < MAX_DIGEST_MILLIS);

        List<String> large = List.of(trial.whole() ? "-Xmx6g" : "-Xmx1g", "-Djava.net.preferIPv4Stack=true");
        List<String> members =
                with(ManyMembers.class.getName(), List.of(counts.get(0), counts.get(1), String.valueOf(PORT)));
        Figures joins = trial.round("join", () -> figures(trial, "many-members", 900, large, members));
        trial.demand(
                all + ": two members join at once, and hold all sessions",
                joins.get("held") + " held, ready after " + joins.get("ready_ms") + " ms",
                joins.get("held") == sessions);
        trial.demand(
                "a fourth joins while users log out, and holds all sessions; no logout is degraded",
                joins.get("last_held") + " held; " + joins.get("logouts_not_acknowledged") + " of "
                        + joins.get("logouts") + " logouts were not acknowledged",
                joins.get("last_held") >= sessions && joins.get("logouts_not_acknowledged") == 0);
        trial.floor(
                "answering it takes less than 10 s of the members' processor time, its sessions included",
                joins.get("answer_ms") + " ms",
                joins.get("answer_ms") < MAX_DIGEST_MILLIS);
        double noisy = Math.min(MAX_NOISY_MILLIS, MAX_LOGOUT_RATIO * joins.get("logout_alone_p99_ms"));
        double limit = Math.max(MAX_LOGOUT_MILLIS, noisy);
        trial.floor(
                "logouts beside the join take " + MAX_LOGOUT_MILLIS + " ms at most (p99), or " + MAX_LOGOUT_RATIO
                        + " times as long as before it where those take longer, and " + MAX_NOISY_MILLIS
                        + " ms at most",
                String.format(
                        "%.1f ms, and %.1f ms before; p50 %.1f ms, %.0f of them beside it",
                        joins.get("logout_p99_ms"),
                        joins.get("logout_alone_p99_ms"),
                        joins.get("logout_p50_ms"),
                        joins.get("logouts_beside")),
                joins.get("logout_p99_ms") <= limit);
        trial.floor(
                "the timer thread of each member takes less than " + MAX_PERCENT + " % of a processor",
                String.format("%.3f %% at most", joins.get("timer_percent")),
                joins.get("timer_percent") < MAX_PERCENT);
    }

    private static List<String> with(String main, List<String> arguments) {
        return Stream.concat(Stream.of(main), arguments.stream()).toList();
    }

    private static Figures figures(Trial trial, String name, int seconds, List<String> options, List<String> arguments)
            throws Exception {
        return ProcessOutput.of(trial, name, seconds, options, arguments).figures();
    }
}
