package io.understudy.session.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.RequestCoherence;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a request and its session do beside the core cases of the contract, which the smallest adapter passes with
 * them.
 */
@Tag("cluster")
class BlockingRequestTest {

    /** What a container has of a request. */
    private static final class Received implements ContainerRequest {

        private final Map<String, Object> attributes = new HashMap<>();
        private final Map<String, String> headers = new HashMap<>();

        @Override
        public String path() {
            return "/page";
        }

        @Override
        public Collection<String> cookies(Predicate<String> name) {
            return List.of();
        }

        @Override
        public @Nullable Object attribute(String name) {
            return attributes.get(name);
        }

        @Override
        public void attribute(String name, Object value) {
            attributes.put(name, value);
        }

        @Override
        public void header(String name, String value) {
            headers.put(name, value);
        }
    }

    private interface Work {
        void run(BlockingRequest request) throws Exception;
    }

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<BlockingSessions> applications = new ArrayList<>();

    @AfterEach
    void close() {
        applications.forEach(BlockingSessions::close);
        nodes.forEach(Understudy::close);
    }

    private void start(int count, Map<Setting, String> settings, SessionListener listener) {
        LoopbackCluster.configs(count, settings).forEach(config -> {
            Understudy node = NodeStart.start(config);
            nodes.add(node);
            ClassLoader loader = getClass().getClassLoader();
            ReplicatedSessions joined = node.join("/shop", () -> loader);
            applications.add(new BlockingSessions(joined, loader, listener));
            Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
        });
    }

    private void start(int count, Map<Setting, String> settings) {
        start(count, settings, new SessionListener() {});
    }

    /** A request that may run, and whose response may leave; the id that the client has after it. */
    private @Nullable String run(int node, @Nullable String id, Work work) throws Exception {
        try (BlockingRequest request = applications.get(node).request(new Received())) {
            assertTrue(request.admit(id));
            request.call(() -> {
                work.run(request);
                return node;
            });
            assertTrue(request.settle());
            return request.newId() == null ? id : request.newId();
        }
    }

    private static BlockingSession sessionOf(BlockingRequest request) {
        return Objects.requireNonNull(request.session());
    }

    @Test
    void whatAThreadWithoutARequestChangesIsOnTheOtherNodeAtOnce() throws Exception {
        start(2, Map.of());
        List<BlockingSession> kept = new ArrayList<>();
        String id = run(0, null, request -> kept.add(request.create(60)));
        kept.get(0).set("name", "value");
        kept.get(0).maxInactiveSeconds(90);
        run(1, id, request -> {
            assertEquals("value", sessionOf(request).get("name"));
            assertEquals(90, sessionOf(request).live().maxInactiveSeconds());
        });
        kept.get(0).invalidate();
        run(1, id, request -> assertNull(request.session()));
        assertThrows(IllegalStateException.class, () -> kept.get(0).set("name", "late"));
    }

    @Test
    void aSessionHasOneObjectAndItsListenerLearnsOfEachStep() throws Exception {
        List<String> told = new ArrayList<>();
        start(1, Map.of(), new SessionListener() {
            @Override
            public void created(BlockingSession session) {
                told.add("created " + session.names());
            }

            @Override
            public void renamed(BlockingSession session, String oldId) {
                told.add("renamed " + !session.live().id().equals(oldId));
            }

            @Override
            public void destroyed(BlockingSession session) {
                told.add("destroyed " + session.names());
                session.invalidate(); // It is at it.
                throw new LinkageError("a class of the application");
            }
        });
        List<BlockingSession> kept = new ArrayList<>();
        String first = run(0, null, request -> {
            kept.add(request.create(60));
            kept.get(0).set("name", "value");
        });
        String second = run(0, first, request -> {
            assertSame(kept.get(0), request.session());
            assertEquals(request.changeId(), kept.get(0).live().id());
        });
        run(0, first, request -> assertNull(request.session()));
        String third = run(0, second, request -> {
            sessionOf(request).invalidate();
            assertNull(request.session());
            assertThrows(IllegalStateException.class, request::changeId);
        });
        assertEquals(second, third);
        assertEquals(List.of("created []", "renamed true", "destroyed [name]"), told);
        assertFalse(kept.get(0).live().valid());
    }

