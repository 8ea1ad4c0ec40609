package io.understudy.cluster.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.cluster.messaging.RequestCorrelator.Reply;
import io.understudy.cluster.messaging.RequestCorrelator.Round;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.States;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions that can't be sent, for a moment or for good. */
@Tag("rules")
@Timeout(300)
class RequestCorrelatorTest {

    private static final Address PEER = UUID.randomUUID();
    private static final Address OTHER = UUID.randomUUID();

    /** Nobody waits for so long. */
    private static final Duration LIMIT = Duration.ofDays(1);

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final RequestCorrelator exchange = new RequestCorrelator(this::send, new Failures("n1", metrics));

    /** How many questions still fail. */
    private int failing;

    /** The peer answers at once. */
    private void send(Address member, Frame frame) {
        if (failing-- > 0) {
            throw new OutOfMemoryError("a test's");
        }
        exchange.answered(member, new States(((FindRequest) frame).request(), List.of(), false));
    }

    private States ask() throws NoAnswerException {
        return exchange.ask(PEER, number -> new FindRequest(number, 1, "a"), States.class, LIMIT);
    }

    /** The view without it comes between the look at the view and the question, which nobody would end then. */
    @Test
    void aQuestionToAMemberThatHasJustLeftFails() throws NoAnswerException {
        exchange.view(Set.of(PEER));
        assertNotNull(ask());
        for (Set<Address> view : List.of(Set.of(OTHER), Set.<Address>of())) {
            exchange.view(view);
            assertEquals(
                    PEER + " left the cluster",
                    assertThrows(NoAnswerException.class, this::ask).reason());
        }
        exchange.view(Set.of(PEER));
        assertNotNull(ask());
    }

    @Test
    void aQuestionThatCouldNotBeSentIsAskedAgain() throws NoAnswerException {
        failing = 1;
        assertNotNull(ask());
        assertEquals(1, metrics.value(Counter.FAILURES_SURVIVED));
    }

    @Test
    void whoCanNotAskIsToldAtOnce() throws NoAnswerException {
        failing = Failures.TRIES;
        NoAnswerException none = assertThrows(NoAnswerException.class, this::ask);
        assertEquals(PEER + " could not be queried", none.reason());
        assertEquals(Failures.TRIES, metrics.value(Counter.FAILURES_SURVIVED));
        assertEquals(0, exchange.open());
        assertNotNull(ask());
        assertEquals(0, exchange.open());
    }

    @Test
    void aRoundAsksAgain() {
        failing = 1;
        try (Round<States> round = exchange.round(States.class)) {
            assertTrue(round.ask(PEER, number -> new FindRequest(number, 1, "a")));
            Reply<States> reply = round.next(LIMIT.toNanos());
            assertNotNull(reply);
            assertNotNull(reply.response());
        }
        assertEquals(0, exchange.open());
    }

    @Test
    void noReplyComesOfAMemberThatCouldNotBeAsked() {
        failing = Failures.TRIES;
        try (Round<States> round = exchange.round(States.class)) {
            assertFalse(round.ask(PEER, number -> new FindRequest(number, 1, "a")));
            assertEquals(0, exchange.open());
            exchange.view(Set.of());
            assertNull(round.next(0));
        }
    }
}
