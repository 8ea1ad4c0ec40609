package io.understudy.benchmarks.lanes;

import io.understudy.benchmarks.figures.Histograms;
import io.understudy.benchmarks.process.Fleet;
import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Network;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A {@link Fleet} of members with {@link Lanes}; member 0 sends. */
public final class LaneFleet implements AutoCloseable {

    /** How long members may take to find each other, and updates to arrive after the last was sent. */
    private static final Duration SETTLE = Duration.ofSeconds(60);

    /** What the receivers together saw of one lane since the members started, and when its last update came. */
    private record Seen(long count, long lastNanos, long outOfOrder) {}

    /**
     * Updates sent at a fixed rate.
     *
     * @param rate that was reached, per second
     * @param delays of all receivers, in microseconds
     * @param missing updates that did not arrive, summed over the receivers
     */
    public record Paced(double rate, Histogram delays, long outOfOrder, long missing) {}

    /**
     * Updates sent without a pause.
     *
     * @param rate updates that reached every receiver, per second
     * @param cpuMicros processor time of all members together, per update
     * @param wireBytes what all members together sent, per update
     */
    public record Flooded(double rate, double cpuMicros, double wireBytes) {}

    private final Fleet fleet;

    private LaneFleet(Fleet fleet) {
        this.fleet = fleet;
    }

    /** @param megabytes each member's heap */
    public static LaneFleet start(
            int members, int megabytes, String transport, List<String> lanes, int sessions, Path log) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(transport));
        arguments.addAll(lanes);
        Fleet fleet = Fleet.start(
                members, List.of("-Xms" + megabytes + "m", "-Xmx" + megabytes + "m"), Lanes.class, arguments, log);
        try {
            Await.until(
                    SETTLE,
                    () -> "not joined: " + fleet.answers("state"),
                    () -> fleet.everywhere("true", "joined", String.valueOf(members)));
            checkClocks(fleet);
            LaneFleet started = new LaneFleet(fleet);
            for (String lane : lanes) {
                fleet.ask(0, "create", lane, String.valueOf(sessions));
                started.arrived(lane);
            }
            return started;
        } catch (Exception | AssertionError e) {
            fleet.close();
            throw e;
        }
    }

    /** The processes of one Linux machine read the same monotonic clock; here that is seen, not believed. */
    private static void checkClocks(Fleet fleet) throws Exception {
        for (int member = 0; member < fleet.size(); member++) {
            long before = System.nanoTime();
            long there = Long.parseLong(fleet.ask(member, "nanos"));
            long after = System.nanoTime();
            if (there < before || there > after) {
                throw new IllegalStateException("member " + member + "'s clock reads " + there
                        + " ns, expected between " + before + " and " + after);
            }
        }
    }

    public Network network() {
        return fleet.network();
    }

    /** Sends evenly, waits until all has arrived. */
    public Paced pace(String lane, int perSecond, int seconds) throws Exception {
        fleet.all("delays", lane);
        long outOfOrder = seen(lane).outOfOrder();
        String[] sent = fleet.ask(0, "pace", lane, String.valueOf(perSecond), String.valueOf(seconds))
                .split(" ", -1);
        long missing = arrived(lane);
        Histogram delays = new Histogram(3);
        List<String> texts = fleet.all("delays", lane);
        for (String text : texts.subList(1, texts.size())) {
            delays.add(Histograms.parse(text));
        }
        double rate = Long.parseLong(sent[0]) * 1e9 / Long.parseLong(sent[1]);
        return new Paced(rate, delays, seen(lane).outOfOrder() - outOfOrder, missing);
    }

    /** Sends as fast as the lane takes it, waits until all has arrived. */
    Flooded flood(String lane, int count, int threads) throws Exception {
        long before = sent(lane);
        long cpu = sum("cpu");
        long wire = sum("wire");
        String[] flooded = fleet.ask(0, "flood", lane, String.valueOf(count), String.valueOf(threads))
                .split(" ", -1);
        long missing = arrived(lane);
        if (missing != 0) {
            throw new IllegalStateException(
                    missing + " updates of " + lane + " did not arrive: " + fleet.answers("state"));
        }
        long end = seen(lane).lastNanos();
        double updates = sent(lane) - before;
        double rate = updates * 1e9 / (end - Long.parseLong(flooded[1]));
        return new Flooded(rate, (sum("cpu") - cpu) / 1000.0 / updates, (sum("wire") - wire) / updates);
    }

    /** What all members have used so far. */
    private long sum(String what) throws Exception {
        return fleet.all(what).stream().mapToLong(Long::parseLong).sum();
    }

    private long sent(String lane) throws Exception {
        return Long.parseLong(fleet.ask(0, "sent", lane));
    }

    /** Waits until every receiver has what was sent, or nothing has come for some time; how much is missing. */
    private long arrived(String lane) throws Exception {
        try {
            Await.until(
                    SETTLE,
                    () -> "",
                    () -> fleet.answers("settled", lane).get(0).equals("true") && missing(lane) == 0);
        } catch (AssertionError e) {
            return missing(lane);
        }
        return 0;
    }

    private long missing(String lane) {
        try {
            return sent(lane) * (fleet.size() - 1) - seen(lane).count();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Seen seen(String lane) throws Exception {
        List<String> answers = fleet.all("count", lane);
        Seen seen = new Seen(0, Long.MIN_VALUE, 0);
        for (String answer : answers.subList(1, answers.size())) {
            String[] words = answer.split(" ", -1);
            seen = new Seen(
                    seen.count() + Long.parseLong(words[0]),
                    Math.max(seen.lastNanos(), Long.parseLong(words[1])),
                    seen.outOfOrder() + Long.parseLong(words[2]));
        }
        return seen;
    }

    @Override
    public void close() throws IOException {
        fleet.close();
    }
}
