package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.threads.AtOnce;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Acks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("rules")
@Timeout(60)
class AckSenderTest {

    private static final int MAX_ACKS = 1000;

    private final List<Throwable> failed = new ArrayList<>();

    @Test
    void eightThreadsSendEveryAcknowledgementOnceToItsMember() throws Exception {
        List<Address> members = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
        int each = 10_000;
        Map<Address, Queue<List<Ack>>> frames = new ConcurrentHashMap<>();
        members.forEach(member -> frames.put(member, new ConcurrentLinkedQueue<>()));
        AckSender sender =
                new AckSender((member, frame) -> frames.get(member).add(acks(frame)), failed::add, rest -> false);
        AtOnce.run(8, thread -> {
            long from = (long) thread * each;
            for (long i = from; i < from + each; i++) {
                sender.ack(members.get((int) (i % members.size())), new Ack(i, i % 5 == 0));
            }
            return thread;
        });
        for (int m = 0; m < members.size(); m++) {
            int member = m;
            List<Ack> sent =
                    frames.get(members.get(m)).stream().flatMap(List::stream).toList();
            List<Long> expected = LongStream.range(0, 8L * each)
                    .filter(i -> i % members.size() == member)
                    .boxed()
                    .toList();
            assertEquals(expected, sent.stream().map(Ack::number).sorted().toList());
            assertTrue(sent.stream().allMatch(ack -> ack.parked() == (ack.number() % 5 == 0)));
            assertTrue(
                    frames.get(members.get(m)).stream().allMatch(acks -> !acks.isEmpty() && acks.size() <= MAX_ACKS));
        }
    }

    /** The thread that reads from another member came no further while changes of this one arrived. */
    @Test
    void whoSendsIsNotKeptByWhatComesMeanwhile() {
        Address member = UUID.randomUUID();
        int all = 10;
        List<Ack> sent = new ArrayList<>();
        List<Runnable> left = new ArrayList<>();
        List<AckSender> self = new ArrayList<>();
        AckSender sender = new AckSender(
                (to, frame) -> {
                    sent.addAll(acks(frame));
                    if (sent.size() < all) {
                        self.get(0).enqueue(to, new Ack(sent.size() + 1, false));
                    }
                },
                failed::add,
                left::add);
        self.add(sender);
        sender.enqueue(member, new Ack(1, false));
        sender.flush();
        assertEquals(2, sent.size(), "then the thread goes on with its own work");
        sender.flush();
        assertEquals(1, left.size(), "one thread is enough");
        while (!left.isEmpty()) {
            left.remove(0).run();
        }
        assertEquals(
                LongStream.rangeClosed(1, all).boxed().toList(),
                sent.stream().map(Ack::number).toList());
    }

    /** While one frame is on its way, others only leave their acknowledgements; the sending thread then takes them all. */
    @Test
    void acknowledgementsThatComeWhileAFrameIsSentShareTheNextOnes() throws Exception {
        Address member = UUID.randomUUID();
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch gathered = new CountDownLatch(1);
        Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
        AckSender sender = new AckSender(
                (to, frame) -> {
                    sizes.add(acks(frame).size());
                    sending.countDown();
                    await(gathered);
                },
                failed::add,
                rest -> false);
        Future<?> first = AtOnce.beside(() -> {
            sender.ack(member, new Ack(0, false));
            return null;
        });
        await(sending);
        for (int i = 1; i <= 2500; i++) {
            sender.ack(member, new Ack(i, false));
        }
        gathered.countDown();
        first.get();
        assertEquals(List.of(1, 1000, 1000, 500), List.copyOf(sizes));
    }

    @Test
    void aSlowMemberDoesNotDelayAnother() throws Exception {
        Address slow = UUID.randomUUID();
        Address other = UUID.randomUUID();
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Queue<Address> sent = new ConcurrentLinkedQueue<>();
        AckSender sender = new AckSender(
                (to, frame) -> {
                    if (to.equals(slow)) {
                        sending.countDown();
                        await(release);
                    }
                    sent.add(to);
                },
                failed::add,
                rest -> false);
        Future<?> stuck = AtOnce.beside(() -> {
            sender.ack(slow, new Ack(1, false));
            return null;
        });
        await(sending);
        sender.ack(other, new Ack(2, false));
        assertEquals(List.of(other), List.copyOf(sent));
        release.countDown();
        stuck.get();
    }

    /** The old drain loop took itself for still sending after this, and never sent to that member again. */
    @Test
    void whatCanNotBeSentGoesWithTheNextAcknowledgement() {
        Address member = UUID.randomUUID();
        AtomicBoolean broken = new AtomicBoolean(true);
        List<Ack> sent = new ArrayList<>();
        AckSender sender = breakable(broken, sent);
        Ack first = new Ack(1, false);
        sender.ack(member, first);
        broken.set(false);
        sender.ack(member, new Ack(2, false));
        assertEquals(Set.of(first, new Ack(2, false)), Set.copyOf(sent));
        assertEquals(2, sent.size());
    }

