package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.replica.SessionKey;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stays in memory of sessions that were used on a node, whose container holds their objects until they end. */
@Tag("cluster")
class HeapOfUsedSessionsTest {

    private static final int SESSIONS = 2_000;

    /** The sessions fit in memory, and nearly none of their objects besides. */
    private static final String HARDLY_MORE = "18m";

    @TempDir
    private Path temporary;

    private final MovedTime time = new MovedTime();
    private final List<LiveSession> held = new ArrayList<>();
    private Cluster cluster;

    @AfterEach
    void close() {
        cluster.close();
    }

    private void start(String maxMemory) {
        cluster = Cluster.of(
                1, Map.of(Setting.MAX_MEMORY, maxMemory, Setting.SPILL_DIRECTORY, temporary.toString()), time, 1);
    }

    private static final class Cart implements Serializable {
        private static final long serialVersionUID = 1L;
        private final byte[] content = new byte[8000];

        /** As a container's injection sets it; another copy has none. */
        private transient Object service = new Object();
    }

    private LiveSession create(String id) {
        LiveSession session = cluster.sessions(0).create(id, 1800);
        held.add(session);
        return session;
    }

    private static Object cart(LiveSession session) {
        return session.attributes().get("cart");
    }

    private static void awaitCollected(List<WeakReference<Object>> objects, long most) {
        Await.until(Await.LIMIT, () -> living(objects) + " of " + objects.size() + " are in memory", () -> {
            System.gc();
            return living(objects) <= most;
        });
    }

    private static long living(List<WeakReference<Object>> objects) {
        return objects.stream().filter(object -> !object.refersTo(null)).count();
    }

