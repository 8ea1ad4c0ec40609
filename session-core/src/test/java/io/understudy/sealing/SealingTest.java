package io.understudy.sealing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read, and what is not. */
@Tag("rules")
class SealingTest {

    private final Party ann = Party.of(Party.SECRET, "");
    private final Party bob = Party.of(Party.SECRET, "");

    @Test
    void whoIsNewIsAskedAndBothAreKnownAfterOneMoreRoundTrip() {
        bob.hear(ann.seal("lost"));
        assertEquals(List.of(Refusal.UNPROVEN), bob.refused);
        assertEquals(1, bob.replies.size());
        ann.hear(bob.replies.remove());
        assertEquals(1, ann.answered);
        bob.hear(ann.replies.remove());
        bob.hear(ann.seal("heard"));
        ann.hear(bob.replies.remove());
        ann.hear(bob.seal("heard, too"));
        assertEquals(List.of("heard"), bob.read);
        assertEquals(List.of("heard, too"), ann.read);
        assertTrue(ann.replies.isEmpty() && bob.replies.isEmpty());
    }

    @Test
    void nothingIsReadableOrAlikeInWhatIsSealed() {
        byte[] first = ann.seal("the attribute's value");
        byte[] second = ann.seal("the attribute's value");
        assertFalse(new String(first, java.nio.charset.StandardCharsets.ISO_8859_1).contains("attribute"));
        assertFalse(Arrays.equals(first, Seal.HEADER, first.length, second, Seal.HEADER, second.length));
    }

    @Test
    void aFrameOfWhichAnyBitIsChangedNeverOpens() {
        ann.meet(bob);
        byte[] frame = ann.seal("a message");
        for (int bit = 0; bit < frame.length * Byte.SIZE; bit++) {
            byte[] changed = frame.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            bob.hear(changed);
            assertEquals(bit + 1, bob.refused.size() + bob.refusedThere, "bit " + bit);
        }
        assertEquals(List.of(), bob.read);
        bob.hear(frame);
        assertEquals(List.of("a message"), bob.read);
    }

    @Test
    void aFrameThatIsCutOrHasMoreBytesNeverOpens() {
        ann.meet(bob);
        byte[] frame = ann.seal("a message");
        for (int length = 0; length < frame.length; length++) {
            bob.hear(Arrays.copyOf(frame, length));
        }
        bob.hear(Arrays.copyOf(frame, frame.length + 1));
        assertEquals(frame.length + 1, bob.refused.size());
        assertEquals(List.of(), bob.read);
    }

