package io.understudy.benchmarks.silence;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.history.History;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.member.SteadyWrites;
import io.understudy.testkit.netns.Fault;
import io.understudy.testkit.netns.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long requests wait because of a member that stands still, a client that opens connections and sends nothing, or
 * a network that begins to drop datagrams: none of these should hold them up.
 */
public final class Waits {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int PORT = 7800;

    /** Writes, before any counts. */
    private static final int WARM_UP = 3000;

    /** Connections over which the client sends nothing. */
    private static final int HELD = 8;

    /** Longest wait of a write while TLS handshakes are stuck, in milliseconds. */
    private static final double BESIDE_HANDSHAKES_MILLIS = 1500;

    /** After how many milliseconds a member gives a stuck handshake up: 2 s, and what a busy machine adds. */
    private static final double HANDSHAKE_MILLIS = 5000;

    /** Longest wait of an incoherent write while another member reads nothing, in milliseconds. */
    private static final double UNREAD_MILLIS = 3000;

    private static final int UNREAD_WRITES = 2000;

    /** Longest time for which a member that stood still holds a request, in milliseconds. */
    private static final double STOOD_STILL_MILLIS = 8000;

    /** After it, writes are as quick as before the datagrams were cut off. */
    private static final Duration RECOVERED = Duration.ofSeconds(2);

    /** In microseconds: what waits until it was asked for again takes longer. */
    private static final double ASKED_AGAIN = 100_000;

    private static final int CLIENTS = 4;
    private static final int WRITES = 400;
    private static final Pattern CLOSED = Pattern.compile("closed (\\d+) longest (\\d+)");

