package io.understudy;

import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.Compiled;
import io.understudy.config.Setting;
import io.understudy.metrics.MetricsText;
import io.understudy.replica.TimeSource;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two nodes at the default settings of rehearsals, by the clock of this machine. Replication is broken in thirteen
 * ways, and the nodes name each. The test prints how long that took, and the processor time of rehearsals.
 */
@Tag("process")
@Timeout(1200)
class RehearsalInRealTimeTest {

    private static final String GATE = "io.understudy.RehearsalInRealTimeTest.gate";
    private static final String READ =
            "private void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException"
                    + " { in.defaultReadObject(); %s }";
    private static final String WRITE = "private void writeObject(java.io.ObjectOutputStream out) throws"
            + " java.io.IOException { out.defaultWriteObject(); %s }";
    private static final String PLAIN = READ.formatted("") + WRITE.formatted("");

    private final CountDownLatch gate = new CountDownLatch(1);
    private final LogLines log = new LogLines("io.understudy");
    private final Map<String, Long> brokenAt = new LinkedHashMap<>();
    private final List<LiveSession> held = new ArrayList<>();
    private final ProcessorTime rehearsals = new ProcessorTime("-rehearsal");
    private Cluster cluster;

    /** Of all threads with such a name. A thread is seen until shortly before its end: the sum is a little too low. */
    private static final class ProcessorTime implements AutoCloseable {

        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private final String suffix;
        private final Map<Long, Long> nanos = new ConcurrentHashMap<>();
        private final long beganNanos = System.nanoTime();
        private final Thread sampler = new Thread(this::sample, "processor time");

        ProcessorTime(String suffix) {
            this.suffix = suffix;
            sampler.setDaemon(true);
            sampler.start();
        }

        private void sample() {
            try {
                while (true) {
                    for (Thread thread : Thread.getAllStackTraces().keySet()) {
                        long used = thread.getName().endsWith(suffix) ? THREADS.getThreadCpuTime(thread.getId()) : 0;
                        if (used > 0) {
                            nanos.put(thread.getId(), used);
                        }
                    }
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // It is closed.
            }
        }

        @Override
        public String toString() {
            long used = nanos.values().stream().mapToLong(Long::longValue).sum();
            long passed = System.nanoTime() - beganNanos;
            return String.format(
                    Locale.ROOT,
                    "rehearsals of two nodes: %d ms of a processor in %d s, in %d rounds: %.3f %% for each node",
                    TimeUnit.NANOSECONDS.toMillis(used),
                    TimeUnit.NANOSECONDS.toSeconds(passed),
                    nanos.size(),
                    100.0 * used / passed / 2);
        }

        @Override
        public void close() {
            sampler.interrupt();
        }
    }

    private static Map<String, String> sources(Map<String, String> members) {
        Map<String, String> sources = new HashMap<>();
        members.forEach((name, text) -> sources.put(
                "shop." + name,
                "package shop; public class " + name + " implements java.io.Serializable {"
                        + " private static final long serialVersionUID = 1; public int items = 5; " + text + " }"));
        return sources;
    }

    /** What the first node has. */
    private static Compiled written() {
        return Compiled.loader(sources(Map.of(
                "Missing", "",
                "Refused", "",
                "Changed", "public int number = 7;",
                "Lost", "public Object note = java.util.Locale.FRENCH;",
                "Failing", PLAIN,
                "Closed", PLAIN,
                "Stuck", PLAIN)));
    }

    /** What the second node has. */
    private static Compiled read() {
        return Compiled.loader(sources(Map.of(
                "Refused",
                "",
                "Changed",
                "public String number;",
                "Lost",
                "",
                "Failing",
                READ.formatted("if (items == 5) throw new Error(\"no such file\");"),
                "Closed",
                READ.formatted("") + WRITE.formatted("if (items == 5) throw new IllegalStateException(\"closed\");"),
                "Stuck",
                READ.formatted("try { ((java.util.concurrent.CountDownLatch) System.getProperties().get(\"" + GATE
                        + "\")).await(); } catch (InterruptedException e) { throw new RuntimeException(e); }"))));
    }

    private void start(Compiled first, Compiled second) {
        cluster = Cluster.of(
                2,
                Map.of(Setting.ACK_TIMEOUT, Setting.ACK_TIMEOUT.defaultValue(), Setting.WARM_UP, "3s"),
                TimeSource.SYSTEM,
                1);
        cluster.redeploy(0, first);
        cluster.sessions(1).close();
        Understudy node = cluster.node(1);
        node.join("/shop", () -> second, node.config().application().with("attributeFilter", "!shop.Refused"));
        Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
    }

    @AfterEach
    void close() {
        gate.countDown();
        System.getProperties().remove(GATE);
        cluster.close();
        rehearsals.close();
        log.close();
    }

    private void put(String figure, Object value) {
        put(figure, "cart", value);
    }

    /** A new session, for which this figure is 1 then. */
    private void put(String figure, String attribute, Object value) {
        LiveSession session = cluster.sessions(0).create("for " + figure, -1);
        held.add(session);
        brokenAt.put(figure, System.nanoTime());
        use(session, () -> session.attributes().put(attribute, value));
    }

