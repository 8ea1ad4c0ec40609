package io.understudy.benchmarks;

import static io.understudy.benchmarks.trial.Experiment.Judged.CORRECTNESS;
import static io.understudy.benchmarks.trial.Experiment.Judged.SPEED;

import io.understudy.benchmarks.codec.CodecExperiment;
import io.understudy.benchmarks.durability.FrozenWrites;
import io.understudy.benchmarks.durability.Kept;
import io.understudy.benchmarks.durability.Lock;
import io.understudy.benchmarks.durability.Partition;
import io.understudy.benchmarks.durability.Risk;
import io.understudy.benchmarks.expiry.Clocks;
import io.understudy.benchmarks.expiry.DestroyEvents;
import io.understudy.benchmarks.exploration.Explore;
import io.understudy.benchmarks.exploration.Faults;
import io.understudy.benchmarks.exploration.Fuzz;
import io.understudy.benchmarks.joining.Join;
import io.understudy.benchmarks.joining.Restart;
import io.understudy.benchmarks.memory.Crawlers;
import io.understudy.benchmarks.memory.FullMemory;
import io.understudy.benchmarks.memory.Many;
import io.understudy.benchmarks.peers.PeersExperiment;
import io.understudy.benchmarks.peers.StartExperiment;
import io.understudy.benchmarks.silence.Detection;
import io.understudy.benchmarks.silence.Frozen;
import io.understudy.benchmarks.silence.Slow;
import io.understudy.benchmarks.silence.Waits;
import io.understudy.benchmarks.speed.CeilingExperiment;
import io.understudy.benchmarks.speed.CostExperiment;
import io.understudy.benchmarks.speed.OrderExperiment;
import io.understudy.benchmarks.speed.SealingExperiment;
import io.understudy.benchmarks.speed.TransportsExperiment;
import io.understudy.benchmarks.speed.WarmUpExperiment;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Progress;
import io.understudy.benchmarks.trial.Scale;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.benchmarks.visitors.Visitors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs one experiment, or several, or lists them.
 *
 * <pre>
 * Experiments list
 * Experiments NAME small | whole   whole if neither is given
 * Experiments correctness small | whole
 * Experiments speed small | whole
 * Experiments all small | whole
 * </pre>
 *
 * <p>It ends with a line as Surefire's: each demand is a test. Several run each in a JVM of its own. An experiment
 * that is ended before its end, by its own limit too, goes on where it stood when it is started again.
 *
 * <p>Exit codes: 0 if all demands were met, 2 if not, 1 if it could not be done, 3 if it took too long, 64 for wrong
 * arguments.
 */
public final class Experiments {

    /** Where progress and logs go. */
    private static final String RESULTS = "understudy.experiments.results";

    static final int ERROR = 1;
    static final int FAILED = 2;
    private static final int USAGE = 64;

    /** In the order in which they are listed. The README of this module lists them, too. */
    /** About four times what the slowest takes beside two others: it ends what hangs. */
    private static final Duration SMALL_CORRECTNESS = Duration.ofMinutes(8);

