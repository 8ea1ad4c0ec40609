package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two requests of a session at once: the commit of one sends what the other one changed, too. */
@Tag("cluster")
class SharedCommitTest {

    private Cluster cluster;
    private LiveSession session;

    /** The request for which this thread works. */
    private long ticket;

    private void start(int nodes) {
        cluster = Cluster.of(nodes, 2, Map.of());
        session = cluster.sessions(0).create("a", 1800);
        SessionRequest.use(session, () -> session.attributes().put("a", "first"));
        cluster.sessions(0).bindRequests(of -> ticket);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Outcome commit(long request) {
        ticket = request;
        return session.commit().await();
    }

    /** @return the outcome of the request that made the change; another one commits before */
    private Outcome sentByAnother(Outcome expected) {
        long one = session.enter();
        long other = session.enter();
        session.attributes(one).put("a", "second");
        assertEquals(expected, commit(other));
        Outcome outcome = commit(one);
        session.exit(one);
        session.exit(other);
        return outcome;
    }

    @Test
    void whatNoOtherNodeHoldsIsDegradedForBoth() {
        start(1);
        assertEquals(Outcome.DEGRADED, sentByAnother(Outcome.DEGRADED));
        long later = session.enter();
        assertEquals(Outcome.UNCHANGED, commit(later), "it began after that");
        session.exit(later);
    }

    @Test
    void whatIsAcknowledgedIsSentOnce() {
        start(2);
        assertEquals(Outcome.UNCHANGED, sentByAnother(Outcome.ACKNOWLEDGED));
        LiveSession there = SessionRequest.find(cluster.sessions(1), "a");
        assertEquals("second", there.attributes().get("a"));
    }
}
