package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.session.Admission;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.SessionRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jgroups.protocols.LOCAL_PING;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that rehearse requests before they are ready. */
@Tag("cluster")
@Timeout(300)
class WarmUpTest {

    private final LogLines log = new LogLines("io.understudy");
    private final List<Understudy> nodes = new ArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger rehearsals = new AtomicInteger();

    @AfterEach
    void close() {
        gate.countDown();
        nodes.forEach(Understudy::close);
        log.close();
    }

    private static UnderstudyConfig config(String warmUp) {
        return LoopbackCluster.configs(1, Map.of(Setting.WARM_UP, warmUp)).get(0);
    }

    private Understudy start(UnderstudyConfig config, WarmUp.Work work) {
        Understudy node = Understudy.start(
                config,
                TimeSource.SHARED_PROCESS,
                NodeStart.among(config, StackCustomizer.NONE),
                (settings, goesOn) -> {
                    rehearsals.incrementAndGet();
                    return work.run(settings, goesOn);
                });
        nodes.add(node);
        return node;
    }

    private static ReplicatedSessions join(Understudy node) {
        ReplicatedSessions sessions = node.join("/shop", WarmUpTest.class::getClassLoader);
        sessions.bindRequests(SessionRequest::ticketOf);
        return sessions;
    }

    private static void awaitReady(Understudy node) {
        Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
    }

    /** Rehearses until it may not go on. */
    private int endless(UnderstudyConfig config, BooleanSupplier goesOn) throws InterruptedException {
        while (goesOn.getAsBoolean()) {
            Thread.sleep(1);
        }
        gate.countDown();
        return 0;
    }

    private int blocked(UnderstudyConfig config, BooleanSupplier goesOn) throws InterruptedException {
        gate.await();
        return 0;
    }

    private static boolean hidden(String name) {
        return name.contains("warm-up");
    }

    private static List<String> hiddenThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(WarmUpTest::hidden)
                .toList();
    }

    @Test
    void rehearsalLeavesNothingBehind() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of(Setting.WARM_UP, "1h"));
        for (UnderstudyConfig config : configs) {
            Understudy node = start(config, HiddenCluster::rehearse);
            join(node);
        }
        nodes.forEach(WarmUpTest::awaitReady);
        Await.until(
                Await.LIMIT, WarmUpTest::hiddenThreads, () -> hiddenThreads().isEmpty());
        for (Understudy node : nodes) {
            List<String> told = log.with("INFO " + node.config().nodeName() + " - warmed up: ");
            assertEquals(1, told.size());
            assertTrue(told.get(0).contains("warmed up: " + HiddenCluster.REQUESTS / 1000 + ","), told.get(0));
            for (Counter counter : Counter.values()) {
                // A thread of the other node that stood still counts as a pause of that member.
                if (!counter.name().startsWith("MEMBERS_")) {
                    assertEquals(0, node.metrics().value(counter), counter.key());
                }
            }
            assertEquals(0, node.gauges().get("sessions"));
            assertEquals(1, node.audits().size(), "the application's own");
            assertEquals(List.of(), node.findings());
        }
        assertEquals(0, LOCAL_PING.getDiscoveryCacheSize());
        assertTrue(ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
                .noneMatch(name -> hidden(name.toString())));
        assertEquals(List.of(), log.with("WARNING", "warm-up"));
        assertEquals(List.of(), log.with("SEVERE", "warm-up"));
    }

    @Test
    void closingEndsTheRehearsal() {
        Understudy node = start(config("1h"), HiddenCluster::rehearse);
        join(node);
        Await.until(
                Await.LIMIT, WarmUpTest::hiddenThreads, () -> hiddenThreads().size() > 1);
        node.close();
        Await.until(
                Await.LIMIT, WarmUpTest::hiddenThreads, () -> hiddenThreads().isEmpty());
        assertEquals(0, LOCAL_PING.getDiscoveryCacheSize());
        assertEquals(List.of(), log.with("the warm-up failed"));
    }

    /** To connect and to join is mostly to wait. */
    @Test
    void rehearsalBeginsBeforeTheNodeConnects() {
        UnderstudyConfig config = config("1h");
        CountDownLatch begun = new CountDownLatch(1);
        StackCustomizer afterThat = stack -> {
            Await.until(Await.LIMIT, begun::getCount, () -> begun.getCount() == 0);
            return stack;
        };
        nodes.add(Understudy.start(
                config, TimeSource.SHARED_PROCESS, NodeStart.among(config, afterThat), (settings, goesOn) -> {
                    begun.countDown();
                    return endless(settings, goesOn);
                }));
        nodes.forEach(WarmUpTest::join);
    }

    @Test
    void nodeThatCannotConnectEndsTheRehearsal() throws IOException {
        UnderstudyConfig config = config("1h");
        try (ServerSocket taken = new ServerSocket(config.bindPort(), 1, InetAddress.getLoopbackAddress())) {
            assertTrue(taken.isBound());
            assertThrows(ConfigException.class, () -> start(config, this::endless));
        }
        assertEquals(0, gate.getCount());
        assertEquals(List.of(), hiddenThreads());
    }

    @Test
    void nodeServesBeforeItIsReady() {
        Understudy node = start(config("1h"), this::blocked);
        ReplicatedSessions sessions = join(node);
        Await.until(Await.LIMIT, sessions::ready, sessions::ready);
        Await.until(
                Await.LIMIT, node::readiness, () -> node.readiness().reason().endsWith(" warms up"));
        assertFalse(node.readiness().ready());
        assertEquals(0, node.gauges().get("ready"));
        assertEquals(Admission.PROCEED, sessions.admit("a"));
        gate.countDown();
        awaitReady(node);
    }

    @Test
    void requestEndsTheRehearsal() throws InterruptedException {
        Understudy node = start(config("1h"), this::endless);
        ReplicatedSessions sessions = join(node);
        SessionRequest.put(sessions.create("a", 1800), "x", 1);
        gate.await();
        awaitReady(node);
    }

    @Test
    void nodeIsReadyAfterTheLimit() {
        Understudy node = start(config("100ms"), this::blocked);
        join(node);
        awaitReady(node);
        assertEquals(1, gate.getCount(), "the rehearsal still runs");
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class, NoClassDefFoundError.class})
    void failureIsToldOnceAndSkipped(Class<? extends Throwable> kind) {
        Understudy node = start(config("1h"), (config, goesOn) -> {
            Throwable failure = kind.getConstructor().newInstance();
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        });
        join(node);
        awaitReady(node);
        join(node);
        assertEquals(
                1, log.with("WARNING", "the warm-up failed: the node is ready").size());
        assertEquals(0, node.metrics().value(Counter.FAILURES_SURVIVED));
    }

    @Test
    void onlyTheFirstApplicationBeginsIt() throws InterruptedException {
        Understudy node = start(config("1h"), this::endless);
        ReplicatedSessions sessions = join(node);
        ReplicatedSessions other = node.join("/other", getClass()::getClassLoader);
        SessionRequest.put(sessions.create("a", 1800), "x", 1);
        awaitReady(node);
        other.close();
        ReplicatedSessions unused = node.join("/other", getClass()::getClassLoader);
        awaitReady(node);
        gate.await();
        assertEquals(1, rehearsals.get());
    }

    @Test
    void offBeginsNone() {
        Understudy node = start(config("off"), this::blocked);
        join(node);
        awaitReady(node);
        node.close();
        assertEquals(0, rehearsals.get());
        assertEquals(List.of(), hiddenThreads());
    }
}