    private static final List<Experiment> ALL = List.of(
            new Experiment(
                    "kept",
                    CORRECTNESS,
                    "3 coherent members under load, killed one at a time: what was acknowledged is kept",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    Kept::run),
            new Experiment(
                    "frozen-writes",
                    CORRECTNESS,
                    "a member is frozen, the other writes on and dies: only degraded writes may be missing",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    FrozenWrites::run),
            new Experiment(
                    "at-risk",
                    CORRECTNESS,
                    "an incoherent member is killed: no more is lost than its at-risk gauge said",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    Risk::run),
            new Experiment(
                    "partition",
                    CORRECTNESS,
                    "4 members through splits, loss and a stop: equal after 5 s, nothing lost, nothing resurrected",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    Partition::run),
            new Experiment(
                    "frozen",
                    SPEED,
                    "a member is frozen: incoherent requests do not notice, coherent ones wait once",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(58),
                    Frozen::run),
            new Experiment(
                    "detection",
                    SPEED,
                    "processes are killed, hosts cut off, processes frozen and paused: how soon they are missed, and told apart",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(40),
                    Detection::run),
            new Experiment(
                    "waits",
                    SPEED,
                    "how long requests wait because of a frozen member, silent connections, or lost datagrams",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(40),
                    Waits::run),
            new Experiment(
                    "slow",
                    SPEED,
                    "a member is stopped for 5 s, or runs 10 ms of 100: requests, heaps, and how soon it catches up",
                    Duration.ofMinutes(3),
                    Duration.ofMinutes(58),
                    Slow::run),
            new Experiment(
                    "clocks",
                    SPEED,
                    "members' clocks are wrong by a minute or an hour, and step: no early expiry, no lost update",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(58),
                    Clocks::run),
            new Experiment(
                    "join",
                    SPEED,
                    "a member joins two that hold 100,000 sessions of 4 KB, and others whose provider is killed midway",
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(58),
                    Join::run),
            new Experiment(
                    "restart",
                    CORRECTNESS,
                    "one member, the application everywhere, all members, stopped in order and started: nothing lost",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    Restart::run),
            new Experiment(
                    "events",
                    CORRECTNESS,
                    "sessions that expire while their owner stops or dies, or that two end at once: destroyed once",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    DestroyEvents::run),
            new Experiment(
                    "lock",
                    CORRECTNESS,
                    "one session counted up by 10 clients through 2 members, whose lock's home and holder are killed",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    Lock::run),
            new Experiment(
                    "order",
                    SPEED,
                    "updates under packet loss: at most 1/10 of the delay of FIFO, and of FIFO with a queue per session",
                    Duration.ofMinutes(3),
                    Duration.ofMinutes(30),
                    new OrderExperiment()),
            new Experiment(
                    "ceiling",
                    SPEED,
                    "updates per second: at least 0.8 of plain JGroups (UDP; TCP out-of-band), 0.45 of TCP in order",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(45),
                    new CeilingExperiment()),
            new Experiment(
                    "cost",
                    SPEED,
                    "requests per second of 64 threads: coherent at least 0.35 of incoherent, none degraded",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(20),
                    new CostExperiment()),
            new Experiment(
                    "transports",
                    SPEED,
                    "auto beside udp and tcp, 2 to 8 members: updates a second, processor time, bytes on the wire, delays",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(40),
                    new TransportsExperiment()),
            new Experiment(
                    "sealing",
                    SPEED,
                    "coherent requests of 64 threads and of one: with a secret at least 0.7 of without, with TLS 0.5",
                    Duration.ofMinutes(6),
                    Duration.ofMinutes(30),
                    new SealingExperiment()),
            new Experiment(
                    "memory",
                    SPEED,
                    "100,000 sessions of 4 KB in a heap of 256 MB: none lost, each as it was; what a session takes",
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(15),
                    FullMemory::run),
            new Experiment(
                    "warm-up",
                    SPEED,
                    "processor time of the first changes of a node that rehearsed requests, beside one that did not",
                    Duration.ofMinutes(8),
                    Duration.ofMinutes(30),
                    WarmUpExperiment::run),
            new Experiment(
                    "many",
                    SPEED,
                    "1,000,000 sessions and 500,000 tombstones: what a sweep, and the digests for a joiner, cost",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(20),
                    Many::run),
            new Experiment(
                    "crawlers",
                    SPEED,
                    "a million sessions without attributes on 3 members: few messages, bounded memory, one session each",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(40),
                    Crawlers::run),
            new Experiment(
                    "visitors",
                    SPEED,
                    "a Tomcat and a Jetty: 100,000 sessions at -Xmx256m, 10,000 that expire at once, strangers with made up ids",
                    Duration.ofMinutes(4),
                    Duration.ofMinutes(30),
                    Visitors::run),
            new Experiment(
                    "peers",
                    SPEED,
                    "DeltaManager, BackupManager, Infinispan and Understudy: requests, processor time, lag, losses beside none",
                    Duration.ofMinutes(6),
                    Duration.ofMinutes(58),
                    new PeersExperiment()),
            new Experiment(
                    "start",
                    SPEED,
                    "how soon after its start a node answers at nine tenths of its steady rate, beside no replication",
                    Duration.ofMinutes(6),
                    Duration.ofMinutes(58),
                    new StartExperiment()),
            new Experiment(
                    "explore",
                    CORRECTNESS,
                    "every schedule of 8 events on 2 members and 6 on 3: all equal, nothing resurrected",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(50),
                    Explore::run),
            new Experiment(
                    "codec",
                    SPEED,
                    "attributes of a session: bytes and time beside JDK serialization; what the filter and finding changes cost",
                    Duration.ofMinutes(3),
                    Duration.ofMinutes(20),
                    CodecExperiment::run),
            new Experiment(
                    "faults",
                    CORRECTNESS,
                    "each allocation and call of a node's code throws once: the cluster goes on, and nothing is lost or left",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(58),
                    Faults::run),
            new Experiment(
                    "fuzz",
                    CORRECTNESS,
                    "frames and attributes by a coverage-guided fuzzer: only what is declared happens, whatever the bytes",
                    SMALL_CORRECTNESS,
                    Duration.ofMinutes(20),
                    Fuzz::run));

