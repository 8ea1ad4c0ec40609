package io.understudy.network.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.Interference;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.transport.FlowCredits;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.SCOPE_FC;
import io.understudy.ordering.ScopeHeader;
import io.understudy.ordering.ScopedBatch;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.threads.Uninterrupted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.LongMessage;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that SCOPE delivers on the thread that read them: here those below 1,000 bytes. */
@Tag("cluster")
@Timeout(300)
class PromptDeliveryTest implements Receiver {

    private static final int SMALL = 100;
    private static final int LARGE = 2000;

    /** Holds up threads that send credits. */
    private static final class Held extends Protocol {

        static {
            ClassConfigurator.addProtocol((short) 4297, Held.class);
        }

        /** Whether each of them is in the middle of a delivery. */
        private final ConcurrentLinkedQueue<Boolean> waiting = new ConcurrentLinkedQueue<>();

        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public Object down(Message message) {
            if (message instanceof LongMessage) {
                waiting.add(StackWalker.getInstance()
                        .walk(frames ->
                                frames.anyMatch(frame -> frame.getClassName().equals(SCOPE.class.getName()))));
                Uninterrupted.run(over::await);
            }
            return down_prot.down(message);
        }
    }

    private final List<JChannel> channels = new ArrayList<>();
    private final Held held = new Held();

    /** Lengths of what came, by scope, and the threads that brought it, by length. */
    private final Map<Long, ConcurrentLinkedQueue<Integer>> received = new ConcurrentHashMap<>();

    private final Map<Integer, ConcurrentLinkedQueue<Thread>> threads = new ConcurrentHashMap<>();

    /** Scopes of which something was delivered when a run ended. */
    private final Set<Long> flushed = ConcurrentHashMap.newKeySet();

    private final CountDownLatch open = new CountDownLatch(1);

    @BeforeEach
    void start() throws Exception {
        for (UnderstudyConfig config : LoopbackCluster.configs(2)) {
            JChannel channel = Stacks.channel(config);
            channels.add(channel.setReceiver(this).setDiscardOwnMessages(true));
        }
        JChannel receiver = channels.get(1);
        receiver.getProtocolStack().insertProtocol(held, Position.BELOW, SCOPE_FC.class);
        scope(receiver).setPromptly(message -> message.getLength() < 1000).setRunEnd(this::runEnds);
        for (JChannel channel : channels) {
            channel.connect("prompt");
        }
        Await.until(
                Await.LIMIT,
                channels::toString,
                () -> channels.stream().allMatch(channel -> channel.getView().size() == 2));
    }

    @AfterEach
    void close() {
        open.countDown();
        held.over.countDown();
        channels.forEach(JChannel::close);
    }

    private void runEnds() {
        flushed.addAll(received.keySet());
    }

    private static SCOPE scope(JChannel channel) {
        return channel.getProtocolStack().findProtocol(SCOPE.class);
    }

    @Override
    public void receive(Message message) {
        int length = message.getLength();
        threads.computeIfAbsent(length, key -> new ConcurrentLinkedQueue<>()).add(Thread.currentThread());
        if (length == LARGE + 1) {
            Uninterrupted.run(open::await);
        }
        ScopeHeader place = message.getHeader(SCOPE.ID);
        received.computeIfAbsent(place.scope(), key -> new ConcurrentLinkedQueue<>())
                .add(length);
    }

    private void send(long scope, int bytes) throws Exception {
        channels.get(0)
                .send(new BytesMessage(null, new byte[bytes])
                        .setFlag(Message.Flag.OOB)
                        .setFlag(Message.TransientFlag.DONT_LOOPBACK)
                        .putHeader(SCOPE.ID, scope(channels.get(0)).next(scope)));
    }

    private List<Integer> received(long scope) {
        return List.copyOf(received.getOrDefault(scope, new ConcurrentLinkedQueue<>()));
    }

    private void await(long scope, Integer... lengths) {
        Await.until(Await.LIMIT, received::toString, () -> received(scope).equals(List.of(lengths)));
    }

