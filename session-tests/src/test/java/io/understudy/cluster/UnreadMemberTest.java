package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jgroups.Message;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member that reads nothing any more, until failure detection has removed it. */
@Tag("process")
@Timeout(1800)
class UnreadMemberTest {

    private final Channels nodes = new Channels();
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void close() {
        over.countDown();
        nodes.close();
    }

    @Test
    void memberThatDoesNotReadStopsNobodyElse() throws Exception {
        nodes.start(3);
        nodes.interfere(2, Position.ABOVE, TP.class, new Interference(message -> {
            awaitOver(); // Scoped messages come on the thread that reads, so it reads no more.
            return List.of(message);
        }));
        ClusterChannel first = nodes.channels.get(0);
        for (int i = 0; i < 300; i++) {
            Message message = new org.jgroups.BytesMessage(null, new byte[50_000])
                    .setFlag(Message.Flag.OOB, Message.Flag.NO_FC)
                    .putHeader(SCOPE.ID, new ScopeHeader(99, 1000 + i, 0, 0));
            first.jgroups().send(message); // Far more than the buffers of a socket, and past the flow control.
        }
        CompletableFuture<AckResult> held = nodes.write(1, "a", 10);
        Await.until(Await.LIMIT, () -> "write", () -> nodes.has(1, 1, "a"));
        assertEquals(AckResult.ALL, held.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "once the third has left");
        for (int i = 0; i < 2; i++) { // Each member takes the view over by itself.
            ClusterChannel left = nodes.channels.get(i);
            Await.until(Await.LIMIT, left::view, () -> !left.view().contains("node3"));
        }
        assertTrue(first.view().contains("node2"), first.view());
        assertTrue(
                nodes.channels.get(1).view().contains("node1"),
                nodes.channels.get(1).view());
    }

    private void awaitOver() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