    @Test
    void whatCanNotBeSentIsTriedAgain() {
        Address member = UUID.randomUUID();
        AtomicBoolean broken = new AtomicBoolean(true);
        List<Ack> sent = new ArrayList<>();
        AckSender sender = breakable(broken, sent);
        sender.ack(member, new Ack(1, true));
        sender.flush();
        assertEquals(2, failed.size());
        broken.set(false);
        sender.flush();
        sender.flush();
        assertEquals(List.of(new Ack(1, true)), sent);
    }

    @Test
    void aMemberOutOfReachDoesNotKeepTheOthers() {
        List<Address> members = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
        List<Address> tried = new ArrayList<>();
        List<Ack> sent = new ArrayList<>();
        AckSender sender = new AckSender(
                (to, frame) -> {
                    tried.add(to);
                    if (tried.size() == 1) {
                        throw new IllegalStateException("no network");
                    }
                    sent.addAll(acks(frame));
                },
                failed::add,
                rest -> false);
        members.forEach(member -> sender.enqueue(member, new Ack(1, false)));
        sender.flush();
        assertEquals(Set.copyOf(members), Set.copyOf(tried));
        assertEquals(3, sent.size());
    }

    private AckSender breakable(AtomicBoolean broken, List<Ack> sent) {
        return new AckSender(
                (member, frame) -> {
                    if (broken.get()) {
                        throw new IllegalStateException("no network");
                    }
                    sent.addAll(acks(frame));
                },
                failed::add,
                rest -> false);
    }

    @Test
    void aForgottenMemberCanBeAcknowledgedAgain() {
        Address member = UUID.randomUUID();
        List<Ack> sent = new ArrayList<>();
        AckSender sender = new AckSender((to, frame) -> sent.addAll(acks(frame)), failed::add, rest -> false);
        sender.ack(member, new Ack(1, false));
        sender.view(Set.of());
        sender.ack(member, new Ack(2, true));
        assertEquals(List.of(new Ack(1, false), new Ack(2, true)), sent);
    }

    @Test
    void whatWasLostGoesAgainIfTheMemberAsks() {
        Address member = UUID.randomUUID();
        List<Ack> sent = new ArrayList<>();
        AckSender sender = new AckSender((to, frame) -> sent.addAll(acks(frame)), failed::add, rest -> false);
        long first = 7_000_000_000L;
        long all = first + 3 * SentAcks.WINDOW / 2;
        for (long i = first; i < all; i++) {
            sender.ack(member, new Ack(i, i % 2 == 1));
        }
        sent.clear();
        sender.again(member, List.of(all - 1, all + 7, all - SentAcks.WINDOW));
        assertEquals(List.of(new Ack(all - 1, true), new Ack(all - SentAcks.WINDOW, false)), sent);
        sent.clear();
        sender.again(member, List.of(all - SentAcks.WINDOW - 1));
        sender.again(UUID.randomUUID(), List.of(all - 1));
        assertEquals(List.of(), sent, "too old, or sent to another member");
    }

    /** Each answer was kept beside the first one, so that the next question got twice as many, until they were all that was kept. */
    @Test
    void eachQuestionHasOneAnswerHoweverOftenItIsAsked() {
        Address member = UUID.randomUUID();
        List<Ack> sent = new ArrayList<>();
        AckSender sender = new AckSender((to, frame) -> sent.addAll(acks(frame)), failed::add, rest -> false);
        for (long i = 1; i <= 10_000; i++) {
            sender.ack(member, new Ack(i, false));
        }
        for (int times = 0; times < 20; times++) {
            sent.clear();
            sender.again(member, List.of(1L));
            assertEquals(List.of(new Ack(1, false)), sent);
        }
        sent.clear();
        sender.again(member, LongStream.rangeClosed(1, 10_000).boxed().toList());
        assertEquals(10_000, sent.size());
    }

    @Test
    void numbersMayComeInAnyOrderAndWithGaps() {
        Address member = UUID.randomUUID();
        List<Ack> sent = new ArrayList<>();
        AckSender sender = new AckSender((to, frame) -> sent.addAll(acks(frame)), failed::add, rest -> false);
        List.of(100L, 50L, 102L, 100L + SentAcks.WINDOW).forEach(number -> sender.ack(member, new Ack(number, false)));
        sent.clear();
        sender.again(member, List.of(50L, 100L, 101L, 102L, 103L, 100L + SentAcks.WINDOW));
        assertEquals(List.of(new Ack(102, false), new Ack(100L + SentAcks.WINDOW, false)), sent);
    }

    /** They are read from the network: a window that followed them would be cleared for as many numbers. */
    @Test
    void numbersThatNoMemberCountsToAreNotKept() {
        Address member = UUID.randomUUID();
        List<Ack> sent = new ArrayList<>();
        AckSender sender = new AckSender((to, frame) -> sent.addAll(acks(frame)), failed::add, rest -> false);
        List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE, Long.MAX_VALUE - 1, 5L, Long.MIN_VALUE, 6L)
                .forEach(number -> sender.ack(member, new Ack(number, false)));
        assertEquals(8, sent.size());
        sent.clear();
        sender.again(member, List.of(Long.MIN_VALUE, -1L, 0L, 5L, 6L, Long.MAX_VALUE));
        assertEquals(List.of(new Ack(5, false), new Ack(6, false)), sent);
    }

    private static List<Ack> acks(Frame frame) {
        return ((Acks) frame).acks();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS), "not within 30 s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
