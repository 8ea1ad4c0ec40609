package io.understudy.testkit.faultsweep;

import io.understudy.NodeFigures;
import io.understudy.Readiness;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.replica.TimeSource;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes whose sessions are partly on disk, for one run after the other. Each run has a session of its own.
 *
 * <p>Threads: one.
 */
final class SweptCluster implements Swept {

    static final String LIST = "list";

    private static final int NODES = 3;
    private static final int LAST = NODES - 1;
    private static final int IDLE_SECONDS = 60;

    /** Of 8 KB, for which there is not enough room in memory. */
    private static final int OTHERS = 160;

    /** Far more than a node needs to get over anything: it compares what it holds, and tries again what failed. */
    private static final Duration LIMIT =
            Duration.ofSeconds(Integer.getInteger("fault.limit", (int) Await.LIMIT.toSeconds()));

    /** Threads that were there before: of tests that ran earlier in this JVM. */
    private static final Set<Thread> EARLIER =
            Set.copyOf(Thread.getAllStackTraces().keySet());

    private final AtomicLong ahead = new AtomicLong();
    private final TimeSource time = new TimeSource() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis() + ahead.get();
        }

        @Override
        public long monotonicMillis() {
            return System.nanoTime() / 1_000_000 + ahead.get();
        }
    };
    private final Scenario scenario;
    private final Path directory;
    private final Cluster cluster;
    private final AtomicInteger destroyed = new AtomicInteger();
    private final Map<String, Object> held = new HashMap<>();
    private final Map<String, Long> threads;
    private long notReplicatedBefore;
    private int run;
    private boolean over;
    private boolean failed;

    SweptCluster(Scenario scenario) {
        this.scenario = scenario;
        await(
                "threads of the cluster before",
                SweptCluster::threads,
                () -> threads().isEmpty());
        try {
            directory = Files.createTempDirectory("sweep");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cluster = Cluster.of(
                NODES,
                Map.of(
                        Setting.MAX_MEMORY, "1m",
                        Setting.SPILL_DIRECTORY, directory.toString(),
                        Setting.ACK_TIMEOUT, "5s",
                        Setting.TOUCH_INTERVAL, "100ms",
                        Setting.RECONCILE_INTERVAL, "2s",
                        Setting.SESSION_LOCK, "on",
                        Setting.RETAIN_UNDEPLOYED, "0s"),
                time,
                1);
        for (int i = 0; i < OTHERS; i++) {
            LiveSession session = sessions(i % NODES).create("other" + i, 0);
            SessionRequest.put(session, "content", new byte[8000]);
        }
        threads = threads();
    }

    ReplicatedSessions sessions(int node) {
        return cluster.sessions(node);
    }

    /** The number of this run. */
    int run() {
        return run;
    }

    String id() {
        return "s" + run;
    }

    LiveSession find(int node) {
        LiveSession session = SessionRequest.find(sessions(node), id());
        session.activation(new Told.Listening());
        return session;
    }

    /**
     * From now on the cluster has to have it, unless a warning said that an attribute of the request stays on its
     * node.
     */
    void acknowledged(String name, Object value) {
        if (notReplicated() == notReplicatedBefore) {
            held.put(name, value);
        }
    }

    private long notReplicated() {
        Map<String, Long> figures = NodeFigures.of(cluster.node(1));
        return figures.getOrDefault("attributes_not_replicated", 0L)
                + figures.getOrDefault("attributes_kept_changing", 0L);
    }

    /** The session has to be gone. */
    void ended() {
        over = true;
    }

    @Override
    public void prepare() {
        run++;
        over = false;
        failed = false;
        destroyed.set(0);
        held.clear();
        LiveSession session = sessions(0).create(id(), scenario == Scenario.EXPIRY ? IDLE_SECONDS : 0);
        session.activation(new Told.Listening());
        await(
                "what a request writes before anything is thrown is acknowledged",
                () -> NodeFigures.view(cluster.node(0)),
                () -> SessionRequest.use(session, () -> {
                            session.attributes().put("kept", run);
                            session.attributes().put(LIST, new ArrayList<>(List.of("begun")));
                        })
                        == Outcome.ACKNOWLEDGED);
        held.put("kept", run);
        notReplicatedBefore = notReplicated();
        scenario.prepare(this);
    }

    /** What the scenario does; it may fail. */
    @Override
    public void act() {
        try {
            scenario.act(this);
        } catch (Throwable e) { // What an application's request would see.
            failed = true;
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    void killLast() {
        cluster.kill(LAST);
    }

    void stopLast() {
        cluster.giveUp(LAST);
    }

    void startLast() {
        cluster.start(LAST);
    }

    /** A container that is started again makes a new node. */
    private void startLastAgain() {
        cluster.giveUp(LAST);
        cluster.start(LAST);
    }

    void idle(Duration by) {
        ahead.addAndGet(by.toMillis());
    }

    /** What the containers' background threads do on each node. */
    void expire() {
        for (int node = 0; node < NODES; node++) {
            sessions(node).expire(session -> {
                if (session.beginExpiry()) {
                    destroyed.incrementAndGet();
                    var unused = session.expire();
                }
            });
        }
    }

    void drain(int node) {
        try {
            var unused = cluster.node(node).drain(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void deployAnother(int node) {
        another(node).close();
    }

    private ReplicatedSessions another(int node) {
        return cluster.node(node).join("/another", SweptCluster.class::getClassLoader);
    }

    /** An application that failed to begin, or to end, is not there, and can be deployed again. */
    void checkDeployments(int node) {
        awaitApplications(node, 1);
        try (ReplicatedSessions again = another(node)) {
            awaitApplications(node, 2);
            assert again != null;
        }
        awaitApplications(node, 1);
    }

    private void awaitApplications(int node, int count) {
        Understudy on = cluster.node(node);
        await(count + " applications", on::readiness, () -> {
            Readiness readiness = on.readiness();
            return readiness.ready() && readiness.reason().contains(" of " + count + " application(s)");
        });
    }

    @Override
    public void check() {
        checkAcknowledged();
        scenario.check(this);
        if (scenario == Scenario.JOIN && failed) {
            startLastAgain();
        }
        for (int node = 0; node < NODES; node++) {
            Understudy each = cluster.node(node);
            each.undrain();
            await("readiness", each::readiness, () -> each.readiness().ready());
        }
        if (scenario == Scenario.LOGOUT || scenario == Scenario.EXPIRY) {
            awaitEnd();
        } else {
            awaitAnswers();
            end();
        }
        for (int node = 0; node < NODES; node++) {
            int at = node;
            await("node " + at + " after all", () -> left(at), () -> left(at).isEmpty());
        }
        await("files that no node knows of", this::files, () -> files().isEmpty());
        await(
                "flow-control credits that lack",
                cluster::lackingCredits,
                () -> cluster.lackingCredits().isEmpty());
        await(
                "threads " + threads + " are now",
                SweptCluster::threads,
                () -> threads().equals(threads));
    }

    /** What was acknowledged is there on all nodes, and at once. */
    private void checkAcknowledged() {
        if (over && !goneEverywhere()) {
            throw new AssertionError("the end was acknowledged, and the session goes on: " + states());
        }
        for (int node = 0; node < NODES && !over; node++) {
            Map<String, Object> state = cluster.runs(node) ? state(node) : null;
            if (state != null && !state.entrySet().containsAll(held.entrySet())) {
                throw new AssertionError(held + " is acknowledged, and node " + node + " has " + state);
            }
        }
    }

    private void awaitEnd() {
        await("the session is there on a node", this::states, () -> {
            if (scenario == Scenario.EXPIRY) {
                expire();
            } else if (sessions(1).find(id()) != null) { // Who could not log out tries again.
                scenario.act(this);
            }
            return goneEverywhere();
        });
        if (scenario == Scenario.EXPIRY && destroyed.get() != 1 && !failed) {
            throw new AssertionError("listeners were told " + destroyed.get() + " times");
        }
    }

    /** Coherent requests on all nodes are acknowledged, and all hold the same, with all that was acknowledged. */
    private void awaitAnswers() {
        for (int node = 0; node < NODES; node++) {
            String name = "after" + node;
            int at = node;
            await(
                    "a request on node " + node,
                    this::states,
                    () -> sessions(at).find(id()) != null
                            && SessionRequest.put(find(at), name, run) == Outcome.ACKNOWLEDGED);
            held.put(name, run);
        }
        await("nodes hold other than " + held, this::states, () -> {
            Map<String, Object> first = state(0);
            return first != null
                    && first.entrySet().containsAll(held.entrySet())
                    && first.equals(state(1))
                    && first.equals(state(2));
        });
    }

    private void end() {
        LiveSession session = find(0);
        if (session.beginEnd()) {
            var unused = session.invalidate().await();
        }
        await("the session goes on", this::states, this::goneEverywhere);
    }

    private boolean goneEverywhere() {
        for (int node = 0; node < NODES; node++) {
            if (sessions(node).contains(id())) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Map<String, Object> state(int node) {
        LiveSession session = sessions(node).find(id());
        Map<String, Object> state = session == null ? null : new TreeMap<>(session.attributes());
        return session != null && session.valid() ? state : null; // It may have ended meanwhile, and has none then.
    }

    private List<String> states() {
        List<String> states = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            states.add(String.valueOf(state(node)));
        }
        return states;
    }

    private Map<String, Long> left(int node) {
        return Leftovers.of(cluster.node(node));
    }

    private Set<String> files() {
        return Leftovers.files(
                directory, IntStream.range(0, NODES).mapToObj(cluster::node).toList());
    }

    /** Nodes' own threads by name, without those that come and go. */
    private static Map<String, Long> threads() {
        Map<String, Long> threads = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName();
            if (!EARLIER.contains(thread)
                    && name.startsWith("understudy-")
                    && !name.matches(".*-(expiry|answer|ask|announce|rehearsal)-?[0-9]*")) {
                threads.merge(name.replaceAll("-[0-9]+$", ""), 1L, Long::sum);
            }
        }
        return threads;
    }

    private static void await(
            String what, java.util.function.Supplier<?> state, java.util.function.BooleanSupplier condition) {
        Await.until(LIMIT, () -> what + ": " + state.get(), condition);
    }

    @Override
    public void close() {
        cluster.close();
        try (var files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            return; // A broken node left files; its run was reported.
        }
    }
}
