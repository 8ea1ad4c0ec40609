package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.understudy.NodeFigures;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionReplica;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Update;
import io.understudy.wire.WireCodec;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attributes with names that are made up, one for each conversation, which are set and removed again. */
@Tag("cluster")
class RemovedAttributesTest {

    private static final int AT_ONCE = 20;
    private static final int REQUESTS = 200;
    private static final int NAMES = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Cluster cluster = Cluster.of(2, Map.of(Setting.MAX_SESSION_BYTES, "100000"));

    @AfterEach
    void close() {
        cluster.close();
    }

    private static String name(int request, int at) {
        return "conversation-" + request + "-" + at;
    }

    private static Outcome converse(LiveSession session, int request) {
        return SessionRequest.use(session, () -> {
            for (int at = 0; at < AT_ONCE; at++) {
                session.attributes().put(name(request, at), "state");
                session.attributes().remove(name(request - 1, at));
            }
        });
    }

    private SessionReplica replica(int node) {
        return Objects.requireNonNull(
                SessionRequest.find(cluster.sessions(node), "a").replica());
    }

    @Test
    void whatIsRememberedOfThemIsBounded() {
        LiveSession here = cluster.sessions(0).create("a", 1800);
        SessionRequest.put(here, "user", "ann");
        for (int request = 1; request <= REQUESTS; request++) {
            LiveSession session = SessionRequest.find(cluster.sessions(request % 2), "a");
            assertEquals(Outcome.ACKNOWLEDGED, converse(session, request));
        }
        for (int node = 0; node < 2; node++) {
            SessionReplica replica = replica(node);
            int remembered = replica.asDelta().attributes().size();
            assertTrue(remembered < 1000, remembered + " names are remembered");
            assertTrue(replica.attributeBytes() < 100_000, replica.attributeBytes() + " bytes");
            LiveSession session = SessionRequest.find(cluster.sessions(node), "a");
            assertEquals("ann", session.attributes().get("user"), "what was set before all of them");
            assertEquals(1 + AT_ONCE, session.attributes().size());
            assertNotNull(session.attributes().get(name(REQUESTS, 0)));
        }
        assertEquals(replica(0), replica(1));
        assertEquals(replica(0).digest(), replica(1).digest());
        assertEquals(0, cluster.node(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED));
    }

    /** A request that looked at all names that there ever were would make more garbage from quarter to quarter. */
    @Test
    void twentyThousandNamesCostNoMoreThanAFewHundred() {
        LiveSession[] sessions = new LiveSession[2];
        sessions[0] = cluster.sessions(0).create("a", 1800);
        SessionRequest.put(sessions[0], "user", "ann");
        sessions[1] = SessionRequest.find(cluster.sessions(1), "a");
        int quarter = NAMES / AT_ONCE / 4;
        long[] garbage = new long[4];
        for (int request = 1; request <= 4 * quarter; request++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            assertEquals(Outcome.ACKNOWLEDGED, converse(sessions[request % 2], request));
            garbage[(request - 1) / quarter] += THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertTrue(garbage[3] < 2 * garbage[1], Arrays.toString(garbage) + " bytes of garbage");
        for (int node = 0; node < 2; node++) {
            LiveSession session = sessions[node];
            SessionRequest.use(session, () -> {
                for (int at = 0; at < AT_ONCE; at++) {
                    session.attributes().remove(name(4 * quarter, at));
                }
            });
        }
        for (int node = 0; node < 2; node++) {
            assertBounded(node, sessions[node]);
        }
        assertEquals(replica(0).digest(), replica(1).digest());
    }

    private void assertBounded(int node, LiveSession session) {
        assertEquals(Set.of("user"), session.attributes().keySet(), "on node " + node);
        session.attributes().keySet().forEach(session.attributes()::get);
        long slots = session.slots().heapBytes();
        assertTrue(slots < 2000, slots + " bytes of slots on node " + node);
        SessionReplica replica = replica(node);
        int remembered = replica.asDelta().attributes().size();
        assertTrue(remembered < 1000, remembered + " names are remembered on node " + node);
        Map<String, Long> figures = NodeFigures.momentary(cluster.node(node));
        assertTrue(figures.get("replica_bytes") < 100_000, figures + " of node " + node);
        assertTrue(figures.get("object_bytes") < 10_000, figures + " of node " + node);
        Change transfer = new Change(1, new Update(0, 0, replica.asDelta()));
        int bytes = WireCodec.encode(transfer, WireCodec.HIGHEST_VERSION).length;
        assertTrue(bytes < 50_000, bytes + " bytes for a joiner of node " + node);
    }

    /** As by a login that keeps its state under a name of its own until it is over. */
    @Test
    void removedNamesAloneNeverFillASession() {
        LiveSession session = cluster.sessions(0).create("a", 1800);
        String longName = "n".repeat(1000);
        for (int i = 0; i < 300; i++) {
            String name = longName + i;
            SessionRequest.put(session, name, i);
            assertEquals(
                    i,
                    SessionRequest.find(cluster.sessions(1), "a").attributes().get(name));
            SessionRequest.use(session, () -> session.attributes().remove(name));
        }
        assertEquals(0, cluster.node(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED));
    }

    @Test
    void namesCountInTheSizeOfASession() {
        LiveSession session = cluster.sessions(0).create("a", 1800);
        String longName = "n".repeat(1000);
        SessionRequest.use(session, () -> {
            for (int i = 0; i < 200; i++) {
                session.attributes().put(longName + i, i);
            }
        });
        int there = SessionRequest.find(cluster.sessions(1), "a").attributes().size();
        assertTrue(there < 100, there + " names of 1,000 characters each are in 100,000 bytes");
        assertEquals(200 - there, cluster.node(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED));
    }
}