    private Waits() {}

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 10 : 1;
        Rounds tls = new Rounds();
        Rounds unread = new Rounds();
        Rounds paused = new Rounds();
        Rounds cut = new Rounds();
        for (int round = 1; round <= rounds; round++) {
            tls.add(trial.round("handshakes " + round, () -> handshakes(trial)));
            unread.add(trial.round("unread " + round, () -> unread(trial)));
            paused.add(trial.round("stood still " + round, () -> stoodStill(trial)));
            cut.add(trial.round("datagrams cut off " + round, () -> cutOff(trial)));
        }
        longest(
                trial,
                "a write beside handshakes with a frozen member",
                BESIDE_HANDSHAKES_MILLIS,
                tls.most("frozen_ms"));
        longest(
                trial,
                "a write beside " + HELD + " connections that say nothing",
                BESIDE_HANDSHAKES_MILLIS,
                tls.most("held_ms"));
        longest(trial, "a handshake that does not go on", HANDSHAKE_MILLIS, tls.most("handshake_ms"));
        longest(
                trial,
                "an incoherent write beside a member that reads nothing",
                UNREAD_MILLIS,
                unread.most("longest_ms"));
        longest(trial, "a read at a member that stood still", STOOD_STILL_MILLIS, paused.most("held_ms"));
        double slower = cut.most("slower");
        trial.floor(
                "from " + RECOVERED.toSeconds()
                        + " s after datagrams were cut off, p90 of writes <= 3x or 100 ms, every round",
                String.format(
                        Locale.ROOT,
                        "%.0f rounds above, p90 at most %.0f us",
                        cut.sum("slower"),
                        cut.most("p90_after_us")),
                slower == 0);
    }

    private static void longest(Trial trial, String what, double limitMillis, double tookMillis) {
        trial.floor(
                String.format(Locale.ROOT, "longest: %s <= %.0f ms", what, limitMillis),
                String.format(Locale.ROOT, "%.0f ms", tookMillis),
                tookMillis <= limitMillis);
    }

    private static Map<String, String> tls(Path directory) throws IOException {
        KeyTool keys = new KeyTool(Files.createDirectories(directory));
        return Map.of(
                "security",
                "tls",
                "tlsKeyStore",
                keys.node("a", "n").toString(),
                "tlsKeyStorePassword",
                KeyTool.PASSWORD,
                "tlsTrustStore",
                keys.trust("a").toString(),
                "tlsTrustStorePassword",
                KeyTool.PASSWORD);
    }

    private static Figures handshakes(Trial trial) throws Exception {
        Path directory = trial.results().resolve("waits");
        Path log = directory.resolve("held.log");
        Map<String, String> settings = tls(directory.resolve("keys"));
        try (RemoteCluster cluster =
                RemoteCluster.of(4, (network, index) -> new RemoteMember(network, index, directory, settings))) {
            for (RemoteMember member : cluster.members().subList(0, 3)) {
                member.start();
            }
            cluster.members().subList(0, 3).forEach(member -> member.awaitReadyAmong(3, LIMIT));
            RemoteMember writer = cluster.member(0);
            writer.create("s", 1800, Map.of("n", ""));
            long warm = writes(writer, WARM_UP);
            Jvm holder = cluster.network()
                    .host(3)
                    .java(
                            List.of("-Xmx32m"),
                            HeldConnections.class.getName(),
                            List.of(cluster.network().host(0).address(), String.valueOf(PORT), String.valueOf(HELD)),
                            log);
            long held;
            try (holder) {
                held = writesUntil(writer, () -> !holder.alive());
            }
            Matcher closed = CLOSED.matcher(Files.readString(log));
            if (!closed.find() || Integer.parseInt(closed.group(1)) != HELD) {
                throw new IllegalStateException("not all connections were closed: " + Files.readString(log));
            }
            RemoteMember still = cluster.member(2);
            still.jvm().freeze();
            writer.awaitReadyAmong(2, LIMIT);
            cluster.member(1).awaitReadyAmong(2, LIMIT);
            long before = writer.figure("handshakes_refused_late");
            long frozen = writesUntil(writer, () -> writer.figure("handshakes_refused_late") >= before + 3);
            still.jvm().thaw();
            return Figures.of(Map.of(
                    "warm_ms", warm,
                    "held_ms", held,
                    "frozen_ms", frozen,
                    "handshake_ms", Long.parseLong(closed.group(2))));
        }
    }

    private static long writes(RemoteMember member, int count) {
        int[] made = new int[1];
        return writesUntil(member, () -> made[0]++ >= count);
    }

    /** The longest of them, in milliseconds. */
    private static long writesUntil(RemoteMember member, BooleanSupplier enough) {
        long longest = 0;
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int i = 0; !enough.getAsBoolean(); i++) {
            long began = System.nanoTime();
            Result result = member.write("s", Map.of("n", began + "-" + i));
            if (result != Result.ACKNOWLEDGED || began > end) {
                throw new IllegalStateException("a write was " + result + ", " + i + " before it");
            }
            longest = Math.max(longest, System.nanoTime() - began);
        }
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }

    private static Figures unread(Trial trial) throws Exception {
        Path directory = trial.results().resolve("waits");
        try (RemoteCluster cluster = RemoteCluster.start(3, directory, Map.of("coherence", "incoherent"))) {
            RemoteMember writer = cluster.member(0);
            writer.create("s", 1800, Map.of("n", ""));
            String value = "v".repeat(30_000);
            cluster.member(2).jvm().freeze();
            long longest = 0;
            for (int i = 0; i < UNREAD_WRITES; i++) {
                long began = System.nanoTime();
                writer.write("s", Map.of("n", i + value));
                longest = Math.max(longest, System.nanoTime() - began);
            }
            cluster.member(2).jvm().thaw();
            return Figures.of(Map.of("longest_ms", TimeUnit.NANOSECONDS.toMillis(longest)));
        }
    }

    private static Figures stoodStill(Trial trial) throws Exception {
        Path directory = trial.results().resolve("waits");
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of())) {
            RemoteMember other = cluster.member(0);
            RemoteMember paused = cluster.member(1);
            paused.create("s", 1800, Map.of("n", "1"));
            paused.jvm().freeze();
            other.write("s", Map.of("n", "2"));
            paused.jvm().thaw();
            long[] longest = new long[1];
            Await.until(LIMIT, () -> "no answer", () -> {
                long began = System.nanoTime();
                Result result = paused.read("s").result();
                longest[0] = Math.max(longest[0], System.nanoTime() - began);
                return result == Result.OK;
            });
            return Figures.of(Map.of("held_ms", TimeUnit.NANOSECONDS.toMillis(longest[0])));
        }
    }

    private static Figures cutOff(Trial trial) throws Exception {
        Path directory = trial.results().resolve("waits");
        Map<String, String> settings = Map.of("transport", "auto", "secret", "a secret of the experiments");
        try (RemoteCluster cluster = RemoteCluster.start(3, directory, settings);
                SteadyWrites load = SteadyWrites.start("c", CLIENTS, cluster.members(), new History())) {
            byMulticast(cluster, 2);
            load.await(WARM_UP);
            long began = System.nanoTime();
            load.await(WRITES);
            long cut = System.nanoTime();
            long recovered = cut + RECOVERED.toNanos();
            try (Fault fault = cluster.network().udpBlocked()) {
                load.goOn(RECOVERED.multipliedBy(2));
                byMulticast(cluster, 0);
                trial.say(fault + " since " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - cut) + " ms");
            }
            double before = load.quantile(0.9, at -> at > began && at < cut);
            double after = load.quantile(0.9, at -> at > recovered);
            Map<String, Number> figures = new HashMap<>();
            figures.put("p90_before_us", before);
            figures.put("longest_after_the_cut_us", load.quantile(1, at -> at > cut && at < recovered));
            figures.put("p90_after_us", after);
            figures.put("slower", after > Math.max(ASKED_AGAIN, 3 * before) ? 1 : 0);
            return Figures.of(figures);
        }
    }

    private static void byMulticast(RemoteCluster cluster, long peers) {
        RemoteMember.awaitFigures(
                cluster.members(),
                "peers_by_multicast",
                Collections.nCopies(cluster.members().size(), peers));
    }
}