    @Test
    void theThreadThatReadsDeliversThem() throws Exception {
        Set<Long> scopes = new HashSet<>();
        for (long scope = 0; scope < 40; scope++) {
            send(scope, scope % 2 == 0 ? SMALL : LARGE);
            scopes.add(scope);
        }
        Await.until(Await.LIMIT, received::toString, () -> received.keySet().equals(scopes));
        assertTrue(threads.get(LARGE).stream().allMatch(PromptDeliveryTest::worker), () -> threads.toString());
        assertFalse(threads.get(SMALL).stream().anyMatch(PromptDeliveryTest::worker), () -> threads.toString());
        Await.until(Await.LIMIT, flushed::toString, () -> flushed.equals(scopes));
    }

    /** Their sender does not wait for workers that have much to do. */
    @Test
    void theirAcknowledgementsWaitForNoWorker() throws Exception {
        for (int i = 0; i < scope(channels.get(1)).deliveryThreads(); i++) {
            send(100 + i, LARGE + 1);
        }
        SCOPE sending = scope(channels.get(0));
        ScopedBatch batch = new ScopedBatch(64_000);
        batch.add(sending.next(8L), new byte[LARGE], LARGE);
        batch.add(sending.next(7L), new byte[SMALL], SMALL);
        channels.get(0).send(batch.take().setFlag(Message.Flag.OOB).setFlag(Message.TransientFlag.DONT_LOOPBACK));
        await(7, SMALL);
        Await.until(Await.LIMIT, flushed::toString, () -> flushed.contains(7L));
        assertEquals(List.of(), received(8));
        open.countDown();
        await(8, LARGE);
    }

    /** A large one may be among them. */
    @Test
    void whatWasHeldWithThemIsForAWorker() throws Exception {
        AtomicReference<Message> late = new AtomicReference<>();
        Interference keepingBack = new Interference(message -> {
            ScopeHeader place = message.getHeader(SCOPE.ID);
            long scope = place == null ? 0 : place.scope();
            if (scope == 7 && late.compareAndSet(null, message)) {
                return List.of();
            }
            return scope == 99 ? List.of(late.get(), message) : List.of(message);
        });
        channels.get(1).getProtocolStack().insertProtocol(keepingBack, Position.BELOW, SCOPE.class);
        send(7, SMALL);
        send(7, LARGE);
        Await.until(Await.LIMIT, () -> "not held", () -> scope(channels.get(1)).getWaitingMessages() == 1);
        send(99, SMALL + 1);
        await(7, SMALL, LARGE);
        await(99, SMALL + 1);
        assertTrue(threads.get(SMALL).stream().allMatch(PromptDeliveryTest::worker), threads::toString);
        assertFalse(threads.get(SMALL + 1).stream().anyMatch(PromptDeliveryTest::worker), threads::toString);
    }

    private static boolean worker(Thread thread) {
        return thread.getName().startsWith("scope-");
    }

    @Test
    void whatAnotherThreadDeliversIsNotOvertaken() throws Exception {
        send(7, LARGE + 1);
        Await.until(Await.LIMIT, threads::toString, () -> threads.containsKey(LARGE + 1));
        send(7, SMALL);
        send(8, SMALL);
        await(8, SMALL);
        assertEquals(List.of(), received(7));
        open.countDown();
        await(7, LARGE + 1, SMALL);
    }

    /** They wait for their place among what the sender has not confirmed, perhaps for the thread that would wait. */
    @Test
    void creditsThatCantGoHoldUpNothing() throws Exception {
        int bytes = 999;
        int messages = (int) (0.9 * FlowCredits.MAX_BYTES / bytes);
        for (int i = 0; i < messages; i++) {
            send(i % 10, bytes);
        }
        Await.until(Await.LIMIT, held.waiting::toString, () -> !held.waiting.isEmpty());
        assertFalse(held.waiting.contains(true), "it may be the thread that reads");
        send(77, SMALL);
        await(77, SMALL);
    }
}
