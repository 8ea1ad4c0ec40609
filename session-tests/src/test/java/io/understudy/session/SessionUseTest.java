package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.replica.Stamp;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class SessionUseTest {

    private final MovedTime time = new MovedTime();
    private final Cluster cluster = Cluster.of(2, Map.of(), time, 1);
    private final LiveSession session = cluster.sessions(0).create("a", 0);

    @AfterEach
    void close() {
        cluster.close();
    }

    private long inFlight() {
        return NodeFigures.momentary(cluster.node(0)).getOrDefault("requests_in_flight", -1L);
    }

    @Test
    void aUseThatNeverBeganEndsNothing() {
        SessionUse other = session.use();
        other.begin();
        SessionUse never = session.use();
        assertEquals(0, never.ticket());
        never.end();
        never.begin(); // Its request is over.
        assertEquals(1, inFlight());
        other.end();
        assertFalse(session.inUse());
        assertEquals(0, inFlight());
    }

    @Test
    void onlyTheFirstBeginAndTheFirstEndCount() {
        SessionUse use = session.use();
        use.begin();
        use.begin();
        assertNotEquals(0, use.ticket());
        assertEquals(1, inFlight());
        assertTrue(session.inUse());
        use.end();
        use.end();
        assertEquals(0, inFlight());
        assertFalse(session.inUse());
    }

    /** Its objects are nobody's when it ends: they must not count for as long as the node runs. */
    @Test
    void aUseThatGoesOnLongerThanTheApplicationLeavesNothing() {
        SessionUse use = session.use();
        use.begin();
        session.attributes().put("a", "x".repeat(1000));
        session.commit().await();
        assertTrue(cluster.sessions(0).has(session));
        cluster.redeploy(0, getClass().getClassLoader());
        assertFalse(cluster.sessions(0).has(session));
        use.end();
        assertEquals(0, inFlight());
        assertEquals(0, NodeFigures.momentary(cluster.node(0)).get("object_bytes"));
    }

    /** As when there was no memory to take it out of the slot of each attribute that it used. */
    @Test
    void aRequestThatIsOverKeepsNoAttributeAsItWas() {
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "name", "first"));
        long over = session.enter();
        Object unused = session.attributes(over).get("name");
        assertTrue(session.running().remove(over));
        LiveSession there = SessionRequest.find(cluster.sessions(1), "a");
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(there, "name", "second"));
        long next = session.enter();
        assertEquals("second", session.attributes(next).get("name"));
        session.exit(next);
    }

    /** With a declared Content-Length a request commits before the end of its response, and once more at its own end. */
    @Test
    void aSecondCommitInOneMillisecondIsNoNewUse() {
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "name", "value"));
        Stamp first = lastUse();
        long request = session.enter();
        session.commit().await();
        assertEquals(first, lastUse());
        time.advance(Duration.ofMillis(1));
        session.commit().await();
        assertNotEquals(first, lastUse());
        session.exit(request);
    }

    /** The node that used a session last is the one that ends it. */
    @Test
    void aUseOnAnotherNodeInThatMillisecondIsNew() {
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "name", "value"));
        Stamp first = lastUse();
        LiveSession there = SessionRequest.find(cluster.sessions(1), "a");
        SessionRequest.use(there, () -> {});
        assertNotEquals(first, Objects.requireNonNull(there.replica()).lastUse());
    }

    private Stamp lastUse() {
        return Objects.requireNonNull(Objects.requireNonNull(session.replica()).lastUse());
    }
}
