package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.network.detection.FAST_MERGE3;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.SessionKey;
import io.understudy.testkit.Await;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real channels with a member that is slow, does not read, or never gets a message. */
@Tag("cluster")
@Timeout(300)
class BackPressureTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** In bytes, of a change in many parts, the last of which is too large to share a message with another change. */
    private static final int LARGE = (24 << 20) + (64 << 10);

    private static final short MERGE = ClassConfigurator.getProtocolId(MERGE3.class);

    private final Channels nodes = new Channels();
    private final List<ClusterChannel> channels = nodes.channels;
    private final List<ApplicationGroup> groups = nodes.groups;
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void close() {
        over.countDown();
        nodes.close();
    }

    private static boolean scoped(Message message, Predicate<ScopeHeader> which) {
        ScopeHeader header = message.getHeader(SCOPE.ID);
        return header != null && which.test(header);
    }

    /** As after a stand-still, or loss one way: only one of two members knows that they were apart. */
    @Test
    void whatAMemberSentWhileItWasOutOfAnotherOnesViewIsNotWaitedForAfterTheMerge() throws Exception {
        nodes.start(2);
        AtomicBoolean apart = new AtomicBoolean(true);
        for (int node = 0; node < 2; node++) { // Else they could be merged before the write.
            nodes.interfere(
                    node,
                    Position.BELOW,
                    FAST_MERGE3.class,
                    new Interference(
                            message -> apart.get() && message.getHeader(MERGE) != null ? List.of() : List.of(message)));
        }
        JChannel other = channels.get(1).jgroups();
        GMS membership = other.getProtocolStack().findProtocol(GMS.class);
        long id = other.getView().getViewId().getId();
        membership.installView(View.create(other.getAddress(), id + 1, other.getAddress()));
        CompletableFuture<AckResult> held = nodes.write(1, "missed", 100);
        Await.that("it is sent", () -> channels.get(0).figures().unsentSessions() == 0);
        apart.set(false);
        assertEquals(AckResult.NONE, held.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
        Await.until(
                LIMIT,
                () -> groups.get(1).waitingFor(),
                () -> groups.get(1).store().get(new SessionKey(1)) != null);
    }

    @Test
    void aSessionWhoseChangeNeverComesIsPulled() throws Exception {
        nodes.start(2);
        assertEquals(AckResult.ALL, nodes.write(1, "a", 10).get());
        nodes.interfere(
                1,
                Position.BELOW,
                SCOPE.class,
                new Interference(
                        message -> scoped(message, header -> header.number() == 2) ? List.of() : List.of(message)));
        CompletableFuture<AckResult> lost = nodes.write(1, "lost", 10);
        Await.until(LIMIT, () -> "sent", () -> channels.get(0).figures().unsentSessions() == 0);
        assertEquals(AckResult.ALL, nodes.write(1, "b", 10).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        Await.until(LIMIT, () -> "pulled", () -> nodes.has(1, 1, "lost"));
        assertTrue(nodes.has(1, 1, "b"));
        assertTrue(!lost.isDone(), "no change is acknowledged that did not come");
    }

    @Test
    void aSlowMemberMakesNoRequestWaitAndNoMemoryGrow() throws Exception {
        nodes.start(2);
        CountDownLatch slow = new CountDownLatch(1);
        nodes.interfere(1, Position.ABOVE, SCOPE.class, new Interference(message -> {
            await(scoped(message, header -> true) ? slow : over, scoped(message, header -> true));
            return List.of(message);
        }));
        int sessions = 100;
        int writes = 20_000;
        CompletableFuture<AckResult> last = nodes.write(0, "a", 1000);
        for (int i = 1; i < writes; i++) { // One that waited for the slow member would wait for ever.
            last = nodes.write(i % sessions, "a", 1000);
        }
        assertTrue(channels.get(0).figures().unsentSessions() <= sessions);
        assertTrue(channels.get(0).figures().changesAtRisk() > 0);
        assertTrue(channels.get(0).figures().sessionsAtRisk() <= sessions);
        slow.countDown();
        assertEquals(AckResult.ALL, last.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        Await.until(
                LIMIT,
                () -> channels.get(0).figures().changesAtRisk(),
                () -> channels.get(0).figures().changesAtRisk() == 0);
    }

    private static void await(CountDownLatch latch, boolean wanted) {
        try {
            if (wanted) {
                latch.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean lastPart(Message message) {
        try {
            return scoped(message, header -> true)
                    && message.hasPayload()
                    && WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                            instanceof LastPart;
        } catch (WireFormatException e) {
            return false;
        }
    }

    @Test
    void aLargeChangeOfOneSessionDoesNotDelayAnother() throws Exception {
        nodes.start(3);
        assertEquals(AckResult.ALL, nodes.write(1, "a", 10).get());
        assertEquals(AckResult.ALL, nodes.write(2, "a", 10).get());
        Queue<Runnable> ends = new ConcurrentLinkedQueue<>();
        for (int node = 1; node < 3; node++) {
            AtomicReference<Interference> rule = new AtomicReference<>();
            rule.set(new Interference(message -> {
                if (lastPart(message)) {
                    ends.add(() -> rule.get().pass(message));
                    return List.of();
                }
                return List.of(message);
            }));
            nodes.interfere(node, Position.BELOW, SCOPE.class, rule.get());
        }
        CompletableFuture<AckResult> large = nodes.write(1, "large", LARGE);
        for (int i = 0; i < 3; i++) {
            assertEquals(AckResult.ALL, nodes.write(2, "small" + i, 10).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
        assertFalse(large.isDone(), "its end is kept back: the small changes have passed it");
        Await.that("its end has come to both", () -> ends.size() == 2);
        ends.forEach(Runnable::run);
        assertEquals(AckResult.ALL, large.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        for (int node = 1; node < 3; node++) {
            assertEquals(
                    LARGE,
                    groups.get(node)
                            .store()
                            .get(new SessionKey(1))
                            .replica()
                            .attribute("large")
                            .bytes()
                            .length);
        }
    }
}