    @Test
    void aSessionThatARequestMakesAndEndsGivesTheClientNoId() throws Exception {
        start(1, Map.of());
        assertNull(run(0, null, request -> request.create(60).invalidate()));
    }

    @Test
    void aResponseThatNobodyElseHoldsTheChangesOfIsRefusedIfSettingsWantThat() throws Exception {
        start(1, Map.of(Setting.ON_DEGRADED, "refuse", Setting.DEGRADED_HEADER, "Degraded"));
        Received received = new Received();
        try (BlockingRequest request = applications.get(0).request(received)) {
            assertTrue(request.admit(null));
            request.call(() -> request.create(60).set("name", "value"));
            assertFalse(request.settle());
        }
        assertEquals(true, received.attributes.get(RequestCoherence.DEGRADED));
        assertEquals(Map.of("Degraded", "true"), received.headers);
    }

    @Test
    void theNextRequestGetsTheLockWhenTheOneBeforeItIsClosed() throws Exception {
        start(2, Map.of(Setting.SESSION_LOCK, "on"));
        String id = run(0, null, request -> request.create(60));
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<@Nullable Object> read;
        try (BlockingRequest request = applications.get(0).request(new Received())) {
            assertTrue(request.admit(id));
            read = Beside.get(() -> {
                asked.countDown();
                try (BlockingRequest other = applications.get(1).request(new Received())) {
                    assertTrue(other.admit(id));
                    return sessionOf(other).get("name");
                }
            });
            asked.await();
            request.call(() -> sessionOf(request).set("name", "value"));
            assertTrue(request.settle());
            assertFalse(read.isDone());
        }
        assertEquals("value", read.join());
    }

    /** The new id would let a client that planted the old one into the session of the user who logged in. */
    @Test
    void aRequestLearnsNoIdThatAnotherRequestGaveTheSession() throws Exception {
        start(1, Map.of());
        String id = run(0, null, request -> request.create(60));
        try (BlockingRequest planted = applications.get(0).request(new Received());
                BlockingRequest login = applications.get(0).request(new Received())) {
            assertTrue(planted.admit(id));
            assertTrue(login.admit(id));
            planted.call(planted::changeId);
            String after = login.call(login::changeId);
            assertTrue(planted.settle());
            assertTrue(login.settle());
            assertNull(planted.newId());
            assertEquals(after, login.newId());
        }
    }

    /** A login while the request waited for the lock; it would keep the user's own requests from it. */
    @Test
    void aRequestWhoseIdIsReplacedWhileItWaitsHasNoLock() throws Exception {
        start(1, Map.of(Setting.SESSION_LOCK, "on", Setting.LOCK_TIMEOUT, "1m"));
        String id = run(0, null, request -> request.create(60));
        CompletableFuture<@Nullable Long> planted;
        AtomicReference<String> replaced = new AtomicReference<>();
        try (BlockingRequest login = applications.get(0).request(new Received())) {
            assertTrue(login.admit(id));
            planted = Beside.get(() -> {
                try (BlockingRequest request = applications.get(0).request(new Received());
                        BlockingRequest own = applications.get(0).request(new Received())) {
                    assertTrue(request.admit(id));
                    assertNull(request.session());
                    assertTrue(own.admit(replaced.get()));
                    return NodeFigures.of(nodes.get(0)).get(Counter.LOCKS_TIMED_OUT.key());
                }
            });
            Await.that("it waits", () -> NodeFigures.momentary(nodes.get(0)).get("requests_waiting") == 1);
            replaced.set(login.call(login::changeId));
            assertTrue(login.settle());
        }
        assertEquals(0, planted.join());
    }

    /** Its object, and what only it holds, is there for as long as the session. */
    @Test
    void whatStaysOnItsNodeIsThereInTheNextRequest() throws Exception {
        start(1, Map.of());
        String id = run(0, null, request -> request.create(60).set("own", new Object()));
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        Await.that("garbage is collected", () -> {
            System.gc();
            return garbage.refersTo(null);
        });
        run(0, id, request -> assertTrue(sessionOf(request).get("own") != null));
    }

