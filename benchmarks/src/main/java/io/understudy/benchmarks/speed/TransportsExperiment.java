package io.understudy.benchmarks.speed;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Plot;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.lanes.Floods;
import io.understudy.benchmarks.lanes.LaneFleet;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which transport: updates of 1 KB from one member to all others by {@code auto}, {@code udp} and {@code tcp}, in the
 * same processes, in turn. How many a second, with how much processor time and how many bytes on the wire each, and
 * how long they take at a rate that all of them bear. The members share this machine's processors: more of them have
 * less each.
 */
public final class TransportsExperiment implements Experiment.Procedure {

    private static final List<String> TRANSPORTS = List.of("auto", "udp", "tcp");
    private static final List<String> LANES =
            TRANSPORTS.stream().map(TransportsExperiment::lane).toList();

    /**
     * Of {@code udp}, at least, which sends the same datagrams; of {@code tcp} it is the goal. Between namespaces a
     * byte costs next to nothing, so that ratio also tells what a machine's kernel takes for a datagram in many
     * fragments beside TCP's large packets: one version had 0.79 with 4 members on one day, and 0.45 on another.
     */
    private static final double AT_LEAST = 0.6;

    /** Of {@code tcp}: half of the goal. */
    private static final double FLOOR = 0.3;

    /** From so many on each other member costs a copy by TCP, and none by multicast. */
    private static final int COPIES_SHOW = 3;

    private static final int SESSIONS = 5_000;
    private static final int MEGABYTES = 384;
    private static final int WARM_UPS = 8;
    private static final double WARM_UP_SECONDS = 1.5;
    private static final int PER_SECOND = 1_000;
    private static final int PACE_SECONDS = 3;

    @Override
    public void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 7 : 3;
        double seconds = trial.whole() ? 2 : 1;
        Plot plot = new Plot("members");
        trial.say("| members | transport | updates/s | CPU us/update | bytes on the wire/update | p50 ms | p99 ms |");
        for (int members : trial.whole() ? List.of(2, 3, 4, 6, 8) : List.of(4)) {
            Rounds measured = new Rounds();
            Path log = trial.results().resolve("transports-" + members);
            Floods.Start start = () -> LaneFleet.start(members, MEGABYTES, "auto", LANES, SESSIONS, log);
            try (Floods floods = new Floods(LANES, WARM_UPS, WARM_UP_SECONDS, start)) {
                for (int i = 0; i < rounds; i++) {
                    int turn = i;
                    String name = members + " members, round " + (i + 1);
                    measured.add(trial.round(name, () -> round(floods, turn, seconds)));
                }
            }
            for (String transport : TRANSPORTS) {
                trial.say(String.format(
                        Locale.ROOT,
                        "| %d | %s | %,.0f | %.0f | %,.0f | %.2f | %.2f |",
                        members,
                        transport,
                        measured.median(transport),
                        measured.median(transport + ".cpu-us"),
                        measured.median(transport + ".wire"),
                        measured.median(transport + ".p50-us") / 1000,
                        measured.median(transport + ".p99-us") / 1000));
                plot.add("updates per second", transport, members, measured.median(transport));
                plot.add(
                        "processor time of all members per update, us",
                        transport,
                        members,
                        measured.median(transport + ".cpu-us"));
                plot.add("bytes on the wire per update", transport, members, measured.median(transport + ".wire"));
                plot.add(
                        "delay at 1,000 updates/s, p50, ms",
                        transport,
                        members,
                        measured.median(transport + ".p50-us") / 1000);
            }
            demand(trial, members, measured);
        }
        Path drawn = trial.results().resolve("transports.svg");
        plot.write(drawn);
        trial.say("drawn: " + drawn);
    }

    private static void demand(Trial trial, int members, Rounds measured) {
        double rate = measured.medianRatio("auto", "udp");
        trial.floor(
                members + " members: auto at least " + AT_LEAST + " of udp",
                String.format(Locale.ROOT, "%.2f", rate),
                rate >= AT_LEAST);
        double beside = measured.medianRatio("auto", "tcp");
        trial.goal(
                members + " members: auto at least " + AT_LEAST + " of tcp",
                String.format(Locale.ROOT, "%.2f", beside),
                beside >= AT_LEAST,
                FLOOR,
                beside >= FLOOR);
        if (members >= COPIES_SHOW) {
            double wire = measured.medianRatio("auto.wire", "tcp.wire");
            trial.floor(
                    members + " members: auto puts fewer bytes on the wire than tcp",
                    String.format(Locale.ROOT, "%.2f of them", wire),
                    wire < 1);
        }
        double lost = measured.sum("missing");
        trial.demand(members + " members: 0 missing", String.valueOf((long) lost), lost == 0);
    }

    private static String lane(String transport) {
        return "understudy@" + transport;
    }

    private static Figures round(Floods floods, int turn, double seconds) throws Exception {
        Map<String, Double> figures = new TreeMap<>();
        double missing = 0;
        for (int i = 0; i < TRANSPORTS.size(); i++) {
            String transport = TRANSPORTS.get((turn + i) % TRANSPORTS.size());
            LaneFleet.Flooded flooded = floods.flood(lane(transport), seconds);
            figures.put(transport, Math.rint(flooded.rate()));
            figures.put(transport + ".cpu-us", Math.rint(flooded.cpuMicros() * 10) / 10);
            figures.put(transport + ".wire", Math.rint(flooded.wireBytes()));
            LaneFleet.Paced paced = floods.fleet().pace(lane(transport), PER_SECOND, PACE_SECONDS);
            figures.put(transport + ".p50-us", (double) paced.delays().getValueAtPercentile(50));
            figures.put(transport + ".p99-us", (double) paced.delays().getValueAtPercentile(99));
            missing += paced.missing();
        }
        figures.put("missing", missing);
        return Figures.of(figures);
    }
}
