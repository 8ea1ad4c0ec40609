package io.understudy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Admission;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.lock.SessionLock;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import io.understudy.wire.Frame.StateRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions whose attributes went to disk, and can't be read from there. */
@Tag("cluster")
class RefetchedSessionTest {

    private static final int SESSIONS = 400;
    private static final int VALUE_BYTES = 8192;

    @TempDir
    private Path temporary;

    private Cluster cluster;
    private LiveSession spilled;

    /** The first session is the coldest of many. */
    @BeforeEach
    void start() {
        cluster = Cluster.of(
                1,
                2,
                Map.of(
                        Setting.MAX_MEMORY,
                        String.valueOf(1 << 20),
                        Setting.SPILL_DIRECTORY,
                        temporary.resolve("spill").toString(),
                        Setting.MAX_WAITING_REQUESTS,
                        "1",
                        Setting.LOCK_TIMEOUT,
                        "1h"));
        spilled = begin("s0");
        for (int i = 1; i < SESSIONS; i++) {
            begin("s" + i);
        }
        assertTrue(cluster.node(0).gauges().get("sessions_spilled") > SESSIONS / 2);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LiveSession begin(String id) {
        LiveSession session = cluster.sessions(0).create(id, 1800);
        SessionRequest.use(
                session, () -> session.attributes().put("cart", new byte[VALUE_BYTES])); // It is counted then.
        return session;
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.walk(temporary.resolve("spill"))) {
            return all.filter(path -> path.getFileName().toString().startsWith("segment"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes all that is on disk unreadable, and gives back what was there. */
    private Map<Path, byte[]> damage(List<Path> files) throws IOException {
        Map<Path, byte[]> before = new HashMap<>();
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            before.put(file, bytes);
            Files.write(file, new byte[bytes.length]);
        }
        return before;
    }

    /** Starts another node, which holds all, and damages the files of the first. */
    private void damageBesideAnother() throws IOException {
        List<Path> files = files();
        cluster.start(1);
        // The first node may hear later than the second one that this is ready, and asks nobody until then.
        Supplier<Long> atRisk = () -> NodeFigures.momentary(cluster.node(0)).get("sessions_at_risk");
        Await.until(Await.LIMIT, atRisk, () -> atRisk.get() == 0);
        damage(files);
    }

    @Test
    void aChangeIsMadeOnceAnotherNodeSentTheSession() throws IOException {
        damageBesideAnother();
        assertEquals(
                Outcome.ACKNOWLEDGED,
                SessionRequest.use(spilled, () -> spilled.attributes().put("user", "ann")));
        for (int node = 0; node < 2; node++) {
            LiveSession held = SessionRequest.find(cluster.sessions(node), "s0");
            assertEquals("ann", held.attributes().get("user"), "on node " + node);
            assertArrayEquals(new byte[VALUE_BYTES], (byte[]) held.attributes().get("cart"), "on node " + node);
        }
    }

    private long waiting() {
        return NodeFigures.momentary(cluster.node(0)).get("requests_waiting");
    }

    /** The commit alone asks for the session: the request looks at no attribute. */
    @Test
    void aCommitTakesAPlaceWhileItWaits() throws IOException {
        damageBesideAnother();
        AtomicLong most = new AtomicLong();
        try (Fault none = cluster.deafen(1, 0, () -> {
            most.accumulateAndGet(waiting(), Math::max); // The other node gets the question before it answers.
            return false;
        })) {
            Outcome outcome = SessionRequest.use(spilled, () -> spilled.maxInactiveSeconds(900));
            assertEquals(Outcome.ACKNOWLEDGED, outcome, none::toString);
        }
        assertEquals(1, most.get());
        assertEquals(0, waiting());
    }

    @Test
    void aChangeWithoutAPlaceIsDegradedAndKept() throws Exception {
        damageBesideAnother();
        CompletableFuture<SessionLock> waiter;
        try (Fault stalled = cluster.lose(1, 0, StateRequest.class);
                SessionLock held = cluster.sessions(0).lock("s1")) {
            assertFalse(held.refused());
            waiter = Beside.get(() -> cluster.sessions(0).lock("s1"));
            Await.that("it takes the only place", () -> waiting() == 1);
            Outcome outcome =
                    SessionRequest.use(spilled, () -> spilled.attributes().put("user", "ann"));
            assertEquals(Outcome.DEGRADED, outcome, stalled::toString);
            assertTrue(cluster.node(0).metrics().value(Counter.REQUESTS_NOT_WAITING) > 0);
        }
        waiter.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).close();
        assertEquals(Admission.PROCEED, cluster.sessions(0).admit("s0"), "the next request fetches it");
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.use(spilled, () -> {}));
        LiveSession there = SessionRequest.find(cluster.sessions(1), "s0");
        assertEquals("ann", there.attributes().get("user"));
        assertNotNull(there.attributes().get("cart"));
    }

    @Test
    void aReaderFindsWhatAnotherNodeHolds() throws IOException {
        damageBesideAnother();
        SessionRequest.use(spilled, () -> assertNotNull(spilled.attributes().get("cart")));
    }

    @Test
    void aRequestFindsASessionThatAnotherNodeHolds() throws IOException {
        damageBesideAnother();
        assertEquals(Admission.PROCEED, cluster.sessions(0).admit("s0"));
        assertNotNull(cluster.sessions(0).find("s0"));
    }

    private static void repair(Map<Path, byte[]> before) throws IOException {
        for (Map.Entry<Path, byte[]> file : before.entrySet()) {
            Files.write(file.getKey(), file.getValue());
        }
    }

    /** The request that made it has ended before another commit can read the session. */
    @Test
    @SuppressWarnings("unchecked")
    void aChangeInPlaceThatNobodyCanTakeIsKept() throws IOException {
        SessionRequest.use(spilled, () -> spilled.attributes().put("list", new ArrayList<>(List.of("first"))));
        long ticket = spilled.enter();
        List<Object> list =
                (List<Object>) Objects.requireNonNull(spilled.attributes(ticket).get("list"));
        for (int i = 0; i < SESSIONS; i++) {
            begin("t" + i);
        }
        Map<Path, byte[]> before = damage(files());
        list.add("in place");
        assertEquals(Outcome.DEGRADED, spilled.commit().await());
        spilled.exit(ticket);
        repair(before);
        SessionRequest.use(spilled, () -> {});
        cluster.start(1);
        LiveSession held = SessionRequest.find(cluster.sessions(1), "s0");
        assertEquals(List.of("first", "in place"), held.attributes().get("list"));
    }

    @Test
    void aChangeThatNobodyCanTakeIsDegradedAndKept() throws IOException {
        Map<Path, byte[]> before = damage(files());
        long degraded = cluster.node(0).metrics().value(Counter.RESPONSES_DEGRADED);
        Outcome outcome = SessionRequest.use(spilled, () -> spilled.attributes().put("user", "ann"));
        assertEquals(Outcome.DEGRADED, outcome);
        assertEquals(degraded + 1, cluster.node(0).metrics().value(Counter.RESPONSES_DEGRADED));
        repair(before);
        SessionRequest.use(spilled, () -> {});
        cluster.start(1);
        LiveSession held = SessionRequest.find(cluster.sessions(1), "s0");
        assertEquals("ann", held.attributes().get("user"), "the next commit sends it");
        assertNotNull(held.attributes().get("cart"));
    }
}
