package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.faults.Cluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A map in a session that threads of the application change while requests commit it. */
@Tag("cluster")
class ChangingAttributesTest {

    private static final int REQUESTS = 100;
    private static final int THREADS = 2;

    static Stream<Map<Object, Object>> maps() {
        return Stream.of(
                new ConcurrentHashMap<>(),
                new HashMap<>(),
                new LinkedHashMap<>(),
                Collections.synchronizedMap(new LinkedHashMap<>()));
    }

    @ParameterizedTest
    @MethodSource("maps")
    void readsOnTheOtherNodeAtAllTimesAndIsEqualInTheEnd(Map<Object, Object> empty) {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.COHERENCE, "coherent"))) {
            for (int i = 0; i < 20; i++) {
                empty.put("stays " + i, i);
            }
            LiveSession session = cluster.sessions(0).create("a", 1800);
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "map", empty));
            AtomicBoolean stop = new AtomicBoolean();
            List<CompletableFuture<Void>> writers = changing(map(session), stop);
            List<CompletableFuture<Void>> requests = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String name = "request " + i;
                requests.add(Beside.run(() -> requests(cluster, name)));
            }
            CompletableFuture<Void> reader = Beside.run(() -> read(cluster, stop));
            try {
                requests.forEach(CompletableFuture::join);
            } finally {
                stop.set(true);
                writers.forEach(CompletableFuture::join);
            }
            reader.join();
            assertEquals(Outcome.ACKNOWLEDGED, use(session, () -> map(session).put("last", "one")));
            assertEquals(sorted(map(session)), sorted(map(find(cluster.sessions(1), "a"))), () -> kept(cluster));
            for (int node = 0; node < 2; node++) {
                assertEquals(0, count(cluster, node, Counter.ATTRIBUTES_NOT_DECODED), "on node " + node);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<Object, Object> map(LiveSession session) {
        return (Map<Object, Object>) Objects.requireNonNull(session.attributes().get("map"));
    }

    private static Map<Object, Object> sorted(Map<Object, Object> map) {
        return new TreeMap<>(map);
    }

    /** Threads that are no requests. */
    private static List<CompletableFuture<Void>> changing(Map<Object, Object> map, AtomicBoolean stop) {
        AtomicInteger begun = new AtomicInteger();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String name = "thread " + i + " ";
            writers.add(Beside.run(() -> {
                for (int n = 0; !stop.get(); n++) {
                    synchronized (map) { // Threads of applications agree; nobody tells the encoder.
                        map.put(name + n % 20, n);
                        map.remove(name + (n + 10) % 20);
                    }
                    begun.accumulateAndGet(n == 0 ? 1 : 0, Integer::sum);
                }
            }));
        }
        Await.that("the writers began", () -> begun.get() == THREADS);
        return writers;
    }

    private static void requests(Cluster cluster, String name) {
        LiveSession session = find(cluster.sessions(0), "a");
        for (int n = 0; n < REQUESTS; n++) {
            Integer number = n;
            Outcome outcome = use(session, () -> {
                Map<Object, Object> map = map(session);
                synchronized (map) {
                    map.put(name, number);
                }
            });
            assertTrue(sent(cluster, outcome), outcome::name);
        }
    }

    /** Or another request did, or it kept changing. */
    private static boolean sent(Cluster cluster, Outcome outcome) {
        return outcome == Outcome.ACKNOWLEDGED
                || outcome == Outcome.UNCHANGED
                || (outcome == Outcome.DEGRADED && count(cluster, 0, Counter.ATTRIBUTES_KEPT_CHANGING) > 0);
    }

    /** Requests on the other node. */
    private static void read(Cluster cluster, AtomicBoolean stop) {
        while (!stop.get()) {
            LiveSession session = find(cluster.sessions(1), "a");
            use(session, () -> {
                Map<?, ?> map = map(session);
                for (int i = 0; i < 20; i++) {
                    assertNotNull(map.get("stays " + i), "stays " + i);
                }
            });
        }
    }

    private static long count(Cluster cluster, int node, Counter counter) {
        return cluster.node(node).metrics().value(counter);
    }

    private static String kept(Cluster cluster) {
        return "the last good bytes were kept " + count(cluster, 0, Counter.ATTRIBUTES_KEPT_CHANGING) + " times, "
                + count(cluster, 0, Counter.ATTRIBUTES_CHANGED_IN_PLACE) + " changes were found";
    }
}
