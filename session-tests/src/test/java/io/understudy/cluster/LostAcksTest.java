package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Message;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Acknowledgements are not confirmed, so they can be lost, as when a connection breaks. */
@Tag("cluster")
@Timeout(300)
class LostAcksTest {

    private final Channels nodes = new Channels();

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void aLostAcknowledgementIsAskedForAndComes() throws Exception {
        nodes.start(2);
        AtomicInteger lost = new AtomicInteger();
        nodes.interfere(
                0,
                Position.ABOVE,
                TP.class,
                new Interference(
                        message -> unconfirmed(message) && lost.incrementAndGet() <= 3 ? List.of() : List.of(message)));
        CompletableFuture<AckResult> held = nodes.write(1, "a", 10);
        assertEquals(AckResult.ALL, held.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertTrue(lost.get() > 3, lost::toString);
        assertEquals(0, nodes.channels.get(0).figures().changesAtRisk());
    }

    /** Uses of sessions are sent by the same thread as other regular messages, and may wait for credits of a third member. */
    @Test
    void itComesAlsoWhileRegularTasksWait() throws Exception {
        nodes.start(2);
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        nodes.channels.get(0).services().threads().every(Duration.ofMillis(1), "waiting", () -> {
            waiting.countDown();
            await(release);
        });
        assertTrue(waiting.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        AtomicInteger lost = new AtomicInteger();
        nodes.interfere(
                0,
                Position.ABOVE,
                TP.class,
                new Interference(
                        message -> unconfirmed(message) && lost.incrementAndGet() == 1 ? List.of() : List.of(message)));
        try {
            CompletableFuture<AckResult> held = nodes.write(1, "a", 10);
            assertEquals(AckResult.ALL, held.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } finally {
            release.countDown();
        }
    }

    /** Only so many were kept as a member sends in a tenth of a second under load. */
    @Test
    void itComesHoweverManyOthersWereSentMeanwhile() throws Exception {
        nodes.start(2);
        AtomicInteger acknowledgements = new AtomicInteger();
        nodes.interfere(
                0,
                Position.ABOVE,
                TP.class,
                new Interference(message -> unconfirmed(message) && acknowledgements.incrementAndGet() == 1
                        ? List.of()
                        : List.of(message)));
        AtomicBoolean questionsPass = new AtomicBoolean();
        nodes.interfere(
                1,
                Position.ABOVE,
                TP.class,
                new Interference(
                        message -> unconfirmed(message) && !questionsPass.get() ? List.of() : List.of(message)));
        CompletableFuture<AckResult> first = nodes.write(1, "a", 10);
        Await.until(Await.LIMIT, acknowledgements::get, () -> acknowledgements.get() == 1);
        List<CompletableFuture<AckResult>> others = new ArrayList<>();
        for (int session = 2; session <= 20_000; session++) {
            others.add(nodes.write(session, "a", 10));
        }
        for (CompletableFuture<AckResult> each : others) {
            assertEquals(AckResult.ALL, each.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
        assertFalse(first.isDone());
        questionsPass.set(true);
        assertEquals(AckResult.ALL, first.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        Await.until(
                Await.LIMIT,
                () -> "at risk",
                () -> nodes.channels.get(0).figures().changesAtRisk() == 0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean unconfirmed(Message message) {
        return message.getDest() != null && message.isFlagSet(Message.Flag.NO_RELIABILITY);
    }

    /** The bytes of a large change go in parts, each of which is acknowledged. */
    @Test
    void soAreThoseOfTheParts() throws Exception {
        nodes.start(2);
        AtomicInteger lost = new AtomicInteger();
        nodes.interfere(
                0,
                Position.ABOVE,
                TP.class,
                new Interference(message ->
                        unconfirmed(message) && lost.incrementAndGet() % 2 == 1 ? List.of() : List.of(message)));
        CompletableFuture<AckResult> held = nodes.write(1, "a", 2 << 20);
        assertEquals(AckResult.ALL, held.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        Await.until(Await.LIMIT, () -> "2 MB", () -> nodes.has(1, 1, "a"));
    }
}
