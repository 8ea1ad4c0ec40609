package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Acks;
import io.understudy.config.UnderstudyConfig;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.store.StoredReplica;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real channels with a member that is slow, does not read, or never gets a message. */
@Tag("cluster")
@Timeout(120)
class BackPressureTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final List<ClusterChannel> channels = new ArrayList<>();
    private final List<ApplicationGroup> groups = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void close() {
        over.countDown();
        channels.forEach(ClusterChannel::close);
    }

    private void start(int count) {
        for (UnderstudyConfig config : LoopbackCluster.configs(count)) {
            ClusterChannel channel = Stacks.connect(config);
            channels.add(channel);
            ApplicationGroup group = channel.join("/shop");
            groups.add(group);
            Await.until(LIMIT, group::waitingFor, group::ready);
        }
    }

    private void interfere(
            int node, Position position, Class<? extends org.jgroups.stack.Protocol> beside, Interference rule)
            throws Exception {
        channels.get(node).jgroups().getProtocolStack().insertProtocol(rule, position, beside);
    }

    private CompletableFuture<Held> write(long session, String name, int bytes) {
        Stamp stamp = channels.get(0).clock().next(0);
        SessionKey key = new SessionKey(session);
        boolean first = groups.get(0).store().get(key) == null;
        SessionDelta delta = new SessionDelta(
                key,
                first,
                first ? new Stamped<>(stamp, "id" + session) : null,
                null,
                stamp,
                Map.of(name, StampedBytes.of(stamp, new byte[bytes])),
                null);
        return groups.get(0).prepare(delta, 0, Acks.ALL).held();
    }

    private boolean has(int node, long session, String name) {
        StoredReplica stored = groups.get(node).store().get(new SessionKey(session));
        return stored != null && stored.replica().attribute(name) != null;
    }

    private static boolean scoped(Message message, Predicate<ScopeHeader> which) {
        ScopeHeader header = message.getHeader(SCOPE.ID);
        return header != null && which.test(header);
    }

    /** As after a stand-still, or loss one way: only one of two members knows that they were apart. */
    @Test
    void whatAMemberSentWhileItWasOutOfAnotherOnesViewIsNotWaitedForAfterTheMerge() throws Exception {
        start(2);
        JChannel other = channels.get(1).jgroups();
        GMS membership = other.getProtocolStack().findProtocol(GMS.class);
        long id = other.getView().getViewId().getId();
        membership.installView(View.create(other.getAddress(), id + 1, other.getAddress()));
        CompletableFuture<Held> held = write(1, "missed", 100);
        assertEquals(Held.NONE, held.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
        Await.until(
                LIMIT,
                () -> groups.get(1).waitingFor(),
                () -> groups.get(1).store().get(new SessionKey(1)) != null);
    }

    @Test
    void aSessionWhoseChangeNeverComesIsPulled() throws Exception {
        start(2);
        assertEquals(Held.ALL, write(1, "a", 10).get());
        interfere(
                1,
                Position.BELOW,
                SCOPE.class,
                new Interference(
                        message -> scoped(message, header -> header.number() == 2) ? List.of() : List.of(message)));
        CompletableFuture<Held> lost = write(1, "lost", 10);
        Await.until(LIMIT, () -> "sent", () -> channels.get(0).unsentSessions() == 0);
        assertEquals(Held.ALL, write(1, "b", 10).get(20, TimeUnit.SECONDS));
        Await.until(LIMIT, () -> "pulled", () -> has(1, 1, "lost"));
        assertTrue(has(1, 1, "b"));
        assertTrue(!lost.isDone(), "no change is acknowledged that did not come");
    }

    @Test
    void aSlowMemberMakesNoRequestWaitAndNoMemoryGrow() throws Exception {
        start(2);
        CountDownLatch slow = new CountDownLatch(1);
        interfere(1, Position.ABOVE, SCOPE.class, new Interference(message -> {
            await(scoped(message, header -> true) ? slow : over, scoped(message, header -> true));
            return List.of(message);
        }));
        int sessions = 100;
        long longest = 0;
        int writes = 20_000;
        CompletableFuture<Held> last = write(0, "a", 1000);
        for (int i = 1; i < writes; i++) {
            long begin = System.nanoTime();
            last = write(i % sessions, "a", 1000);
            longest = Math.max(longest, System.nanoTime() - begin);
        }
        assertTrue(longest < TimeUnit.SECONDS.toNanos(3), "the longest took " + longest / 1_000_000 + " ms");
        assertTrue(channels.get(0).unsentSessions() <= sessions);
        assertTrue(channels.get(0).changesAtRisk() > 0);
        assertTrue(channels.get(0).sessionsAtRisk() <= sessions);
        slow.countDown();
        assertEquals(Held.ALL, last.get(40, TimeUnit.SECONDS));
        Await.until(
                LIMIT,
                () -> channels.get(0).changesAtRisk(),
                () -> channels.get(0).changesAtRisk() == 0);
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

    @Test
    void aLargeChangeOfOneSessionDoesNotDelayAnother() throws Exception {
        start(3);
        assertEquals(Held.ALL, write(1, "a", 10).get());
        assertEquals(Held.ALL, write(2, "a", 10).get());
        CompletableFuture<Held> large = write(1, "large", 24 << 20);
        int passed = 0;
        while (!large.isDone()) {
            assertEquals(Held.ALL, write(2, "small" + passed, 10).get(20, TimeUnit.SECONDS));
            passed += large.isDone() ? 0 : 1;
        }
        assertTrue(passed >= 3, passed + " small changes passed the large one");
        assertEquals(Held.ALL, large.get());
        for (int node = 1; node < 3; node++) {
            assertEquals(
                    24 << 20,
                    groups.get(node)
                            .store()
                            .get(new SessionKey(1))
                            .replica()
                            .attribute("large")
                            .bytes()
                            .length);
        }
    }

    @Test
    void aMemberThatDoesNotReadDoesNotStopWhatIsSentToOthers() throws Exception {
        start(3);
        interfere(2, Position.ABOVE, TP.class, new Interference(message -> {
            await(over, true); // Scoped messages come on the thread that reads, so it reads no more.
            return List.of(message);
        }));
        for (int i = 0; i < 300; i++) {
            Message message = new org.jgroups.BytesMessage(null, new byte[50_000])
                    .setFlag(Message.Flag.OOB, Message.Flag.NO_FC)
                    .putHeader(SCOPE.ID, new ScopeHeader(99, 1000 + i, 0, 0));
            channels.get(0).send(message); // Far more than the buffers of a socket, and past the flow control.
        }
        CompletableFuture<Held> held = write(1, "a", 10);
        Await.until(LIMIT, () -> "write", () -> has(1, 1, "a"));
        assertEquals(Held.ALL, held.get(40, TimeUnit.SECONDS), "once the third has left");
        assertTrue(channels.get(0).view().contains("node2"), channels.get(0).view());
        assertTrue(!channels.get(0).view().contains("node3"), channels.get(0).view());
        assertTrue(channels.get(1).view().contains("node1"), channels.get(1).view());
    }
}