    /** Sixteen times as much as may be in memory. */
    private List<WeakReference<Object>> fill(String attribute) {
        List<WeakReference<Object>> objects = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            LiveSession session = create("s" + i);
            Cart cart = new Cart();
            objects.add(new WeakReference<>(cart));
            SessionRequest.send(session, () -> session.attributes().put(attribute, cart));
        }
        return objects;
    }

    @Test
    void objectsOfSpilledSessionsAreLetGo() {
        start("1m");
        List<WeakReference<Object>> objects = fill("cart");
        long spilled = cluster.node(0).gauges().get("sessions_spilled");
        assertTrue(spilled > SESSIONS / 2, spilled + " are spilled");
        awaitCollected(objects, SESSIONS - spilled);
        for (LiveSession session : held) {
            assertNotNull(cart(session), () -> session + " has all that it had");
        }
        assertEquals(SESSIONS, held.size());
    }

    @Test
    void objectsThatAreReadAgainAreLetGoAgain() {
        start("1m");
        fill("cart");
        List<WeakReference<Object>> objects = new ArrayList<>();
        for (LiveSession session : held) {
            SessionRequest.use(session, () -> objects.add(new WeakReference<>(cart(session))));
        }
        awaitCollected(objects, SESSIONS - cluster.node(0).gauges().get("sessions_spilled"));
    }

    /** An application finds what it put into its objects beside what travels, as on a single node. */
    @Test
    void objectsOfIdleSessionsStayWhereThereIsRoom() {
        start("512m");
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        for (LiveSession session : held) {
            SessionRequest.use(session, () -> assertNotNull(((Cart) Objects.requireNonNull(cart(session))).service));
        }
    }

    @Test
    void objectsOfIdleSessionsAreLetGo() {
        start(HARDLY_MORE);
        List<WeakReference<Object>> objects = fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        awaitCollected(objects, SESSIONS / 10);
        assertEquals(0, cluster.node(0).gauges().get("sessions_spilled"));
        for (LiveSession session : held) {
            assertNotNull(cart(session), () -> session + " has all that it had");
        }
    }

    /** The collector's work grows steeply with the part of the heap that lives. */
    @Test
    void objectsLeaveAQuarterFree() {
        start("28m");
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        long bound = cluster.node(0).gauges().get("replica_bytes_bound");
        long replicas = cluster.node(0).gauges().get("replica_bytes");
        long objects = cluster.node(0).gauges().get("object_bytes");
        assertTrue(replicas > bound / 2, replicas + " of " + bound);
        assertTrue(replicas + objects <= bound / 4 * 3, replicas + " and " + objects + " of " + bound);
        assertTrue(objects > bound / 10, objects + " of " + bound);
    }

    /** Nothing but requests of other sessions lets go of them: no timer has to run. */
    @Test
    void objectsOfIdleSessionsAreLetGoAsOthersAreUsed() {
        start(HARDLY_MORE);
        List<WeakReference<Object>> objects = fill("cart");
        time.advance(Duration.ofMinutes(1));
        LiveSession other = create("other");
        for (int i = 0; i < SESSIONS; i++) {
            SessionRequest.send(other, () -> {});
        }
        awaitCollected(objects, SESSIONS / 10);
    }

    @Test
    void aRunningRequestKeepsItsObjects() {
        start("1m");
        LiveSession session = create("used");
        SessionRequest.send(session, () -> session.attributes().put("cart", new Cart()));
        long ticket = session.enter();
        Object cart = Objects.requireNonNull(cart(session));
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        assertSame(cart, cart(session));
        ((Cart) cart).content[0] = 7;
        session.commit();
        session.exit(ticket);
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        assertEquals(7, ((Cart) Objects.requireNonNull(cart(session))).content[0]);
    }

    @Test
    void whatStaysOnThisNodeIsNotLetGo() {
        start("1m");
        LiveSession session = create("local");
        Object local = new Object() {
            @SuppressWarnings("unused")
            private final Thread thread = Thread.currentThread();
        };
        SessionRequest.send(session, () -> {
            session.attributes().put("local", local);
            session.attributes().put("cart", new Cart());
        });
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        assertSame(local, session.attributes().get("local"));
    }

    /** As a web socket's thread does, which works for no request. */
    @Test
    void aChangeInPlaceOutsideOfRequestsIsNotLost() {
        start("1m");
        LiveSession session = create("socket");
        SessionRequest.send(session, () -> session.attributes().put("cart", new Cart()));
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        ((Cart) Objects.requireNonNull(cart(session))).content[0] = 7;
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        cluster.sessions(0).expirable();
        System.gc();
        SessionRequest.use(session, () -> assertEquals(7, ((Cart) Objects.requireNonNull(cart(session))).content[0]));
    }

    /** It keeps the object for later. */
    @Test
    void anObjectThatASocketKeepsStaysTheOneOfItsSession() {
        start("1m");
        LiveSession session = create("socket");
        SessionRequest.send(session, () -> session.attributes().put("cart", new Cart()));
        Cart kept = (Cart) Objects.requireNonNull(cart(session));
        session.commit();
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        kept.content[0] = 7;
        SessionRequest.use(session, () -> assertSame(kept, cart(session)));
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        assertEquals(7, ((Cart) Objects.requireNonNull(cart(session))).content[0]);
    }

    /** As Spring does at the end of each request with what its session scope holds. */
    @Test
    void settingTheSameObjectDoesNotTakeItFromASocket() {
        start("1m");
        LiveSession session = create("socket");
        SessionRequest.send(session, () -> session.attributes().put("cart", new Cart()));
        Cart kept = (Cart) Objects.requireNonNull(cart(session));
        SessionRequest.use(session, () -> session.attributes().put("cart", kept));
        kept.content[0] = 7;
        SessionRequest.use(session, () -> {});
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        cluster.sessions(0).expirable();
        System.gc();
        assertEquals(7, ((Cart) Objects.requireNonNull(cart(session))).content[0]);
        SessionRequest.use(session, () -> assertSame(kept, cart(session)));
    }

    /** Two bytes each when they are encoded, and an object and a place in the list. */
    private static List<Long> numbers() {
        return new ArrayList<>(LongStream.range(1000, 2000).boxed().toList());
    }

    private List<WeakReference<Object>> fillWithNumbers(int sessions) {
        List<WeakReference<Object>> objects = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            LiveSession session = create("numbers" + i);
            List<Long> numbers = numbers();
            objects.add(new WeakReference<>(numbers));
            SessionRequest.send(session, () -> session.attributes().put("numbers", numbers));
        }
        return objects;
    }

    /** The objects are more than ten times as large as their bytes: with half of that they would fit. */
    @Test
    void objectsCountByTheHeapThatTheyTake() {
        start("16m");
        List<WeakReference<Object>> objects = fillWithNumbers(1_000);
        Map<String, Long> gauges = cluster.node(0).gauges();
        long counted = Objects.requireNonNull(gauges.get("object_bytes"));
        assertTrue(counted > 10 * Objects.requireNonNull(gauges.get("replica_bytes")), gauges::toString);
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        awaitCollected(objects, 600);
        assertEquals(0, cluster.node(0).gauges().get("sessions_spilled"));
        for (LiveSession session : held) {
            assertEquals(numbers(), session.attributes().get("numbers"), session::toString);
        }
    }

    /** Nobody waits ten seconds while the heap fills. */
    @Test
    void objectsOfSessionsUsedAMomentAgoAreLetGo() {
        start("4m");
        List<WeakReference<Object>> objects = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            objects.addAll(fillWithNumbers(100));
            time.advance(Duration.ofMillis(10));
        }
        awaitCollected(objects, objects.size() / 8);
        long counted = Objects.requireNonNull(cluster.node(0).gauges().get("object_bytes"));
        assertTrue(counted < 9 << 20, counted + " bytes: the sessions' own, and objects below the bound");
    }

    @Test
    void theContainerDropsItsObjectsOfIdleSessions() {
        start("1m");
        Set<SessionKey> kept = ConcurrentHashMap.newKeySet();
        Map<SessionKey, Object> objects = new ConcurrentHashMap<>();
        cluster.sessions(0).objectsGoBy(session -> {
            if (!kept.contains(session.key())) {
                objects.remove(session.key());
            }
            return !objects.containsKey(session.key());
        });
        for (int i = 0; i < SESSIONS; i++) {
            LiveSession session = cluster.sessions(0).create("s" + i, 1800);
            session.objects().container(session.key());
            objects.put(session.key(), session);
            if (i == 0) {
                kept.add(session.key());
            }
            SessionRequest.send(session, () -> session.attributes().put("cart", new Cart()));
        }
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        assertTrue(objects.size() <= 100, () -> objects.size() + " objects are left");
        assertTrue(objects.keySet().containsAll(kept));
        long counted = Objects.requireNonNull(cluster.node(0).gauges().get("object_bytes"));
        assertTrue(counted <= 1 << 20, counted + " bytes are counted for what is left");
    }

    @Test
    void theContainerKeepsTheObjectOfASessionWithALocalAttributeOrARunningRequest() {
        start("1m");
        List<LiveSession> asked = new ArrayList<>();
        cluster.sessions(0).objectsGoBy(asked::add);
        LiveSession local = create("local");
        SessionRequest.send(local, () -> local.attributes().put("thread", Thread.currentThread()));
        LiveSession used = create("used");
        SessionRequest.send(used, () -> used.attributes().put("cart", new Cart()));
        long ticket = used.enter();
        fill("cart");
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        assertFalse(asked.isEmpty());
        assertFalse(asked.contains(local));
        assertFalse(asked.contains(used));
        used.exit(ticket);
    }

    /** Such as a report reads of all sessions. */
    @Test
    void objectsReadOutsideOfRequestsAreLetGo() {
        start(HARDLY_MORE);
        fill("cart");
        List<WeakReference<Object>> objects = new ArrayList<>();
        for (LiveSession session : held) {
            objects.add(new WeakReference<>(cart(session)));
        }
        time.advance(Duration.ofMinutes(1));
        cluster.sessions(0).expirable();
        cluster.sessions(0).expirable();
        awaitCollected(objects, SESSIONS / 10);
    }
}
