package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.session.LockConfig;
import io.understudy.config.session.OnLockTimeout;
import io.understudy.config.session.PathPatterns;
import io.understudy.config.session.Toggle;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.session.lock.SessionLock;
import io.understudy.session.lock.SessionLocks;
import io.understudy.session.requests.LookUps;
import io.understudy.session.requests.WaitLimit;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.MovedTime;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each place at which a look-up waits for another member that answers nothing: a request takes a place there, and one
 * that gets none is refused before the member is asked.
 */
@Tag("cluster")
@Timeout(300)
class FullWaitLimitTest {

    private final MovedTime time = new MovedTime();
    private final Channels nodes = new Channels(time);
    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final WaitLimit limit = new WaitLimit(1, metrics);

    /** How many requests waited when the other member was asked for an id. */
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();

    /** Questions that wait until the other member goes on. */
    private final Queue<Message> held = new ConcurrentLinkedQueue<>();

    private final Interference stall = new Interference(this::unlessStalled);
    private volatile boolean stalled = true;

    private ApplicationGroup group;
    private LookUps lookUps;

    @BeforeEach
    void start() throws Exception {
        nodes.start(2);
        group = nodes.groups.get(0);
        lookUps = new LookUps(group, metrics, false);
        nodes.interfere(1, Position.ABOVE, SCOPE.class, stall);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private List<Message> unlessStalled(Message message) {
        if (question(message) && stalled) {
            held.add(message);
            return List.of();
        }
        return List.of(message);
    }

    private void goOn() {
        stalled = false;
        for (Message question = held.poll(); question != null; question = held.poll()) {
            stall.pass(question);
        }
    }

    private boolean question(Message message) {
        try {
            if (!message.hasPayload()
                    || !(WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                            instanceof Request request)) {
                return false;
            }
            if (request instanceof FindRequest find) {
                asked.put(find.id(), limit.waiting());
            }
            return true;
        } catch (WireFormatException e) {
            return false; // A message of JGroups' own.
        }
    }

    private boolean present(String id) {
        try (WaitLimit.Turn turn = limit.turn()) {
            return lookUps.present(id, turn);
        }
    }

    private long refused() {
        return metrics.value(Counter.REQUESTS_NOT_WAITING);
    }

    private void oneMoreIsRefused(String id) throws Exception {
        try (WaitLimit.Turn other = limit.turn()) {
            assertTrue(other.mayWait());
            assertFalse(get(Beside.get(() -> present(id))));
        }
        assertEquals(1, refused());
        assertEquals(Map.of(), asked);
    }

    private CompletableFuture<Boolean> oneThatWaits(String id) {
        CompletableFuture<Boolean> waiting = Beside.get(() -> present(id));
        Await.that("the other member is asked", () -> asked.containsKey(id));
        assertEquals(Map.of(id, 1), asked);
        return waiting;
    }

    private static boolean get(CompletableFuture<Boolean> waiting) throws Exception {
        return waiting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void assertNobodyWaits() {
        assertEquals(0, limit.waiting());
        assertEquals(1, refused());
    }

    @Test
    void aFetchOnAJoiningNodeTakesAPlace() throws Exception {
        group.application().phase(Phase.COUNTED);
        oneMoreIsRefused("a");
        assertFalse(get(oneThatWaits("a")));
        assertNobodyWaits();
    }

    /** On a node that is ready, of a session that another one may not have announced. */
    @Test
    void aLookUpOfAnUnknownIdTakesAPlace() throws Exception {
        oneMoreIsRefused("a");
        CompletableFuture<Boolean> waiting = oneThatWaits("a");
        time.advance(Duration.ofSeconds(1)); // A member that is silent for so long is not waited for.
        assertTrue(get(waiting));
        assertNobodyWaits();
    }

    @Test
    void aComparisonAfterAMergeTakesAPlace() throws Exception {
        List<Address> view = nodes.channels.get(0).services().members().view();
        group.view(
                view, List.of(Set.of(nodes.channels.get(1).services().members().self())));
        assertTrue(group.comparesFirst());
        oneMoreIsRefused("a");
        goOn();
        assertTrue(get(oneThatWaits("a")));
        assertNobodyWaits();
    }

    @Test
    void theConfirmationAfterAPauseTakesAPlace() throws Exception {
        group.suspend("paused by the test");
        oneMoreIsRefused("a");
        create("a");
        CompletableFuture<Boolean> waiting = Beside.get(() -> present("a"));
        Await.that("it waits", () -> limit.waiting() == 1);
        goOn();
        assertTrue(get(waiting));
        assertNobodyWaits();
    }

    private void create(String id) {
        group.store()
                .create(SessionDelta.created(
                        new SessionKey(7), nodes.channels.get(0).clock().next(0), id, 1800));
    }

    private SessionLocks locks() {
        LockConfig config = new LockConfig(Toggle.ON, PathPatterns.NONE, Duration.ofHours(1), OnLockTimeout.REFUSE);
        return new SessionLocks(group, metrics, limit, config, key -> {});
    }

    /** The lock is free, but the session has to be brought up to date for its holder. */
    @Test
    void theLockOnAJoiningNodeTakesAPlace() {
        create("a");
        group.application().phase(Phase.COUNTED);
        lockIsRefusedWithoutAPlace();
    }

    @Test
    void theLockAfterAPauseTakesAPlace() {
        create("a");
        group.suspend("paused by the test");
        lockIsRefusedWithoutAPlace();
    }

    private void lockIsRefusedWithoutAPlace() {
        try (WaitLimit.Turn other = limit.turn()) {
            assertTrue(other.mayWait());
            try (SessionLock lock = locks().take("a")) {
                assertTrue(lock.refused());
            }
        }
        assertEquals(1, refused());
        assertEquals(Map.of(), asked);
    }
}
