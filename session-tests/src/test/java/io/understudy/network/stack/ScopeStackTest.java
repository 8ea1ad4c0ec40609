package io.understudy.network.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.Interference;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.transport.FlowCredits;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.SCOPE_FC;
import io.understudy.ordering.ScopeHeader;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.ViewId;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack.Position;
import org.jgroups.util.Digest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SCOPE in the stack of real channels, with loss, disorder and duplicates below it. */
@Tag("cluster")
@Timeout(300)
class ScopeStackTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** Longer than any test: nothing is let go by the timer. */
    private static final long NEVER = TimeUnit.HOURS.toMillis(1);

    /** What one member received. */
    private static final class Inbox implements Receiver {
        private final Map<Long, List<Long>> numbers = new ConcurrentHashMap<>();
        private final ConcurrentLinkedQueue<Long> afterGap = new ConcurrentLinkedQueue<>();

        @Override
        public void receive(Message message) {
            ScopeHeader header = message.getHeader(SCOPE.ID);
            numbers.computeIfAbsent(header.scope(), scope -> new CopyOnWriteArrayList<>())
                    .add(header.number());
            if (header.afterGap()) {
                afterGap.add(header.number());
            }
        }

        private Set<Long> all() {
            Set<Long> all = new TreeSet<>();
            List.copyOf(numbers.keySet()).forEach(scope -> all.addAll(List.copyOf(numbers.get(scope))));
            return all;
        }
    }

    private final List<JChannel> channels = new ArrayList<>();
    private final List<Inbox> inboxes = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    private JChannel add(UnderstudyConfig config, long gapMillis) throws Exception {
        JChannel channel = Stacks.channel(config);
        scope(channel).setGapTimeout(gapMillis);
        Inbox inbox = new Inbox();
        channels.add(channel.setReceiver(inbox).setDiscardOwnMessages(true));
        inboxes.add(inbox);
        return channel;
    }

    private void start(int count, long gapMillis) throws Exception {
        for (UnderstudyConfig config : LoopbackCluster.configs(count)) {
            add(config, gapMillis).connect(config.clusterName());
        }
        awaitMembers(count);
    }

    private void awaitMembers(int count) {
        Await.until(
                LIMIT,
                channels::toString,
                () -> channels.stream().allMatch(c -> c.getView().size() == count));
    }

    private static GMS membership(JChannel channel) {
        return channel.getProtocolStack().findProtocol(GMS.class);
    }

    private static SCOPE scope(JChannel channel) {
        return channel.getProtocolStack().findProtocol(SCOPE.class);
    }

    private static void belowScope(JChannel channel, Protocol protocol) throws Exception {
        channel.getProtocolStack().insertProtocol(protocol, Position.BELOW, SCOPE.class);
    }

    private static long sendUnchecked(JChannel channel, long scope, int bytes) {
        try {
            return send(channel, scope, bytes);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long send(JChannel channel, long scope, int bytes) throws Exception {
        ScopeHeader header = scope(channel).next(scope);
        channel.send(new BytesMessage(null, new byte[bytes])
                .setFlag(Message.Flag.OOB)
                .setFlag(Message.TransientFlag.DONT_LOOPBACK)
                .putHeader(SCOPE.ID, header));
        return header.number();
    }

    @Test
    void lostMessagesDelayTheirOwnScopeOnlyAndEveryScopeStaysInOrder() throws Exception {
        start(3, NEVER);
        for (JChannel receiver : channels.subList(1, 3)) {
            receiver.getProtocolStack().insertProtocol(new DISCARD().setUpDiscardRate(0.1), Position.ABOVE, TP.class);
        }
        for (int i = 0; i < 3000; i++) {
            send(channels.get(0), i % 50, 100);
        }
        for (int node = 1; node < 3; node++) {
            Inbox inbox = inboxes.get(node);
            Await.until(LIMIT, () -> inbox.all().size(), () -> inbox.all().size() == 3000);
            assertInOrder(inbox);
            assertEquals(List.of(0L, 0L, 0L), held(node));
        }
    }

    @Test
    void disorderAndDuplicatesBelowAreNotSeenAbove() throws Exception {
        start(2, NEVER);
        Random random = new Random(1);
        AtomicBoolean calm = new AtomicBoolean();
        ConcurrentLinkedQueue<Message> late = new ConcurrentLinkedQueue<>();
        belowScope(channels.get(1), new Interference(message -> {
            if (message.getHeader(SCOPE.ID) == null) {
                return List.of(message);
            }
            synchronized (random) {
                List<Message> now = new ArrayList<>();
                if (random.nextInt(4) == 0 && !calm.get()) {
                    late.add(message);
                } else {
                    now.add(message);
                }
                if (random.nextInt(10) == 0) {
                    now.add(message.copy(true, true));
                }
                while (!late.isEmpty() && (calm.get() || random.nextInt(8) == 0)) {
                    now.add(late.remove());
                }
                return now;
            }
        }));
        for (int i = 0; i < 3000; i++) {
            send(channels.get(0), i % 20, 100);
        }
        Inbox inbox = inboxes.get(1);
        Await.until(LIMIT, () -> inbox.all().size(), () -> inbox.all().size() > 100);
        calm.set(true);
        send(channels.get(0), 20, 100); // Whatever arrives after this brings what was kept back along.
        Await.until(LIMIT, () -> inbox.all().size(), () -> inbox.all().size() == 3001);
        inbox.numbers.forEach((scope, numbers) -> {
            long highest = 0;
            Set<Long> seen = new TreeSet<>();
            for (long number : List.copyOf(numbers)) {
                assertTrue(number > highest || seen.contains(number), () -> "scope " + scope + " got " + numbers);
                seen.add(number);
                highest = Math.max(highest, number);
            }
        });
        assertTrue(scope(channels.get(1)).getHeldMessages() > 0, "there was disorder");
    }

    @Test
    void whatNeverComesHoldsUpItsScopeForTheGapTimeoutAndNoOther() throws Exception {
        start(2, 500);
        ConcurrentLinkedQueue<Long> dropped = new ConcurrentLinkedQueue<>();
        belowScope(channels.get(1), new Interference(message -> {
            ScopeHeader header = message.getHeader(SCOPE.ID);
            boolean drop = header != null && header.number() == 2;
            if (drop) {
                dropped.add(header.number());
            }
            return drop ? List.of() : List.of(message);
        }));
        send(channels.get(0), 7, 10);
        send(channels.get(0), 7, 10);
        long third = send(channels.get(0), 7, 10);
        long other = send(channels.get(0), 8, 10);
        Inbox inbox = inboxes.get(1);
        Await.until(LIMIT, inbox.numbers::toString, () -> inbox.all().contains(other));
        Await.until(LIMIT, inbox.numbers::toString, () -> inbox.all().contains(third));
        assertEquals(List.of(2L), List.copyOf(dropped));
        assertEquals(List.of(third), List.copyOf(inbox.afterGap), "the scope is to be pulled");
        long next = send(channels.get(0), 7, 10);
        Await.until(LIMIT, inbox.numbers::toString, () -> inbox.all().contains(next));
        assertEquals(List.of(third), List.copyOf(inbox.afterGap), "once");
        assertEquals(1, scope(channels.get(1)).getGaps());
        assertEquals(0, scope(channels.get(1)).getWaitingBytes());
    }

    @Test
    void whoJoinsInMidStreamWaitsForNothingSentBeforeAndWhoLeavesIsForgotten() throws Exception {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(3);
        for (UnderstudyConfig config : configs.subList(0, 2)) {
            add(config, NEVER).connect(config.clusterName());
        }
        awaitMembers(2);
        for (int i = 0; i < 500; i++) {
            send(channels.get(0), i % 10, 100);
        }
        add(configs.get(2), NEVER).connect(configs.get(2).clusterName());
        awaitMembers(3);
        for (int i = 0; i < 500; i++) {
            send(channels.get(0), i % 10, 100);
        }
        Inbox joiner = inboxes.get(2);
        Await.until(LIMIT, () -> held(2), () -> joiner.all().contains(1000L));
        Await.until(LIMIT, () -> held(2), () -> joiner.all().containsAll(range(501, 1000)));
        assertInOrder(joiner);
        assertEquals(List.of(0L, 0L, 0L), held(2));
        assertEquals(10, scope(channels.get(2)).getScopes());
        channels.get(0).close();
        Await.until(LIMIT, () -> held(2), () -> scope(channels.get(2)).getScopes() == 0);
    }

    /** As a member that stood still: the others went on without it, and its own view never changed. */
    @Test
    void afterAMergeNothingSentToTheOtherSideIsWaitedForThoughNobodyLeftThisView() throws Exception {
        long gapMillis = 400;
        start(2, gapMillis);
        JChannel sender = channels.get(0);
        // Once a gap timeout is over the receiver believes no other base of this sender any more.
        Set<Long> sent = new TreeSet<>(Set.of(send(sender, 7, 100)));
        long end = System.nanoTime() + 2 * gapMillis * 1_000_000;
        Await.until(LIMIT, () -> inboxes.get(1).all() + " of " + sent, () -> {
            if (System.nanoTime() < end) {
                sent.add(sendUnchecked(sender, 7, 100));
                return false;
            }
            return inboxes.get(1).all().equals(sent);
        });
        scope(sender).next(7L); // Went out while the receiver was not in the sender's view.
        View before = sender.getView();
        long id = before.getViewId().getId();
        View without = View.create(sender.getAddress(), id + 1, sender.getAddress());
        View merged =
                new MergeView(new ViewId(sender.getAddress(), id + 2), before.getMembers(), List.of(before, without));
        for (JChannel channel : channels) {
            membership(channel).installView(merged);
        }
        sent.add(send(sender, 7, 100));
        Await.until(
                LIMIT, () -> inboxes.get(1).all(), () -> inboxes.get(1).all().equals(sent));
        assertEquals(0, scope(channels.get(1)).getReleasedMessages());
    }

    /** The others dropped it, and counted its credits anew, while it stood still: its sending thread waited for five seconds. */
    @Test
    void whoWasDroppedUnawaresHasAllCreditsAgain() throws Exception {
        start(2, NEVER);
        JChannel other = channels.get(0);
        JChannel unaware = channels.get(1);
        credits(unaware).setMaxBlockTime(LIMIT.multipliedBy(2).toMillis());
        int bytes = 60_000;
        int most = FlowCredits.MAX_BYTES * 3 / 5 / bytes; // So few that the other one gives none back.
        for (int i = 0; i < most; i++) {
            send(unaware, i, bytes);
        }
        Inbox inbox = inboxes.get(0);
        Await.until(LIMIT, inbox::all, () -> inbox.all().size() == most);
        assertEquals(0, credits(other).creditsSent());

        View before = unaware.getView();
        long id = before.getViewId().getId();
        View without = View.create(other.getAddress(), id + 1, other.getAddress());
        View merged =
                new MergeView(new ViewId(other.getAddress(), id + 2), before.getMembers(), List.of(before, without));
        membership(other).installView(without);
        Digest sent =
                (Digest) membership(unaware).getDownProtocol().down(new Event(Event.GET_DIGEST, unaware.getAddress()));
        membership(other).installView(merged, sent);
        membership(unaware).installView(merged, sent);
        CompletableFuture<Void> sending = Beside.run(() -> {
            for (int i = 0; i < most; i++) {
                sendUnchecked(unaware, i, bytes);
            }
        });
        Await.until(LIMIT, inbox::all, () -> inbox.all().size() == 2 * most);
        sending.join();
        assertEquals(0, credits(unaware).creditRequestsSent());
    }

    @Test
    void heldMessagesGiveTheirCreditsBack() throws Exception {
        start(2, NEVER);
        belowScope(channels.get(1), new Interference(message -> {
            ScopeHeader header = message.getHeader(SCOPE.ID);
            return header != null && header.number() <= 100 ? List.of() : List.of(message);
        }));
        // By itself it would ask for more after five seconds, for which a busy machine may stand still.
        credits(channels.get(0)).setMaxBlockTime(LIMIT.multipliedBy(2).toMillis());
        for (int scope = 0; scope < 100; scope++) {
            send(channels.get(0), scope, 10);
        }
        int bytes = 60_000;
        assertTrue(100 * bytes > FlowCredits.MAX_BYTES);
        for (int scope = 0; scope < 100; scope++) {
            send(channels.get(0), scope, bytes); // Without credits it would wait here until it asks for them.
        }
        Await.until(LIMIT, () -> held(1), () -> scope(channels.get(1)).getWaitingMessages() == 100);
        assertEquals(100L * bytes, scope(channels.get(1)).getWaitingBytes());
        assertEquals(0, credits(channels.get(0)).creditRequestsSent(), "the sender did not wait");
        assertEquals(0, inboxes.get(1).all().size());
    }

    @Test
    void aScopeHoldsNoMoreThanItsBytes() throws Exception {
        start(2, NEVER);
        belowScope(channels.get(1), new Interference(message -> {
            ScopeHeader header = message.getHeader(SCOPE.ID);
            return header != null && header.number() == 1 ? List.of() : List.of(message);
        }));
        send(channels.get(0), 7, 10);
        for (int i = 0; i < 6; i++) {
            send(channels.get(0), 7, 50_000);
        }
        Await.until(LIMIT, () -> held(1), () -> inboxes.get(1).all().size() == 6);
        assertEquals(List.of(2L), List.copyOf(inboxes.get(1).afterGap));
        assertInOrder(inboxes.get(1));
    }

    @Test
    void whatWaitsToBeHandledStaysBelowTheCreditsHoweverLongItTakes() throws Exception {
        start(2, NEVER);
        CountDownLatch open = new CountDownLatch(1);
        channels.get(1)
                .getProtocolStack()
                .insertProtocol(
                        new Interference(message -> {
                            if (message.getHeader(SCOPE.ID) != null) {
                                awaitOpen(open);
                            }
                            return List.of(message);
                        }),
                        Position.ABOVE,
                        SCOPE_FC.class);
        int messages = 200;
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < messages; i++) {
                    send(channels.get(0), i, 60_000);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        sender.start();
        SCOPE_FC from = credits(channels.get(0));
        Await.until(LIMIT, from::printCredits, () -> from.creditRequestsSent() >= 1);
        Await.until(LIMIT, from::printCredits, () -> credits(channels.get(1)).creditRequestsReceived() >= 1);
        long unhandled = credits(channels.get(1)).getUnhandledBytes();
        assertTrue(unhandled <= FlowCredits.MAX_BYTES, "unhandled: " + unhandled);
        assertEquals(0, credits(channels.get(1)).creditsSent());
        open.countDown();
        sender.join();
        Await.until(
                LIMIT,
                () -> inboxes.get(1).all().size(),
                () -> inboxes.get(1).all().size() == messages);
        Await.until(LIMIT, () -> "handled", () -> credits(channels.get(1)).getUnhandledBytes() == 0);
    }

    private static void awaitOpen(CountDownLatch open) {
        try {
            open.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static SCOPE_FC credits(JChannel channel) {
        return channel.getProtocolStack().findProtocol(SCOPE_FC.class);
    }

    private static Set<Long> range(long from, long to) {
        Set<Long> range = new TreeSet<>();
        for (long number = from; number <= to; number++) {
            range.add(number);
        }
        return range;
    }

    private static void assertInOrder(Inbox inbox) {
        inbox.numbers.forEach(
                (scope, numbers) -> assertEquals(numbers.stream().sorted().toList(), numbers, () -> "scope " + scope));
    }

    /** What a member holds, let go unordered, and is to pull. */
    private List<Long> held(int node) {
        SCOPE scope = scope(channels.get(node));
        return List.of(scope.getWaitingMessages(), scope.getReleasedMessages(), scope.getGaps());
    }
}