    @Test
    void whatARequestChangesInAnotherSessionIsOnTheOtherNode() throws Exception {
        start(2, Map.of());
        List<BlockingSession> kept = new ArrayList<>();
        String other = run(0, null, request -> kept.add(request.create(60)));
        run(0, null, request -> {
            BlockingSession unused = request.create(60);
            kept.get(0).set("banned", true);
        });
        run(1, other, request -> assertEquals(true, sessionOf(request).get("banned")));
    }

    @Test
    void whatARequestThatFailedHasChangedIsSentAtItsEnd() throws Exception {
        start(2, Map.of());
        String id = run(0, null, request -> request.create(60));
        try (BlockingRequest request = applications.get(0).request(new Received())) {
            assertTrue(request.admit(id));
            request.call(() -> sessionOf(request).set("name", "value"));
            assertThrows(IllegalStateException.class, () -> request.admit(id));
        }
        Await.that("it is there", () -> {
            List<Object> read = new ArrayList<>();
            run(1, id, request -> read.add(String.valueOf(sessionOf(request).get("name"))));
            return read.equals(List.of("value"));
        });
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void sneak(Exception thrown) throws E {
        throw (E) thrown;
    }

    /** As listeners in other languages can. */
    @Test
    void aListenerThatThrowsAnythingKeepsNothingFromItsEnd() throws Exception {
        start(2, Map.of(), new SessionListener() {
            @Override
            public void created(BlockingSession session) {
                BlockingRequestTest.<RuntimeException>sneak(new IOException("begin"));
            }

            @Override
            public void renamed(BlockingSession session, String oldId) {
                BlockingRequestTest.<RuntimeException>sneak(new IOException("new id"));
            }

            @Override
            public void destroyed(BlockingSession session) {
                BlockingRequestTest.<RuntimeException>sneak(new IOException("end"));
            }
        });
        String id = run(0, null, request -> request.create(60).set("name", "value"));
        String renamed = run(0, id, BlockingRequest::changeId);
        run(1, renamed, request -> sessionOf(request).invalidate());
        run(0, renamed, request -> assertNull(request.session()));
    }

    @Test
    void afterALogoutTheClientBearsTheVersionOfTheEnd() throws Exception {
        start(
                1,
                Map.of(
                        Setting.COHERENCE, "incoherent",
                        Setting.VERSION_COOKIE, "v",
                        Setting.VERSION_COOKIE_SECRET, "a secret of the tests"));
        String id = run(0, null, request -> request.create(60).set("name", "value"));
        try (BlockingRequest request = applications.get(0).request(new Received())) {
            assertTrue(request.admit(id));
            request.call(() -> {
                sessionOf(request).invalidate();
                return id;
            });
            assertTrue(request.settle());
            assertTrue(request.versionCookie() != null);
        }
    }

    @Test
    void closingTwiceDoesNotHarmTheNextDeployment() throws Exception {
        start(1, Map.of(Setting.RETAIN_UNDEPLOYED, "1h"));
        String id = run(0, null, request -> request.create(60).set("name", "value"));
        ClassLoader loader = getClass().getClassLoader();
        applications.get(0).close();
        applications.get(0).close();
        ReplicatedSessions joined = nodes.get(0).join("/shop", () -> loader);
        applications.set(0, new BlockingSessions(joined, loader, new SessionListener() {}));
        Await.until(
                Await.LIMIT,
                nodes.get(0)::readiness,
                () -> nodes.get(0).readiness().ready()
                        && nodes.get(0).readiness().reason().contains("1 application"));
        run(0, id, request -> assertEquals("value", sessionOf(request).get("name")));
    }

    @Test
    void noUseBeginsWhenTheRequestIsOver() {
        start(1, Map.of());
        BlockingRequest request = applications.get(0).request(new Received());
        assertTrue(request.admit(null));
        request.close();
        assertNotNull(request.create(1800)); // As by a thread of the application that still has it.
        assertEquals(0L, NodeFigures.momentary(nodes.get(0)).get("requests_in_flight"));
    }
}