    private static Object instance(ClassLoader loader, String name) throws ReflectiveOperationException {
        return loader.loadClass("shop." + name).getConstructor().newInstance();
    }

    private static long figure(Understudy node, String figure) {
        return node.gauges().getOrDefault("sessions_failing_" + figure, 0L);
    }

    private static boolean shows(Understudy node, String figure, long value) {
        return MetricsText.of(node.metrics(), node.gauges())
                .contains("\nunderstudy_sessions_failing_" + figure + " " + value + "\n");
    }

    /** Waits until the node shows one session for each figure; prints when it showed the first. */
    private void await(int number, List<String> figures) {
        Understudy node = cluster.node(number);
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Await.until(Await.LIMIT, () -> seen + " of " + figures + "; " + node.takeOverFailures(), () -> {
            for (String figure : figures) {
                if (figure(node, figure) > 0 && seen.add(figure)) {
                    print(figure);
                }
            }
            return figures.stream().allMatch(figure -> shows(node, figure, 1)); // While not all are known: an estimate.
        });
    }

    private void print(String figure) {
        long passed = System.nanoTime() - brokenAt.getOrDefault(figure, System.nanoTime());
        System.out.println(figure + " is named after " + TimeUnit.NANOSECONDS.toMillis(passed) + " ms");
    }

    @Test
    void thirteenBreaksAreNamedAtDefaultSettings() throws Exception {
        System.getProperties().put(GATE, gate);
        Compiled first = written();
        start(first, read());
        assertEquals("0.5%", Setting.TAKE_OVER_REHEARSAL.defaultValue());
        put("here_class_missing", instance(first, "Missing"));
        put("here_class_refused", instance(first, "Refused"));
        put("here_class_changed", instance(first, "Changed"));
        put("here_fields_lost", instance(first, "Lost"));
        put("here_failed", instance(first, "Failing"));
        put("here_not_encoded", instance(first, "Closed"));
        put("elsewhere_class", new Plain());
        put("elsewhere_too_large", new byte[2 << 20]);
        put("elsewhere_name", "a\uD83D", "tea");
        put("elsewhere_encoding", new Unwritable());
        LiveSession full = cluster.sessions(0).create("full", -1);
        held.add(full);
        brokenAt.put("elsewhere_session_full", System.nanoTime());
        use(full, () -> {
            for (int i = 0; i < 17; i++) {
                full.attributes().put("cart" + i, new byte[1_000_000]);
            }
        });
        await(
                0,
                List.of(
                        "elsewhere_class",
                        "elsewhere_too_large",
                        "elsewhere_name",
                        "elsewhere_encoding",
                        "elsewhere_session_full"));
        assertEquals(
                5,
                log.with("WARNING", "stays on this node").size(),
                () -> log.with("stays").toString());
        assertSurvive(0, "elsewhere: 1 class, 1 encoding, 1 name, 1 session_full, 1 too_large");
        await(
                1,
                List.of(
                        "here_class_missing",
                        "here_class_refused",
                        "here_class_changed",
                        "here_fields_lost",
                        "here_failed",
                        "here_not_encoded"));
        assertEquals(6, cluster.node(1).takeOverFailures().size());
        assertSurvive(
                1, "here: 1 failed, 1 class_missing, 1 class_refused, 1 class_changed, 1 not_encoded, 1 fields_lost");

        put("here_stuck", instance(first, "Stuck"));
        await(1, List.of("here_stuck"));
        assertSurvive(1, "here: 1 stuck");
        System.out.println(rehearsals);

        long sessions = cluster.sessions(0).ids().size();
        long cutAt = System.nanoTime();
        try (Fault blocked = cluster.cut(List.of(Set.of(0), Set.of(1)))) {
            Understudy node = cluster.node(0);
            Await.until(Await.LIMIT, node::gauges, () -> shows(node, "elsewhere_alone", sessions));
            System.out.println("elsewhere_alone is named after "
                    + Duration.ofNanos(System.nanoTime() - cutAt).toMillis() + " ms");
            assertSurvive(0, sessions + " alone");
            assertTrue(node.readiness().reason().contains("; no other member;"));
            Await.that(
                    "a line",
                    () -> !log.with("WARNING", "/shop@node1 - no other member is ready")
                            .isEmpty());
            System.out.println("a line about it after "
                    + Duration.ofNanos(System.nanoTime() - cutAt).toMillis() + " ms");
            assert blocked != null;
        }
    }

    private void assertSurvive(int number, String what) {
        Readiness readiness = cluster.node(number).readiness();
        assertTrue(readiness.ready());
        assertTrue(
                readiness.reason().contains("sessions that would not survive ")
                        && readiness.reason().contains(what),
                readiness.reason());
    }

    private static final class Plain {}

    private static final class Unwritable implements java.io.Serializable {

        private static final long serialVersionUID = 1;

        private void writeObject(java.io.ObjectOutputStream out) {
            throw new IllegalStateException("closed");
        }
    }
}
