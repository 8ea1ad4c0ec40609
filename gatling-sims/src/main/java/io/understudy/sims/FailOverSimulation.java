package io.understudy.sims;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.dummy;
import static io.gatling.javaapi.core.CoreDsl.exec;
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
import java.util.function.Predicate;

/**
 * Clients write and read back through the front door, halfway the node that answers most is killed and started again.
 * The run fails if a session or an acknowledged write is lost, or if not every session was read back at the end.
 */
public final class FailOverSimulation extends Simulation {

    /** One entry per client in the report, at its end. */
    private static final String SESSION_KEPT = "session kept";

    private static final String WRITES_KEPT = "acknowledged writes kept";
    private static final String NO_ERROR = "no node failed by itself";
    private static final String NO_STALL = "answered within 15 s";
    private static final String NODE_BACK = "nodes killed, back and ready";

    private static final String HISTORY = "history";
    private static final String WRITES = "writes";

    /** How often a client tries to log in, and to read at the end, with a pause of a second between. */
    private static final int TRIES = 30;

    /** The pause of a client before it repeats a read that failed, in milliseconds. */
    private static final int ASK_AGAIN_MILLIS = 250;

    private static final ShopRequests SHOP = new ShopRequests("", "");

    private final Settings settings = Settings.from(System.getProperties());
    private final Tally tally = new Tally();
    private final Cluster cluster = new Cluster(settings.door(), settings.token());
    private final Outage outage = new Outage(settings, cluster, tally);

    /** As Gatling wants it: the constructor defines everything. */
    public FailOverSimulation() {
        setUp(
                        clients()
                                .injectOpen(rampUsers(settings.sessions())
                                        .during(Duration.ofSeconds(settings.rampSeconds()))),
                        outage().injectOpen(atOnceUsers(1)))
                .protocols(ShopRequests.protocol(settings))
                .maxDuration(Duration.ofSeconds(settings.longestSeconds()))
                .assertions(assertions());
    }

    @Override
    public void before() {
        Thread thread = new Thread(outage, "outage");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void after() {
        System.out.println("\nFail-over, " + settings.coherence() + ", " + settings.transport());
        outage.events().forEach(event -> System.out.println("  " + event));
        System.out.print(tally.report());
        try {
            for (Cluster.Node node : cluster.nodes()) {
                String metrics = cluster.metrics(node);
                System.out.printf(
                        "  %-26s %d sessions, %d responses acknowledged, %d degraded, since it was started%n",
                        node.name() + " by itself",
                        NodeMetrics.counter(metrics, "understudy_sessions"),
                        NodeMetrics.counter(metrics, "understudy_responses_acknowledged_total"),
                        NodeMetrics.counter(metrics, "understudy_responses_degraded_total"));
            }
        } catch (IOException e) {
            System.out.println("  no figures of the nodes: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Assertion> assertions() {
        long sessions = settings.sessions();
        List<Assertion> all = new ArrayList<>(List.of(
                details(SESSION_KEPT).failedRequests().count().is(0L),
                details(SESSION_KEPT).successfulRequests().count().is(sessions),
                details(NO_ERROR).failedRequests().count().is(0L),
                details(NO_STALL).failedRequests().count().is(0L),
                details(NODE_BACK).successfulRequests().count().is(1L)));
        // Incoherent mode does not promise the last writes of a node that dies: they are counted, and no failure.
        if (settings.coherent()) {
            all.add(details(WRITES_KEPT).failedRequests().count().is(0L));
            all.add(details(WRITES_KEPT).successfulRequests().count().is(sessions));
        }
        return all;
    }

    private ScenarioBuilder clients() {
        return scenario("clients")
                .exec(session -> {
                    String user = "client-" + session.userId();
                    return session.set("user", user)
                            .set(HISTORY, new SessionHistory(user, tally))
                            .set(WRITES, 0);
                })
                .exec(repeatedUntil(
                        SHOP.logIn((session, answer) -> history(session).logIn(answer)), SessionHistory::loggedIn))
                .doIf(session -> history(session).loggedIn())
                .then(asLongAs(session -> !outage.over())
                        .on(pace(Duration.ofMillis(settings.paceMillis())), write(), read()))
                .exec(repeatedUntil(
                        SHOP.read((session, answer) -> history(session).readLast(answer)), SessionHistory::settled))
                .exec(session -> {
                    history(session).giveUp();
                    return session;
                })
                .exec(dummy(SESSION_KEPT, 0)
                        .withSuccess(session -> history(session).sessionKept()))
                .exec(dummy(WRITES_KEPT, 0)
                        .withSuccess(session -> history(session).writesKept()))
                .exec(dummy(NO_ERROR, 0).withSuccess(session -> history(session).noNodeErred()))
                .exec(dummy(NO_STALL, 0).withSuccess(session -> history(session).neverStalled()));
    }

    private ScenarioBuilder outage() {
        return scenario("outage")
                .asLongAs(session -> !outage.over())
                .on(pause(Duration.ofMillis(100)))
                .exec(dummy(NODE_BACK, 0).withSuccess(session -> outage.succeeded()));
    }

    /** By turns a value that is set, and one that is changed in place. */
    private static ChainBuilder write() {
        return exec(session -> session.set(WRITES, session.getInt(WRITES) + 1))
                .exec(doIfOrElse(session -> session.getInt(WRITES) % 2 == 1)
                        .then(SHOP.count((session, answer) -> history(session).write(Answer.Shop.COUNTER, 1, answer)))
                        .orElse(SHOP.addToCart((session, answer) ->
                                history(session).write(Answer.Shop.inCart(ShopRequests.ARTICLE), 1, answer))));
    }

    /** Once, and after a failure until it is answered: only then the client knows what to build on. */
    private ChainBuilder read() {
        ChainBuilder once = SHOP.read((session, answer) -> history(session).read(answer));
        return exec(once)
                .exec(asLongAs(session -> history(session).waiting() && !outage.over())
                        .on(pause(Duration.ofMillis(ASK_AGAIN_MILLIS)), once));
    }

    private static ChainBuilder repeatedUntil(ChainBuilder request, Predicate<SessionHistory> condition) {
        return repeat(TRIES)
                .on(doIf(session -> !condition.test(history(session)))
                        .then(
                                request,
                                doIf(session -> !condition.test(history(session)))
                                        .then(pause(Duration.ofSeconds(1)))));
    }

    private static SessionHistory history(Session session) {
        SessionHistory history = session.get(HISTORY);
        if (history == null) {
            throw new IllegalStateException("the client has no history");
        }
        return history;
    }
}
