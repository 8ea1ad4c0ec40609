package io.understudy.benchmarks;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Which transport: updates of 1 KB from one member to all others by {@code auto}, {@code udp} and {@code tcp}, in the same
 * processes, in turn. How many a second, with how much processor time and how many bytes on the wire each, and how long they
 * take at a rate that all of them bear. The members share this machine's processors: more of them have less each.
 */
final class TransportsExperiment implements Experiment.Procedure {

    private static final List<String> TRANSPORTS = List.of("auto", "udp", "tcp");

    /**
     * Of the better of the others, at least. Between namespaces a byte costs next to nothing, so the copies of TCP, in large packets, are cheaper than datagrams; over a
     * network it is the bytes that bound.
     */
    private static final double AT_LEAST = 0.6;

    /** From so many on each other member costs a copy by TCP, and none by multicast. */
    private static final int COPIES_SHOW = 3;

    private static final int THREADS = 4;
    private static final int SESSIONS = 5_000;
    private static final int MEGABYTES = 384;
    private static final int FIRST_FLOOD = 10_000;
    private static final int WARM_UPS = 8;
    private static final double WARM_UP_SECONDS = 1.5;
    private static final int PER_SECOND = 1_000;
    private static final int PACE_SECONDS = 3;

    @Override
    public void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 7 : 3;
        double seconds = trial.whole() ? 2 : 1;
        trial.say("| members | transport | updates/s | CPU us/update | bytes on the wire/update | p50 ms | p99 ms |");
        for (int members : trial.whole() ? List.of(2, 3, 4, 6, 8) : List.of(4)) {
            Rounds measured = new Rounds();
            try (Turns turns = new Turns(trial, members)) {
                for (int i = 0; i < rounds; i++) {
                    int turn = i;
                    String name = members + " members, round " + (i + 1);
                    measured.add(trial.round(name, () -> turns.round(turn, seconds)));
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
            }
            demand(trial, members, measured);
        }
    }

    private static void demand(Trial trial, int members, Rounds measured) {
        double best = Math.min(measured.medianRatio("auto", "udp"), measured.medianRatio("auto", "tcp"));
        trial.demand(
                members + " members: auto at least " + AT_LEAST + " of the better of udp and tcp",
                String.format(Locale.ROOT, "%.2f", best),
                best >= AT_LEAST);
        if (members >= COPIES_SHOW) {
            double wire = measured.medianRatio("auto.wire", "tcp.wire");
            trial.demand(
                    members + " members: auto puts fewer bytes on the wire than tcp",
                    String.format(Locale.ROOT, "%.2f of them", wire),
                    wire < 1);
        }
        double lost = measured.sum("missing");
        trial.demand(members + " members: 0 missing", String.valueOf((long) lost), lost == 0);
    }

    /** The members, started when the first round is to be run, and how many updates fill a given time. */
    private static final class Turns implements AutoCloseable {

        private final Trial trial;
        private final int members;
        private final Map<String, Double> rates = new HashMap<>();
        private @Nullable LaneFleet fleet;

        Turns(Trial trial, int members) {
            this.trial = trial;
            this.members = members;
        }

        private static String lane(String transport) {
            return "understudy@" + transport;
        }

        private LaneFleet fleet() throws Exception {
            LaneFleet running = fleet;
            if (running == null) {
                List<String> lanes = TRANSPORTS.stream().map(Turns::lane).toList();
                running = LaneFleet.start(
                        members,
                        MEGABYTES,
                        "auto",
                        lanes,
                        SESSIONS,
                        trial.results().resolve("transports-" + members));
                fleet = running;
                for (int i = 0; i < WARM_UPS; i++) {
                    for (String transport : TRANSPORTS) {
                        flood(running, transport, WARM_UP_SECONDS);
                    }
                }
            }
            return running;
        }

        private LaneFleet.Flooded flood(LaneFleet running, String transport, double seconds) throws Exception {
            double rate = rates.getOrDefault(transport, FIRST_FLOOD / WARM_UP_SECONDS);
            LaneFleet.Flooded flooded = running.flood(lane(transport), (int) (rate * seconds), THREADS);
            rates.put(transport, flooded.rate());
            return flooded;
        }

        Figures round(int turn, double seconds) throws Exception {
            LaneFleet running = fleet();
            Map<String, Double> figures = new TreeMap<>();
            double missing = 0;
            for (int i = 0; i < TRANSPORTS.size(); i++) {
                String transport = TRANSPORTS.get((turn + i) % TRANSPORTS.size());
                LaneFleet.Flooded flooded = flood(running, transport, seconds);
                figures.put(transport, Math.rint(flooded.rate()));
                figures.put(transport + ".cpu-us", Math.rint(flooded.cpuMicros() * 10) / 10);
                figures.put(transport + ".wire", Math.rint(flooded.wireBytes()));
                LaneFleet.Paced paced = running.pace(lane(transport), PER_SECOND, PACE_SECONDS);
                Histogram delays = paced.delays();
                figures.put(transport + ".p50-us", (double) delays.getValueAtPercentile(50));
                figures.put(transport + ".p99-us", (double) delays.getValueAtPercentile(99));
                missing += paced.missing();
            }
            figures.put("missing", missing);
            return Figures.of(figures);
        }

        @Override
        public void close() throws IOException {
            if (fleet != null) {
                fleet.close();
            }
        }
    }
}
