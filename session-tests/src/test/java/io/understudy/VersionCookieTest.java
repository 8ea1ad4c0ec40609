package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Admission;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.VersionCookie;
import io.understudy.testkit.Await;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a client has seen of its session it finds on the node that it comes to next, although nobody waits for
 * acknowledgements.
 */
@Tag("cluster")
class VersionCookieTest {

    private static final Map<Setting, String> SETTINGS = Map.of(
            Setting.COHERENCE, "incoherent",
            Setting.VERSION_COOKIE, "v",
            Setting.VERSION_COOKIE_SECRET, "correct horse battery staple",
            Setting.VERSION_COOKIE_WAIT, "60s");

    private static final Duration LIMIT = Await.LIMIT;
    private static final int PAIRS = 4_000;
    private static final int SESSIONS = 100;

    private Cluster cluster;

    private void start(int nodes, Map<Setting, String> more) {
        Map<Setting, String> settings = new HashMap<>(SETTINGS);
        settings.putAll(more);
        cluster = Cluster.of(nodes, settings);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private ReplicatedSessions sessions(int node) {
        return cluster.sessions(node);
    }

    /** A request that begins the session, or goes on with it; what the client is given with the response. */
    private String write(int node, String id, String name, Object value) {
        LiveSession found = sessions(node).find(id);
        LiveSession session = found == null ? sessions(node).create(id, 1800) : found;
        put(session, name, value);
        return value(session.version());
    }

    private static String value(VersionCookie cookie) {
        return cookie == null ? null : cookie.value();
    }

    private Admission arrive(int node, String id, String cookie) {
        return sessions(node).admit(id, List.of(cookie));
    }

    private Object read(int node, String id, String name) {
        Object[] read = new Object[1];
        LiveSession session = find(sessions(node), id);
        use(session, () -> read[0] = session.attributes().get(name));
        return read[0];
    }

    private void awaitName(int node, String name) {
        Await.that(
                "node " + node + " has " + name,
                () -> sessions(node).contains("s") && name.equals(read(node, "s", "name")));
    }

    private long waited(int node) {
        return cluster.node(node).metrics().value(Counter.REQUESTS_WAITED_FOR_VERSION);
    }

    private long behind(int node) {
        return cluster.node(node).metrics().value(Counter.REQUESTS_BEHIND);
    }

    /** Pairs of a write on one node and a read on the next one; how many reads saw less than was written. */
    private int stale(int pairs, boolean withCookie) {
        int stale = 0;
        String[] cookies = new String[SESSIONS];
        for (int pair = 0; pair < pairs; pair++) {
            int number = pair % SESSIONS;
            String id = (withCookie ? "with" : "without") + number;
            int node = (pair + pair / SESSIONS) % 3;
            int next = (node + 1) % 3;
            if (withCookie && pair >= SESSIONS) {
                assertEquals(Admission.PROCEED, arrive(node, id, cookies[number]));
            }
            cookies[number] = write(node, id, "n" + pair % 5, pair);
            assertEquals(
                    Admission.PROCEED,
                    withCookie
                            ? arrive(next, id, cookies[number])
                            : sessions(next).admit(id));
            LiveSession session = sessions(next).find(id);
            if (session == null || !Integer.valueOf(pair).equals(read(next, id, "n" + pair % 5))) {
                stale++;
            }
        }
        return stale;
    }

    @Test
    void noReadIsStaleAtOnePercentLossWhileWithoutTheCookieManyAre() {
        start(3, Map.of());
        try (Fault loss = cluster.drop(0.01)) {
            assertTrue(loss != null);
            assertNotEquals(0, stale(PAIRS / 4, false), "the test can't fail");
            assertEquals(0, stale(PAIRS, true));
        }
        assertEquals(0, behind(0) + behind(1) + behind(2));
        assertNotEquals(0, waited(0) + waited(1) + waited(2));
    }

    @Test
    void whatIsUnderWayIsWaitedForAndWhatWasLostIsFetched() {
        start(2, Map.of());
        String begun = write(0, "s", "name", "ann");
        assertEquals(Admission.PROCEED, arrive(1, "s", begun));
        try (Fault lost = cluster.dropMulticasts(1)) {
            assertTrue(lost != null);
            String changed = write(0, "s", "name", "bea");
            String other = write(0, "t", "name", "cat");
            assertEquals("ann", read(1, "s", "name"));
            assertEquals(Admission.PROCEED, arrive(1, "s", changed));
            assertEquals("bea", read(1, "s", "name"));
            assertNull(sessions(1).find("t"));
            assertEquals(Admission.PROCEED, arrive(1, "t", other));
            assertEquals("cat", read(1, "t", "name"));
        }
        assertNotEquals(0, waited(1));
        assertEquals(0, behind(1));
    }

    /** What one node overwrote says nothing of the rest that another one wrote before. */
    @Test
    void eachFieldCounts() {
        start(3, Map.of());
        assertEquals(Admission.PROCEED, arrive(0, "s", write(1, "s", "a", "old")));
        assertEquals(Admission.PROCEED, arrive(2, "s", write(1, "s", "b", "old")));
        try (Fault deaf = cluster.deafen(2, 1)) {
            assertTrue(deaf != null);
            write(1, "s", "a", "new");
            String both = write(1, "s", "b", "new");
            assertEquals(Admission.PROCEED, arrive(0, "s", both));
            String last = write(0, "s", "b", "newest");
            Await.until(LIMIT, () -> read(2, "s", "b"), () -> "newest".equals(read(2, "s", "b")));
            assertEquals(Admission.PROCEED, arrive(2, "s", last));
            assertEquals("new", read(2, "s", "a"));
        }
    }

    @Test
    void aSessionThatWasEndedIsNotServed() {
        start(2, Map.of());
        assertEquals(Admission.PROCEED, arrive(1, "s", write(0, "s", "name", "ann")));
        String over;
        try (Fault lost = cluster.dropMulticasts(1)) {
            assertTrue(lost != null);
            LiveSession session = find(sessions(0), "s");
            session.invalidate();
            over = value(session.version());
            assertTrue(sessions(1).contains("s"));
            assertEquals(Admission.PROCEED, arrive(1, "s", over));
            assertNull(sessions(1).find("s"));
        }
        assertEquals(0, behind(1));
        // The id may be used again.
        String again = write(1, "s", "name", "ann");
        assertNotEquals(over, again);
        assertEquals(Admission.PROCEED, sessions(0).admit("s", List.of(over, again)));
        assertEquals("ann", read(0, "s", "name"));
        assertEquals(0, behind(0));
    }

    @Test
    void whatNobodyHasAnyMoreIsWaitedForOnce() {
        start(3, Map.of(Setting.VERSION_COOKIE_WAIT, "5s")); // The other member has a part of it to answer.
        write(0, "s", "name", "ann");
        awaitName(1, "ann");
        awaitName(2, "ann");
        String lost;
        try (Fault cut = cluster.dropMulticasts(1)) {
            assertTrue(cut != null);
            lost = write(0, "s", "name", "bea");
            cluster.kill(0);
        }
        cluster.awaitView(1, 2);
        assertEquals(Admission.BEHIND, arrive(1, "s", lost));
        assertEquals("ann", read(1, "s", "name"));
        assertEquals(1, behind(1));
        String now = value(find(sessions(1), "s").version());
        assertEquals(Admission.BEHIND, sessions(1).admit("s", List.of(lost, now)), "the client bears both for a while");
        assertEquals(2, behind(1));
        assertEquals(1, waited(1));
        assertEquals(Admission.PROCEED, arrive(2, "s", now));
        assertEquals(0, waited(2));
    }

    @Test
    void severalCookiesAreWaitedForTogether() {
        start(2, Map.of(Setting.VERSION_COOKIE_WAIT, "200ms"));
        write(0, "s", "name", "ann");
        awaitName(1, "ann");
        List<String> seen;
        try (Fault cut = cluster.dropMulticasts(1)) {
            assertTrue(cut != null);
            seen = List.of(write(0, "s", "name", "bea"), write(0, "s", "name", "cat"), write(0, "s", "name", "dan"));
            cluster.kill(0);
        }
        cluster.awaitView(1, 1);
        assertEquals(Admission.BEHIND, sessions(1).admit("s", seen));
        assertEquals(1, waited(1));
        assertEquals(1, behind(1));
    }

    @Test
    void aSessionThatNobodyHasIsNotWaitedFor() {
        start(2, Map.of(Setting.VERSION_COOKIE_WAIT, "1h"));
        String seen = write(0, "s", "name", "ann");
        assertEquals(Admission.PROCEED, arrive(1, "s", seen));
        find(sessions(0), "s").invalidate();
        Await.until(LIMIT, () -> "it goes on", () -> !sessions(1).contains("s"));
        assertEquals(Admission.PROCEED, arrive(1, "s", seen));
        assertEquals(0, behind(1));
    }

    @Test
    void forgedReplayedAndForeignCookiesChangeNothing() {
        start(2, Map.of(Setting.VERSION_COOKIE_WAIT, "1h"));
        String early = write(0, "s", "name", "ann");
        assertEquals(Admission.PROCEED, arrive(1, "s", early));
        try (Fault lost = cluster.dropMulticasts(1)) {
            assertTrue(lost != null);
            byte[] late = Base64.getUrlDecoder().decode(write(0, "s", "name", "bea"));
            long before = waited(1);
            for (int bit = 0; bit < late.length * 8; bit++) {
                byte[] forged = late.clone();
                forged[bit / 8] ^= (byte) (1 << bit % 8);
                assertEquals(
                        Admission.PROCEED,
                        arrive(1, "s", Base64.getUrlEncoder().withoutPadding().encodeToString(forged)));
            }
            String foreign = write(0, "t", "name", "cat");
            for (String cookie : List.of(early, foreign, "", "?", "AQA", "A".repeat(10_000))) {
                assertEquals(Admission.PROCEED, arrive(1, "s", cookie));
            }
            assertEquals("ann", read(1, "s", "name"));
            assertEquals(before, waited(1));
        }
    }

    @Test
    void nothingIsLookedAtWithoutTheSetting() {
        cluster = Cluster.of(1, Map.of());
        assertNull(write(0, "s", "name", "ann"));
        assertEquals(Admission.PROCEED, arrive(0, "s", "anything"));
        assertEquals(0, waited(0));
    }
}
