package io.understudy.demo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The demo itself, three JVMs and a launcher, driven by HTTP. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 900, unit = TimeUnit.SECONDS)
final class DemoIT {

    private static final int KILLS = Integer.getInteger("understudy.kills", 8);
    private static final List<String> NODES = List.of("jetty-1", "jetty-2", "tomcat-1");

    private RunningDemo demo;

    @BeforeAll
    void start() throws Exception {
        demo = new RunningDemo();
    }

    @AfterAll
    void stop() throws Exception {
        demo.stop();
    }

    @Test
    void everySessionGoesOnEachTimeTheNodeThatAnsweredIsKilled() throws Exception {
        List<Shopper> shoppers = shoppers("Ada", "Blaise", "Carl", "Dorothy", "Edsger", "Frances");
        Set<String> moves = new HashSet<>();

        for (int kill = 0; kill < KILLS; kill++) {
            String victim = shoppers.get(kill % shoppers.size()).last().node();
            demo.act(victim, "kill");
            for (int i = 0; i < shoppers.size(); i++) {
                Shopper shopper = shoppers.get(i);
                boolean onTomcat = shopper.last().onTomcat();
                // Whatever comes first after the kill must find the session: a read, a new value, a change in place.
                switch ((kill + i) % 3) {
                    case 0 -> shopper.look();
                    case 1 -> shopper.count();
                    default -> shopper.add("programme", 1);
                }
                assertNotEquals(victim, shopper.last().node(), "a dead node answers nobody");
                if (onTomcat != shopper.last().onTomcat()) {
                    moves.add(onTomcat ? "Tomcat -> Jetty" : "Jetty -> Tomcat");
                }
                shopper.count();
                shopper.add("stage-door-rose", 1 + kill % 2);
            }
            bringBack(victim, "start", shoppers);
        }
        assertEquals(Set.of("Tomcat -> Jetty", "Jetty -> Tomcat"), moves);
    }

    /**
     * Until the node is ready it gets no traffic, and asked directly it knows each session or says that it can't tell. From
     * then on it knows all.
     *
     * @param action by which it comes back
     */
    private void bringBack(String name, String action, List<Shopper> shoppers) throws Exception {
        int readyBefore = demo.node(name).becameReady();
        demo.act(name, action);
        long deadline = System.nanoTime() + RunningDemo.PATIENCE.toNanos();
        RunningDemo.Node node = demo.node(name);
        for (int next = 0; !node.state().equals("ready"); node = demo.node(name), next++) {
            if (node.state().equals("dead") || System.nanoTime() > deadline) {
                demo.failWithThreads(node);
            }
            Shopper shopper = shoppers.get(next % shoppers.size());
            try {
                HttpResponse<String> direct = shopper.lookAt(node.url());
                if (direct.statusCode() != 503) {
                    shopper.check(direct);
                }
            } catch (ConnectException e) {
                // Its port is not open yet.
            }
            shopper.look();
            if (shopper.last().node().equals(name)) {
                // On a machine that stands still it may seem not ready again by now.
                RunningDemo.Node after = demo.node(name);
                assertTrue(after.becameReady() > readyBefore, () -> "the front door sent a request to " + after);
            }
        }
        for (Shopper shopper : shoppers) {
            shopper.check(shopper.lookAt(node.url()));
        }
    }

    @Test
    void anOrderlyStopFailsNoRequest() throws Exception {
        Shopper shopper = new Shopper(demo.address(), "Grace", demo.node("tomcat-1"));
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread stop = new Thread(() -> {
            try {
                demo.act("tomcat-1", "stop");
            } catch (Throwable e) {
                failure.set(e);
            } finally {
                stopped.set(true);
            }
        });

        stop.start();
        while (!stopped.get()) {
            shopper.count();
        }
        stop.join();
        shopper.count();

        assertEquals(null, failure.get());
        assertEquals("stopped", demo.state("tomcat-1"));
        bringBack("tomcat-1", "start", List.of(shopper));
    }

    @Test
    void aPausedNodeIsGoneRoundAndComesBackWithEverything() throws Exception {
        Shopper shopper = new Shopper(demo.address(), "Hedy", demo.node("jetty-1"));
        shopper.add("opera-glasses", 1);

        demo.act("jetty-1", "pause");
        shopper.look();
        assertNotEquals("jetty-1", shopper.last().node());
        // Takes until the others have noticed that it is silent, and go on without its acknowledgement.
        shopper.count();
        Shopper meanwhile = new Shopper(demo.address(), "Irene", demo.node("jetty-2"));

        bringBack("jetty-1", "resume", List.of(shopper, meanwhile));
    }

    @Test
    void nothingIsDoneWithoutTheToken() throws Exception {
        long pid = demo.node("jetty-2").pid();

        assertEquals(403, demo.send(demo.action("jetty-2", "kill")).statusCode());
        assertEquals(
                403,
                demo.send(demo.action("jetty-2", "kill").header("X-Understudy-Token", "guessed"))
                        .statusCode());
        assertEquals(
                403,
                demo.send(demo.action("jetty-2", "kill")
                                .header("X-Understudy-Token", demo.token())
                                .header("Origin", "http://evil.example"))
                        .statusCode());
        assertEquals(
                404,
                demo.send(demo.action("jetty-9", "kill").header("X-Understudy-Token", demo.token()))
                        .statusCode());
        assertEquals(
                409,
                demo.send(demo.action("jetty-2", "start").header("X-Understudy-Token", demo.token()))
                        .statusCode());

        assertEquals(pid, demo.node("jetty-2").pid());
        demo.awaitReady("jetty-2");
    }

    @Test
    void aLauncherThatIsKilledTakesItsNodesAlong() throws Exception {
        RunningDemo other = new RunningDemo();
        try {
            List<RunningDemo.Node> nodes = other.nodes();
            assertTrue(
                    nodes.size() == NODES.size() && nodes.stream().allMatch(node -> node.pid() > 0), nodes::toString);

            other.process().destroyForcibly().waitFor();

            other.awaitGone(nodes);
        } finally {
            other.stop();
        }
    }

    private List<Shopper> shoppers(String... users) throws Exception {
        List<Shopper> shoppers = new ArrayList<>();
        for (String user : users) {
            Shopper shopper = new Shopper(demo.address(), user, demo.node(NODES.get(shoppers.size() % NODES.size())));
            shopper.add("programme", 2);
            shopper.count();
            shoppers.add(shopper);
        }
        return shoppers;
    }
}
