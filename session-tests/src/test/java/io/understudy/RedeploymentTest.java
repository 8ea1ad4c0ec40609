package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.MovedTime;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications that are undeployed, and deployed again: their sessions stay on the node. */
@Tag("cluster")
@Timeout(300)
class RedeploymentTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final MovedTime time = new MovedTime();
    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> sessions = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(Understudy::close);
        Understudy.closeReleased();
    }

    private void start(int count, Map<Setting, String> settings) {
        for (UnderstudyConfig config : LoopbackCluster.configs(count, settings)) {
            Understudy node = NodeStart.start(config, time, StackCustomizer.NONE);
            nodes.add(node);
            sessions.add(node.join("/shop", getClass()::getClassLoader));
            awaitReady(node);
        }
    }

    private static void awaitReady(Understudy node) {
        Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
    }

    private void undeploy(int node) {
        sessions.get(node).close();
    }

    private void deploy(int node) {
        sessions.set(node, nodes.get(node).join("/shop", getClass()::getClassLoader));
        awaitReady(nodes.get(node));
    }

    private LiveSession on(int node, String id) {
        return find(sessions.get(node), id);
    }

    @Test
    void redeploymentOnAllNodesAtOnceLosesNothing() {
        start(2, Map.of());
        for (int i = 0; i < 100; i++) {
            assertEquals(Outcome.ACKNOWLEDGED, put(sessions.get(i % 2).create("s" + i, 1800), "n", i));
        }
        undeploy(0);
        undeploy(1);
        assertFalse(nodes.get(0).readiness().ready(), "nothing is served there");
        assertTrue(
                nodes.get(0).readiness().reason().contains("/shop"),
                nodes.get(0).readiness().reason());
        deploy(0);
        deploy(1);
        for (int i = 0; i < 100; i++) {
            assertEquals(i, on(0, "s" + i).attributes().get("n"));
            assertEquals(i, on(1, "s" + i).attributes().get("n"));
        }
        assertEquals(0, nodes.get(0).metrics().value(Counter.SESSIONS_PULLED), "the replicas never left");
    }

    @Test
    void whileUndeployedANodeHoldsMergesAndAcknowledges() {
        start(2, Map.of());
        put(sessions.get(0).create("a", 1800), "x", 1);
        undeploy(1);
        assertEquals(Outcome.ACKNOWLEDGED, put(on(0, "a"), "x", 2));
        assertEquals(Outcome.ACKNOWLEDGED, put(sessions.get(0).create("b", 1800), "x", 3));
        nodes.remove(0).close();
        sessions.remove(0);
        deploy(0);
        assertEquals(2, on(0, "a").attributes().get("x"));
        assertEquals(3, on(0, "b").attributes().get("x"));
    }

    @Test
    void afterThatTimeTheNodeLeaves() {
        start(2, Map.of(Setting.RETAIN_UNDEPLOYED, "10m"));
        put(sessions.get(0).create("a", 1800), "x", 1);
        undeploy(1);
        time.advance(Duration.ofMinutes(9));
        assertEquals(Outcome.ACKNOWLEDGED, put(on(0, "a"), "x", 2));
        time.advance(Duration.ofMinutes(2));
        Await.until(LIMIT, nodes.get(1)::gauges, () -> nodes.get(1).gauges().getOrDefault("sessions", -1L) == 0);
        AtomicInteger last = new AtomicInteger(2); // What is written as node 1 says goodbye, it still takes.
        Await.until(
                LIMIT,
                () -> "still acknowledged",
                () -> put(on(0, "a"), "x", last.incrementAndGet()) == Outcome.DEGRADED);
        deploy(1);
        assertEquals(last.get(), on(1, "a").attributes().get("x"), "it joins anew");
    }

    @Test
    void anotherMemberExpiresTheSessionsOfANodeWhereTheApplicationIsUndeployed() {
        start(2, Map.of());
        put(sessions.get(1).create("a", 60), "x", 1);
        undeploy(1);
        time.advance(Duration.ofMinutes(5));
        Await.until(
                LIMIT,
                () -> "nobody's session",
                () -> !sessions.get(0).expirable().isEmpty());
        assertEquals("a", sessions.get(0).expirable().get(0).id());
    }

    @Test
    void sessionsThatBecameIdleWhileUndeployedEverywhereAreExpiredAfterwards() {
        start(2, Map.of());
        put(sessions.get(1).create("a", 60), "x", 1);
        undeploy(0);
        undeploy(1);
        time.advance(Duration.ofMinutes(5));
        deploy(0);
        deploy(1);
        Await.until(
                LIMIT,
                () -> "not due on the node that used it last",
                () -> !sessions.get(1).expirable().isEmpty());
        LiveSession due = sessions.get(1).expirable().get(0);
        assertEquals(1, due.attributes().get("x"), "a listener reads it");
    }

    @Test
    void nothingOfTheApplicationIsHeldMeanwhile() throws Exception {
        start(2, Map.of());
        WeakReference<ClassLoader> loader = useAndUndeploy();
        Await.until(LIMIT, () -> "its class loader is held; by " + threadsOf(loader.get()), () -> {
            System.gc();
            return loader.get() == null;
        });
        assertEquals("tea", on(0, "a").attributes().get("item"));
        sessions.set(1, nodes.get(1).join("/shop", getClass()::getClassLoader));
        assertEquals("tea", on(1, "a").attributes().get("item"));
    }

    private static List<String> threadsOf(ClassLoader loader) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getContextClassLoader() == loader)
                .map(Thread::getName)
                .toList();
    }

    /** Everything that knows the loader ends with this frame. */
    private WeakReference<ClassLoader> useAndUndeploy() throws Exception {
        sessions.get(1).close();
        URLClassLoader application = new URLClassLoader(new URL[0], getClass().getClassLoader());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread container = new Thread(() -> {
            ReplicatedSessions deployed = nodes.get(1).join("/shop", () -> application);
            put(deployed.create("a", 1800), "item", "tea");
            deployed.close();
        });
        container.setContextClassLoader(application);
        container.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        container.start();
        container.join();
        assertNull(failure.get());
        application.close();
        return new WeakReference<>(application);
    }

    @Test
    void aSharedNodeOutlivesItsOnlyApplicationUntilItIsBack() {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        Understudy before = Understudy.shared(config);
        ReplicatedSessions old = before.join("/shop", getClass()::getClassLoader);
        awaitReady(before);
        put(old.create("a", 1800), "x", 1);
        old.close();
        before.release();
        Understudy after = Understudy.shared(config);
        assertSame(before, after);
        ReplicatedSessions renewed = after.join("/shop", getClass()::getClassLoader);
        assertNotNull(renewed.find("a"));
        renewed.close();
        after.close();
        Understudy anew = Understudy.shared(config);
        assertNotSame(before, anew, "closed is closed: the server stopped");
        anew.close();
    }

    @Test
    void aReleasedNodeEndsWithTheTimeOfItsApplications() {
        UnderstudyConfig config = LoopbackCluster.configs(1, Map.of(Setting.RETAIN_UNDEPLOYED, "1s"))
                .get(0);
        Understudy node = Understudy.shared(config);
        node.join("/shop", getClass()::getClassLoader).close();
        node.release();
        Await.until(LIMIT, node::view, () -> !node.connected());
    }

    @Test
    void aReleasedNodeGivesWayToOneWithOtherSettings() {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        Understudy before = Understudy.shared(config);
        before.join("/shop", getClass()::getClassLoader).close();
        before.release();
        UnderstudyConfig other = UnderstudyConfig.builder()
                .clusterName(config.clusterName())
                .bind("127.0.0.1", config.bindPort())
                .set(Setting.START_ALONE, "serve")
                .build();
        try (Understudy after = Understudy.shared(other)) {
            assertNotSame(before, after);
            assertFalse(before.connected());
        }
    }
}
