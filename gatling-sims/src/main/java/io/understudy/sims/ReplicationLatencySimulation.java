package io.understudy.sims;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.doWhile;
import static io.gatling.javaapi.core.CoreDsl.dummy;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Each client writes on one node and polls another until the write is visible there. The clients are spread over all
 * ordered pairs of nodes. The run fails if a write never gets visible; in coherent mode also if it is not there at the
 * first look after its answer.
 */
public final class ReplicationLatencySimulation extends Simulation {

    /** From the write's sending on; within it the part after the write's answer. */
    private static final String WRITTEN = "write until visible on another node";

    private static final String VISIBLE = "visible on another node";

    /** One entry per client in the report, at its end. */
    private static final String ALL_VISIBLE = "every write got visible";

    private static final String NEVER_STALE = "every write visible at once";

    private static final String PROBE = "probe";

    /** How often a client tries to log in, with a pause of a second between. */
    private static final int TRIES = 10;

    private static final ShopRequests WRITER = new ShopRequests("#{writer}", " on #{writerName}");
    private static final ShopRequests READER = new ShopRequests("#{reader}", " on #{readerName}");

    private final Settings settings = Settings.from(System.getProperties());
    private final Cluster cluster = new Cluster(settings.door(), settings.token());
    private final Latencies latencies = new Latencies();
    private final List<Cluster.Node> nodes = nodes();
    private final Map<String, Map<String, NodeMetrics.Lag>> lagBefore = new TreeMap<>();
    private volatile long endNanos;

    /** As Gatling wants it: the constructor defines everything. */
    public ReplicationLatencySimulation() {
        setUp(clients().injectOpen(rampUsers(settings.sessions()).during(Duration.ofSeconds(settings.rampSeconds()))))
                .protocols(ShopRequests.protocol(settings))
                .maxDuration(Duration.ofSeconds(settings.longestSeconds()))
                .assertions(assertions());
    }

    @Override
    public void before() {
        endNanos = System.nanoTime() + (settings.rampSeconds() + 2L * settings.seconds()) * 1_000_000_000;
        for (Cluster.Node node : nodes) {
            lagBefore.put(node.name(), lag(node));
        }
    }

    @Override
    public void after() {
        System.out.println("\nReplication latency, " + settings.coherence() + ", " + settings.transport() + ", "
                + settings.sessions() + " sessions");
        System.out.println("  " + Latencies.header());
        latencies.rows().forEach(row -> System.out.println("  " + row));
        for (Cluster.Node node : nodes) {
            NodeMetrics.since(lagBefore.getOrDefault(node.name(), Map.of()), lag(node))
                    .forEach((peer, lag) -> System.out.println("  "
                            + Latencies.row(
                                    node.name() + ": merged here to acknowledged by " + peer,
                                    lag.count(),
                                    lag.quantile("0.5"),
                                    lag.quantile("0.99"),
                                    lag.quantile("0.999"))));
        }
        latencies.counts().forEach(count -> System.out.println("  " + count));
    }

    private List<Assertion> assertions() {
        long sessions = settings.sessions();
        List<Assertion> all = new ArrayList<>(List.of(
                details(ALL_VISIBLE).failedRequests().count().is(0L),
                details(ALL_VISIBLE).successfulRequests().count().is(sessions)));
        if (settings.coherent()) {
            all.add(details(NEVER_STALE).failedRequests().count().is(0L));
        }
        return all;
    }

    private ScenarioBuilder clients() {
        return scenario("clients")
                .exec(this::prepared)
                .exec(repeat(TRIES)
                        .on(doIf(session -> !probe(session).loggedIn())
                                .then(WRITER.logIn(
                                        (session, answer) -> probe(session).logIn(answer)))
                                .doIf(session -> !probe(session).loggedIn())
                                .then(pause(Duration.ofSeconds(1)))))
                .doIf(session -> probe(session).loggedIn())
                // Each client writes at least once, also if its login took all of the time.
                .then(doWhile(session -> System.nanoTime() - endNanos < 0)
                        .on(pace(Duration.ofMillis(settings.paceMillis())), measure()))
                .exec(dummy(ALL_VISIBLE, 0)
                        .withSuccess(session -> probe(session).allVisible()))
                .exec(dummy(NEVER_STALE, 0)
                        .withSuccess(session -> probe(session).neverStale()));
    }

    private Session prepared(Session session) {
        int count = nodes.size();
        int client = (int) (session.userId() % (count * (count - 1L)));
        Cluster.Node writer = nodes.get(client % count);
        Cluster.Node reader = nodes.get((client % count + 1 + client / count) % count);
        String user = "client-" + session.userId();
        return session.set("user", user)
                .set("writer", writer.address().toString())
                .set("writerName", writer.name())
                .set("reader", reader.address().toString())
                .set("readerName", reader.name())
                .set(PROBE, new VisibilityProbe(user, latencies));
    }

    private static ChainBuilder measure() {
        return group(WRITTEN)
                .on(exec(session -> {
                            probe(session).send(System.nanoTime());
                            return session;
                        })
                        .exec(WRITER.count((session, answer) -> probe(session).written(answer, System.nanoTime())))
                        .doIf(session -> probe(session).looking())
                        .then(group(VISIBLE)
                                .on(asLongAs(session -> probe(session).looking())
                                        .on(READER.read((session, answer) ->
                                                probe(session).looked(answer, System.nanoTime()))))));
    }

    private List<Cluster.Node> nodes() {
        List<Cluster.Node> all;
        try {
            all = cluster.nodes();
        } catch (IOException e) {
            throw new IllegalStateException("no demo cluster at " + settings.door() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking for the nodes", e);
        }
        List<Cluster.Node> ready = all.stream().filter(Cluster.Node::ready).toList();
        if (ready.size() < 2) {
            throw new IllegalStateException("2 ready nodes are needed, " + ready.size() + " of " + all.size() + " are");
        }
        return ready;
    }

    private Map<String, NodeMetrics.Lag> lag(Cluster.Node node) {
        try {
            return NodeMetrics.lags(cluster.metrics(node));
        } catch (IOException e) {
            System.out.println("  " + node.name() + ": no metrics: " + e.getMessage());
            return Map.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Map.of();
        }
    }

    private static VisibilityProbe probe(Session session) {
        VisibilityProbe probe = session.get(PROBE);
        if (probe == null) {
            throw new IllegalStateException("the client has no probe");
        }
        return probe;
    }
}
