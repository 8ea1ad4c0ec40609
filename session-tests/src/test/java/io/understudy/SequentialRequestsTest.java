package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Beside;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that send one request after the other, each to any node: every request finds the session as the one before left
 * it. Other requests of the same sessions commit at any moment beside them, but hold and change nothing.
 */
@Tag("cluster")
class SequentialRequestsTest {

    private static final int NODES = 2;
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 1000;
    private static final int NAMES = 12;

    /** Few, so that what a request sets is often what the attribute had before. */
    private static final int VALUES = 4;

    /** Among the names, with the idle time of the session, in seconds. */
    private static final String IDLE = "idle";

    private final Cluster cluster = Cluster.of(NODES, Map.of());
    private final AtomicReferenceArray<String> ids = new AtomicReferenceArray<>(CLIENTS);
    private final AtomicInteger left = new AtomicInteger(CLIENTS);

    @Test
    void eachRequestFindsWhatTheOneBeforeLeft() {
        try (cluster) {
            for (int node = 0; node < NODES; node++) {
                cluster.sessions(node).bindRequests(SessionRequest::ticketOf);
            }
            for (int client = 0; client < CLIENTS; client++) {
                ids.set(client, "s" + client);
                SessionRequest.put(cluster.sessions(0).create("s" + client, 1800), "n0", new int[] {0});
            }
            Beside.all(IntStream.range(0, CLIENTS)
                    .boxed()
                    .flatMap(client -> Stream.<Runnable>of(() -> use(client), () -> commitBeside(client)))
                    .toArray(Runnable[]::new));
        }
    }

    private void commitBeside(int client) {
        SplittableRandom random = new SplittableRandom(-client);
        while (left.get() > 0) {
            LiveSession session = cluster.sessions(random.nextInt(NODES)).find(ids.get(client));
            String name = "n" + random.nextInt(NAMES);
            if (session != null) { // Otherwise its id changes just now.
                SessionRequest.use(session, () -> {
                    boolean unused = session.attributes().containsKey(name);
                });
            }
        }
    }

    private void use(int client) {
        SplittableRandom random = new SplittableRandom(client);
        Map<String, Integer> expected = new TreeMap<>(Map.of("n0", 0, IDLE, 1800));
        Deque<String> last = new ArrayDeque<>();
        try {
            for (int request = 0; request < REQUESTS; request++) {
                int node = random.nextInt(NODES);
                LiveSession session = SessionRequest.find(cluster.sessions(node), ids.get(client));
                StringBuilder changes = new StringBuilder("node " + node + ":");
                Outcome outcome = SessionRequest.use(session, () -> {
                    assertEquals(expected, seen(session), () -> "client " + client + " after " + last);
                    for (int change = random.nextInt(5); change > 0; change--) {
                        changes.append(' ').append(change(session, expected, random));
                    }
                });
                assertNotEquals(Outcome.DEGRADED, outcome);
                if (random.nextInt(8) == 0) {
                    rename(session, client, request);
                    changes.append(" renamed");
                }
                last.add(changes.toString());
                if (last.size() > 4) {
                    last.remove();
                }
            }
        } finally {
            left.decrementAndGet();
        }
    }

    private void rename(LiveSession session, int client, int request) {
        String id = "s" + client + "-" + request;
        SessionRequest.use(
                session,
                () -> assertEquals(Outcome.ACKNOWLEDGED, session.rename(id).await()));
        ids.set(client, id);
    }

    private static Map<String, Integer> seen(LiveSession session) {
        Map<String, Integer> seen = new TreeMap<>(Map.of(IDLE, session.maxInactiveSeconds()));
        session.attributes().forEach((name, value) -> seen.put(name, ((int[]) value)[0]));
        return seen;
    }

    private static String change(LiveSession session, Map<String, Integer> expected, SplittableRandom random) {
        String name = "n" + random.nextInt(NAMES);
        int value = random.nextInt(VALUES);
        switch (random.nextInt(expected.containsKey(name) ? 4 : 2)) {
            case 0 -> {
                name = IDLE;
                value += 1800;
                session.maxInactiveSeconds(value);
            }
            case 1 -> session.attributes().put(name, new int[] {value});
            case 2 -> ((int[]) session.attributes().get(name))[0] = value;
            default -> {
                session.attributes().remove(name);
                expected.remove(name);
                return name + " removed";
            }
        }
        expected.put(name, value);
        return name + " = " + value;
    }
}
