package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.session.Admission;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Due;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What requests may have in one look-up, and what has to be admitted first. */
@Tag("cluster")
@Timeout(300)
class FoundAtOnceTest {

    private static final int IDLE_SECONDS = 60;
    private static final Duration ALMOST_IDLE = Duration.ofSeconds(IDLE_SECONDS).plusMillis(100);
    private static final Duration OVERDUE = Duration.ofSeconds(IDLE_SECONDS + 10);

    private final MovedTime time = new MovedTime();
    private final Cluster cluster =
            Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "100ms", Setting.ACK_TIMEOUT, "1s"), time, 1);

    @AfterEach
    void close() {
        cluster.close();
    }

    private LiveSession create() {
        LiveSession session = cluster.sessions(0).create("s", IDLE_SECONDS);
        put(session, "used", 1);
        cluster.awaitEqual(Await.LIMIT);
        return session;
    }

    private void assertNotAtOnce(int node) {
        assertNull(cluster.sessions(node).findAtOnce("s"));
    }

    @Test
    void aSessionOfAnyNodeIs() {
        create();
        for (int node = 0; node < 2; node++) {
            ReplicatedSessions sessions = cluster.sessions(node);
            assertSame(sessions.find("s"), sessions.findAtOnce("s"));
            assertTrue(sessions.admitsAtOnce("s"));
        }
    }

    @Test
    void anUnknownIdIsNot() {
        assertNull(cluster.sessions(0).findAtOnce("unknown"));
        assertFalse(cluster.sessions(0).admitsAtOnce("unknown"));
        assertEquals(Admission.PROCEED, cluster.sessions(0).admit("unknown"));
    }

    @Test
    void aSessionThatWasIdleForTooLongIsNot() {
        LiveSession session = create();
        time.advance(OVERDUE);
        assertNotAtOnce(0);
        assertNotAtOnce(1);
        session.maxInactiveSeconds(10 * IDLE_SECONDS);
        assertSame(session, cluster.sessions(0).findAtOnce("s"), "its limit was raised, and nothing is committed yet");
    }

    @Test
    void aSessionThatARequestUsesIs() {
        LiveSession session = create();
        long ticket = session.enter();
        time.advance(OVERDUE);
        assertSame(session, cluster.sessions(0).findAtOnce("s"));
        session.exit(ticket);
        assertNotAtOnce(0);
    }

    @Test
    void aSessionWhoseEndIsClaimedIsNot() {
        create();
        time.advance(OVERDUE);
        LiveSession claimed = Due.of(cluster.sessions(0), 1).get(0);
        assertNotAtOnce(0);
        assertTrue(claimed.beginExpiry());
        assertNotAtOnce(0);
        assertNotAtOnce(1);
        claimed.expire().await();
        assertNotAtOnce(0);
    }

    /** It would have to wait. */
    @Test
    void aSessionThatAnotherNodeIsEndingIsNot() {
        LiveSession session = create();
        time.advance(ALMOST_IDLE);
        assertTrue(session.overdue());
        assertFalse(find(cluster.sessions(1), "s").overdue(), "there news of a use may be under way");
        Await.that("its end begins", session::beginExpiry);
        assertNotAtOnce(1);
        assertFalse(cluster.sessions(1).admitsAtOnce("s"));
        session.expire().await();
    }

    /** As an admission does: it is no use, but the request that comes next makes one. */
    @Test
    void aNodeDoesNotEndASessionThatWasJustFoundOnAnother() {
        LiveSession session = create();
        time.advance(ALMOST_IDLE);
        assertNotNull(cluster.sessions(1).findAtOnce("s"));
        assertFalse(session.beginExpiry());
        put(find(cluster.sessions(1), "s"), "used", 2);
        cluster.awaitEqual(Await.LIMIT);
        assertTrue(session.valid());
    }
}