    private static final String EVERY = "all";

    private static final List<String> GROUPS = Stream.concat(
                    Stream.of(EVERY), Arrays.stream(Experiment.Judged.values()).map(Experiment.Judged::word))
            .toList();

    private Experiments() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String... args) {
        if (args.length == 1 && args[0].equals("list")) {
            ALL.forEach(experiment -> System.out.println(String.format(
                    "%-14s %-12s %s", experiment.name(), experiment.judged().word(), experiment.description())));
            return 0;
        }
        Experiment experiment;
        Scale scale;
        try {
            if (args.length == 0 || args.length > 2) {
                throw new IllegalArgumentException("expected 'list', or a name or one of " + GROUPS
                        + " and 'small' or, which is the default, 'whole'");
            }
            scale = args.length == 1 ? Scale.WHOLE : Scale.named(args[1]);
            if (GROUPS.contains(args[0])) {
                return series(args[0], scale).run(group(args[0]), scale);
            }
            experiment = named(args[0]);
        } catch (IllegalArgumentException e) {
            System.err.println("Understudy experiments: " + e.getMessage());
            return USAGE;
        }
        Path results =
                Path.of(System.getProperty(RESULTS, "target/experiments")).toAbsolutePath();
        return run(experiment, scale, results);
    }

    /** What judges no figures may run beside others, and mostly waits: one more than there are processors. */
    private static Series series(String group, Scale scale) {
        boolean figures = !group.equals(Experiment.Judged.CORRECTNESS.word()) || scale != Scale.SMALL;
        return new Series(figures ? 1 : Math.min(3, Runtime.getRuntime().availableProcessors() + 1));
    }

    private static List<String> group(String group) {
        return ALL.stream()
                .filter(experiment ->
                        group.equals(EVERY) || group.equals(experiment.judged().word()))
                .map(Experiment::name)
                .toList();
    }

    private static Experiment named(String name) {
        return ALL.stream()
                .filter(experiment -> experiment.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the first argument must be 'list', one of " + GROUPS
                        + " or of " + ALL.stream().map(Experiment::name).toList() + ", was '" + name + "'"));
    }

    /** Runs it; the exit code. */
    static int run(Experiment experiment, Scale scale, Path results) {
        long began = System.nanoTime();
        String title = experiment.name() + " (" + scale.word() + ")";
        Trial trial = null;
        int errors = 0;
        try (Deadline deadline = Deadline.start(title, experiment.limit(scale))) {
            Progress progress = Progress.open(file(results, experiment, scale), Code.fingerprint());
            trial = new Trial(scale, results, progress);
            trial.say("experiment " + title + ": " + experiment.description() + "; at most "
                    + deadline.limit().toSeconds() + " s"
                    + (progress.size() == 0 ? "" : "; " + progress.size() + " rounds are kept of an earlier start"));
            experiment.procedure().run(trial);
            if (trial.demands() == 0) {
                throw new IllegalStateException("it demanded nothing");
            }
            trial.finish();
        } catch (Exception | AssertionError e) {
            System.err.println("experiment " + title + " could not be done: " + e);
            e.printStackTrace();
            errors = 1;
        }
        int demands = trial == null ? 0 : trial.demands();
        int failed = trial == null ? 0 : trial.failed();
        long seconds = (System.nanoTime() - began) / 1_000_000_000;
        System.out.println(new Tally(demands + errors, failed, errors).line(seconds, title));
        return errors > 0 ? ERROR : failed > 0 ? FAILED : 0;
    }

    /** Scale whole is the one to be gone on with; it has the plain name. */
    private static Path file(Path results, Experiment experiment, Scale scale) throws IOException {
        Path file = results.resolve(experiment.name() + (scale == Scale.WHOLE ? "" : "-" + scale.word()) + ".progress");
        if (scale == Scale.SMALL) {
            Files.deleteIfExists(file);
        }
        return file;
    }
}
