package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeStart;
import io.understudy.cluster.delivery.AckResult;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.SCOPE_FC;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.SessionKey;
import io.understudy.testkit.Await;
import io.understudy.testkit.BrokenTime;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.threads.Watched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors in the threads of a member: it goes on, and nobody waits for it. The second member is the one that fails. */
@Tag("cluster")
@Timeout(300)
class FailingMemberTest {

    private final List<UnderstudyConfig> configs =
            LoopbackCluster.configs(2, Map.of(Setting.RECONCILE_INTERVAL, "10m"));
    private final List<BrokenTime> times = List.of(new BrokenTime(), new BrokenTime());
    private final List<ClusterChannel> channels = new ArrayList<>();
    private final List<ApplicationGroup> groups = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ClusterChannel::close);
    }

    private ApplicationGroup begin(int node) {
        UnderstudyConfig config = configs.get(node);
        ClusterChannel channel = ClusterChannel.connect(
                config, times.get(node), new ReplicationMetrics(), NodeStart.among(config, StackCustomizer.NONE));
        channels.add(channel);
        ApplicationGroup group = channel.join("/shop");
        groups.add(group);
        return group;
    }

    private void start() {
        for (int node = 0; node < 2; node++) {
            ApplicationGroup group = begin(node);
            Await.until(Await.LIMIT, group::waitingFor, group::ready);
        }
        assertEquals(AckResult.ALL, outcome(write(1, "first")));
    }

    /** The first member writes an attribute of a session, which begins with its first. */
    private CompletableFuture<AckResult> write(long session, String name) {
        return Channels.write(channels.get(0), groups.get(0), session, name, 100);
    }

    private static AckResult outcome(CompletableFuture<AckResult> held) {
        try {
            return held.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no outcome", e);
        }
    }

    private boolean has(long session, String name) {
        var stored = groups.get(1).store().get(new SessionKey(session));
        return stored != null && stored.replica().attribute(name) != null;
    }

    private void awaitThere(long session, String name) {
        Await.until(Await.LIMIT, () -> "session " + session + " has no " + name, () -> has(session, name));
    }

    private void interfere(
            Position position, Class<? extends org.jgroups.stack.Protocol> beside, Interference.Rule rule)
            throws Exception {
        channels.get(1).jgroups().getProtocolStack().insertProtocol(new Interference(rule), position, beside);
    }

    /** A change of this session, so many times at most; others pass. */
    private static boolean change(Message message, AtomicInteger left) {
        ScopeHeader header = message.getHeader(SCOPE.ID);
        return header != null && left.getAndUpdate(now -> Math.max(0, now - 1)) > 0;
    }

    /** Whether the thread merges: a worker of SCOPE, or the thread that reads from the other member. */
    private static boolean merging(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("io.understudy.cluster.DeltaReceiver"));
    }

    private static boolean named(Thread thread, String role) {
        return thread.getName().contains("understudy-node2-" + role);
    }

    private static boolean inside(String method) {
        return Arrays.stream(Thread.currentThread().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method)
                        && frame.getClassName().startsWith("io.understudy.cluster.FrameDispatcher"));
    }

    @Test
    void anErrorInADeliveryLeavesItsSessionGoingOn() throws Exception {
        start();
        AtomicInteger left = new AtomicInteger(1);
        interfere(Position.ABOVE, SCOPE_FC.class, message -> {
            if (change(message, left)) {
                throw new NoClassDefFoundError("a test's");
            }
            return List.of(message);
        });
        assertEquals(AckResult.NONE, outcome(write(1, "failed")));
        assertEquals(AckResult.ALL, outcome(write(1, "next")));
        awaitThere(1, "next");
    }

    /** @param session the one that began before, of which the thread that reads merges changes, or a new one */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void anErrorInAMergeIsAcknowledgedAndPulledLater(long session) {
        start();
        times.get(1).fail(1, FailingMemberTest::merging);
        assertEquals(AckResult.NONE, outcome(write(session, "failed")));
        awaitThere(session, "failed");
        assertEquals(AckResult.ALL, outcome(write(session, "next")));
    }

    @Test
    void aChangeThatCanNotBeReadIsAcknowledged() throws Exception {
        start();
        AtomicInteger left = new AtomicInteger(1);
        interfere(
                Position.ABOVE,
                SCOPE_FC.class,
                message -> List.of(change(message, left) ? instead(message, new byte[] {99, 99}) : message));
        assertEquals(AckResult.NONE, outcome(write(1, "failed")));
        assertEquals(AckResult.ALL, outcome(write(1, "next")));
    }

    @Test
    void aBatchThatCanNotBeTakenApartIsAcknowledged() throws Exception {
        start();
        interfere(
                Position.BELOW,
                SCOPE.class,
                message -> List.of(
                        message.getHeader(SCOPE.ID) != null && !(message.getHeader(SCOPE.ID) instanceof ScopeHeader)
                                ? instead(message, new byte[1])
                                : message));
        List<CompletableFuture<AckResult>> written = new ArrayList<>();
        for (int i = 0; i < 2000; i++) { // Many go together.
            written.add(write(2 + i % 100, "a" + i));
        }
        List<AckResult> outcomes =
                written.stream().map(FailingMemberTest::outcome).distinct().toList();
        assertTrue(outcomes.contains(AckResult.NONE), outcomes::toString);
    }

    private static Message instead(Message message, byte[] payload) {
        return new BytesMessage(message.getDest(), payload)
                .setSrc(message.getSrc())
                .setFlag(Message.Flag.OOB)
                .putHeader(SCOPE.ID, message.getHeader(SCOPE.ID));
    }

    @Test
    void aSessionThatCanNotBeFetchedIsAcknowledged() throws Exception {
        start();
        AtomicInteger left = new AtomicInteger(1);
        interfere(Position.BELOW, SCOPE.class, message -> change(message, left) ? List.of() : List.of(message));
        CompletableFuture<AckResult> missed = write(2, "missed");
        Await.until(Await.LIMIT, left::get, () -> left.get() == 0);
        times.get(1).fail(3, thread -> named(thread, "ask-"));
        assertEquals(AckResult.NONE, outcome(write(2, "parked")));
        assertTrue(!missed.isDone());
    }

    @Test
    void anErrorWhileJoiningIsTriedAgain() {
        ApplicationGroup first = begin(0);
        Await.until(Await.LIMIT, first::waitingFor, first::ready);
        times.get(1).fail(3, thread -> named(thread, "join"));
        ApplicationGroup second = begin(1);
        Await.until(Await.LIMIT, second::waitingFor, second::ready);
        assertEquals(0, times.get(1).left());
    }

    @Test
    void anErrorInARepairIsTriedAgain() {
        start();
        times.get(1).fail(3, thread -> named(thread, "join"));
        groups.get(1).suspend("was told to");
        Await.until(
                Await.LIMIT,
                groups.get(1)::waitingFor,
                () -> groups.get(1).ready() && !groups.get(1).suspended());
        assertEquals(0, times.get(1).left());
    }

    @Test
    void anInterruptDoesNotEndAJoiner() {
        start();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> named(thread, "join"))
                .forEach(Thread::interrupt);
        groups.get(1).suspend("was told to");
        Await.until(Await.LIMIT, groups.get(1)::waitingFor, () -> groups.get(1).ready());
    }

    @Test
    void aViewThatIsTakenBadlyIsTakenAgain() {
        ApplicationGroup first = begin(0);
        Await.until(Await.LIMIT, first::waitingFor, first::ready);
        times.get(0).fail(1, thread -> inside("viewAccepted"));
        ApplicationGroup second = begin(1);
        Await.until(Await.LIMIT, second::waitingFor, second::ready);
        assertEquals(0, times.get(0).left());
        assertEquals(AckResult.ALL, outcome(write(1, "first")));
    }

    /** Looks of the watch are made by hand. */
    private void look(int times) {
        for (int i = 0; i < times; i++) {
            channels.get(1).watchdog().look();
        }
    }

    /** A delivery to the second member that does not end before the latch is open. */
    private CountDownLatch hang() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger left = new AtomicInteger(1);
        AtomicBoolean there = new AtomicBoolean();
        interfere(Position.ABOVE, SCOPE_FC.class, message -> {
            if (change(message, left)) {
                there.set(true);
                while (open.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            return List.of(message);
        });
        CompletableFuture<AckResult> unused = write(2, "stuck");
        Await.until(Await.LIMIT, there::get, there::get);
        return open;
    }

    /** Other threads may seem to stand still between looks that follow each other at once. */
    private boolean namesDelivering(int node) {
        String why = channels.get(node).standstill();
        return why != null && why.contains("delivering changes of other members in thread");
    }

    @Test
    void aDeliveryThatHangsIsNamedUntilItEnds() throws Exception {
        start();
        CountDownLatch open = hang();
        look(Watched.PATIENCE + 1);
        assertTrue(namesDelivering(1), channels.get(1)::standstill);
        assertNull(channels.get(0).standstill());
        open.countDown();
        awaitThere(2, "stuck");
        Await.until(Await.LIMIT, channels.get(1)::standstill, () -> {
            look(1);
            return !namesDelivering(1);
        });
        assertEquals(2, channels.get(1).viewSize());
    }

    @Test
    void whoCanNotDeliverLeavesTheOthers() throws Exception {
        start();
        CountDownLatch open = hang();
        CompletableFuture<AckResult> waits = write(2, "behind");
        look(Upkeep.LAST_LOOK + 1);
        assertEquals(AckResult.NONE, outcome(waits));
        Await.until(Await.LIMIT, channels.get(0)::view, () -> channels.get(0).viewSize() == 1);
        Await.until(Await.LIMIT, channels.get(1)::view, () -> channels.get(1).viewSize() == 1);
        open.countDown();
        look(2);
        String why = channels.get(1).standstill();
        assertTrue(why != null && why.startsWith("has left the cluster, because it made no progress with"), "" + why);
    }
}