    @Test
    void anythingThatIsNoFrameIsRefusedAndNeverThrows() {
        Random random = new Random(1);
        byte[] sealed = ann.seal("a message");
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            int kept = Math.min(bytes.length, random.nextInt(Seal.HEADER + 1));
            System.arraycopy(sealed, 0, bytes, 0, kept);
            bob.hear(bytes);
        }
        assertEquals(List.of(), bob.read);
        assertEquals(20_000, bob.refused.size() + bob.refusedThere);
        assertTrue(bob.replies.isEmpty(), "nobody is asked who has no key");
    }

    @Test
    void aFrameIsReadOnceByEachWayInAnyOrder() {
        ann.meet(bob);
        List<byte[]> frames = new ArrayList<>(
                IntStream.range(0, 500).mapToObj(i -> ann.seal("m" + i)).toList());
        Collections.shuffle(frames, new Random(2));
        frames.forEach(bob::hear);
        assertEquals(500, bob.read.size());
        assertEquals(List.of(), bob.refused);
        frames.forEach(frame -> bob.hear(FramePath.STREAM, frame));
        assertEquals(1000, bob.read.size(), "by the other way they are no replays");
        frames.forEach(bob::hear);
        frames.forEach(frame -> bob.hear(FramePath.STREAM, frame));
        assertEquals(1000, bob.read.size());
        assertEquals(Collections.nCopies(1000, Refusal.REPLAYED), bob.refused);
    }

    /** Otherwise a captured message of the transport, sent to another port, would be new there. */
    @ParameterizedTest
    @EnumSource(
            names = {"DISCOVERY", "FAILURE_DETECTION", "MULTICAST"},
            value = MessageKind.class)
    void messageOfOneProtocolIsRefusedByTheOthers(MessageKind other) {
        ann.meet(bob);
        byte[] frame = ann.seal("to the transport");
        bob.hear(other, FramePath.DATAGRAM, frame);
        bob.hear(other, FramePath.SIDE, frame);
        assertEquals(List.of(), bob.read);
        assertEquals(List.of(Refusal.MISDIRECTED, Refusal.MISDIRECTED), bob.refused);
        bob.hear(frame);
        assertEquals(List.of("to the transport"), bob.read, "it is no replay where it belongs");
    }

    /** All that was said to the one before, its handshakes among that. */
    @Test
    void whatWasCapturedFromEarlierRunsIsWorthless() {
        List<byte[]> captured = new ArrayList<>();
        captured.add(ann.seal("first"));
        bob.hear(captured.get(0));
        while (!bob.replies.isEmpty() || !ann.replies.isEmpty()) {
            bob.replies.forEach(ann::hear);
            bob.replies.clear();
            captured.addAll(ann.replies);
            ann.replies.forEach(bob::hear);
            ann.replies.clear();
        }
        captured.add(ann.seal("second"));
        bob.hear(captured.get(captured.size() - 1));
        assertEquals(List.of("second"), bob.read);
        Party restarted = Party.of(Party.SECRET, "");
        captured.forEach(restarted::hear);
        assertEquals(List.of(), restarted.read, "while its sender is not heard");
        assertFalse(restarted.replies.isEmpty());
        restarted.replies.forEach(ann::hear);
        restarted.replies.clear();
        ann.talk(restarted);
        captured.forEach(restarted::hear);
        assertEquals(List.of(), restarted.read, "nor when it is, by its frames of now");
        restarted.hear(ann.seal("third"));
        assertEquals(List.of("third"), restarted.read);
    }

    @Test
    void anAnswerToAnotherChallengeProvesNothing() {
        Party eve = Party.of(Party.SECRET, "");
        bob.hear(ann.seal("x"));
        eve.hear(ann.seal("x"));
        ann.hear(eve.replies.remove());
        bob.hear(ann.replies.remove());
        bob.hear(ann.seal("y"));
        assertEquals(List.of(), bob.read);
    }

    @Test
    void ofWhatIsNotHeardTwoAskOnlyOnceInAWhile() {
        for (int i = 0; i < 100; i++) {
            bob.hear(ann.seal("x"));
        }
        assertTrue(bob.replies.size() < 100, "asked " + bob.replies.size() + " times");
        assertEquals(Collections.nCopies(100, Refusal.UNPROVEN), bob.refused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"another secret, as long", "a secret of the tests "})
    void whoHasAnotherSecretIsNotReadAndLearnsNothing(String secret) {
        Party eve = Party.of(secret, "");
        bob.hear(eve.seal("x"));
        eve.hear(bob.seal("y"));
        assertEquals(List.of(Refusal.SECRET), bob.refused);
        assertEquals(List.of(Refusal.SECRET), eve.refused);
        assertTrue(bob.replies.isEmpty());
    }

    @Test
    void theSameSecretInAnotherClusterIsAnotherSecret() {
        Party other = new Party(Sealing.of("other", Party.SECRET, ""));
        bob.hear(other.seal("x"));
        assertEquals(List.of(Refusal.SECRET), bob.refused);
    }

    @Test
    void secretsAreExchangedInThreeSteps() {
        String next = "the next secret of the tests";
        List<Party> before = List.of(Party.of(Party.SECRET, ""), Party.of(Party.SECRET, next));
        List<Party> between = List.of(Party.of(Party.SECRET, next), Party.of(next, Party.SECRET));
        List<Party> after = List.of(Party.of(next, Party.SECRET), Party.of(next, ""));
        for (List<Party> pair : List.of(before, between, after)) {
            pair.get(0).meet(pair.get(1));
            pair.get(1).hear(pair.get(0).seal("to the second"));
            pair.get(0).hear(pair.get(1).seal("to the first"));
            assertEquals("to the second", pair.get(1).read.get(pair.get(1).read.size() - 1));
            assertEquals("to the first", pair.get(0).read.get(pair.get(0).read.size() - 1));
        }
        before.get(0).hear(after.get(1).seal("x"));
        assertEquals(List.of(Refusal.SECRET), before.get(0).refused, "two steps at once are too many");
    }

    @Test
    void aSaltIsExchangedBeforeItsNumbersEnd() {
        Party few = Party.of(Party.SECRET, "", 10);
        few.meet(bob);
        for (int i = 0; i < 100; i++) {
            bob.hear(few.seal("m" + i));
            few.talk(bob);
        }
        assertTrue(bob.read.size() >= 70, () -> "all but the first of each salt: " + bob.read);
        assertTrue(bob.refused.stream().allMatch(Refusal.UNPROVEN::equals), () -> "" + bob.refused);
    }

    @Test
    void noNumberOfASaltIsUsedTwiceByManyThreads() throws Exception {
        Party few = Party.of(Party.SECRET, "", 50);
        List<String> headers = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(thread -> new Thread(() -> {
                    for (int i = 0; i < 500; i++) {
                        byte[] frame = few.seal("x");
                        headers.add(java.util.HexFormat.of().formatHex(frame, 0, Seal.HEADER));
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(2000, headers.stream().distinct().count());
    }

    @Test
    void ofTooManyStrangersTheOldestIsForgottenAndOfThoseKnownNothingOldIsTakenAfterwards() {
        PeerSalts senders = new PeerSalts(2, 3);
        ClusterKey key = ClusterKey.of(Party.SECRET, "tests");
        for (int i = 0; i < 100; i++) {
            Salt salt = new Salt(i, i);
            PeerSalt sender = senders.remember(salt, new PeerSalt(key.of(salt), new Salt(0, i)));
            if (i % 10 == 0) {
                assertTrue(sender.prove(new Salt(0, i), 5));
                senders.settle();
            }
        }
        assertEquals(5, senders.size());
        assertFalse(new PeerSalt(key.of(new Salt(0, 0)), new Salt(7, 7)).prove(new Salt(0, 0), 5));
    }

    @Test
    void aRefusalOfAnotherNodeIsToldAndNeverAnswered() {
        ann.hear(Sealing.refusal());
        assertEquals(1, ann.refusedThere);
        assertTrue(ann.replies.isEmpty());
    }

    @Test
    void whatTheNodeSaysItselfIsNeitherReadNorRefused() {
        ann.hear(ann.seal("to all"));
        assertTrue(ann.read.isEmpty() && ann.refused.isEmpty() && ann.replies.isEmpty());
    }

    @Test
    void noSecretIsInWhatMayBeLogged() {
        assertFalse((ann.sealing + " " + ClusterKey.of(Party.SECRET, "tests")).contains(Party.SECRET));
    }
}
