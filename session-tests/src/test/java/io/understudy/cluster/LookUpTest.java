package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.ordering.SCOPE;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.MovedTime;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jgroups.Message;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An id that is not known here, and members that take their time with an answer. */
@Tag("cluster")
@Timeout(300)
class LookUpTest {

    private static final int OTHERS = 3;

    /** While it stands still no member is given up, however late its answer. */
    private final MovedTime time = new MovedTime();

    private final Channels nodes = new Channels(time);

    /** The members that were asked. */
    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();

    @AfterEach
    void close() {
        nodes.close();
    }

    /** @param lost whether a member gets no question; asked again for each message */
    private void start(Predicate<Integer> lost) throws Exception {
        nodes.start(1 + OTHERS);
        for (int i = 1; i <= OTHERS; i++) {
            int node = i;
            nodes.interfere(node, Position.ABOVE, SCOPE.class, new Interference(message -> {
                boolean question = question(message);
                if (question) {
                    asked.add(node);
                }
                return question && lost.test(node) ? List.of() : List.of(message);
            }));
        }
        Await.that(
                "all are ready for all",
                () -> nodes.channels
                                .get(0)
                                .services()
                                .members()
                                .others(nodes.groups.get(0).number(), Phase.READY)
                                .size()
                        == OTHERS);
    }

    private static boolean question(Message message) {
        try {
            return message.hasPayload()
                    && WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                            instanceof FindRequest;
        } catch (WireFormatException e) {
            return false;
        }
    }

    private long unanswered() {
        return nodes.channels.get(0).services().metrics().value(Counter.QUESTIONS_UNANSWERED);
    }

    private void create(int node, String id) {
        nodes.groups
                .get(node)
                .store()
                .create(SessionDelta.created(
                        new SessionKey(7), nodes.channels.get(node).clock().next(0), id, 1800));
    }

    @Test
    void allMembersAreAskedAtOnce() throws Exception {
        start(node -> true);
        lookUpInVain("a");
    }

    /** All members are asked, and given up when none has answered in time. */
    private void lookUpInVain(String id) throws Exception {
        CompletableFuture<Void> lookUp = Beside.run(() -> nodes.groups.get(0).findUnshared(id));
        Await.that("all are asked", () -> asked.size() == OTHERS);
        assertEquals(0, unanswered(), "asked before another one was given up");
        time.advance(Duration.ofSeconds(1));
        lookUp.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertEquals(OTHERS, unanswered());
    }

    @Test
    void whoHasTheSessionIsEnough() throws Exception {
        start(node -> node < OTHERS);
        create(OTHERS, "a");
        nodes.groups.get(0).findUnshared("a");
        assertNotNull(nodes.groups.get(0).store().header("a"));
        assertEquals(0, unanswered());
    }

    @Test
    void aMemberThatOwesAnAnswerIsNotAskedAgain() throws Exception {
        start(node -> true);
        lookUpInVain("a");
        asked.clear();
        nodes.groups.get(0).findUnshared("b");
        assertEquals(Set.of(), asked);
        assertEquals(OTHERS, unanswered());
    }

    @Test
    void aJoinerAsksAnotherMemberBesideOneThatIsSlow() throws Exception {
        start(node -> asked.size() < OTHERS);
        create(OTHERS, "a");
        create(2, "a");
        create(1, "a");
        nodes.groups.get(0).application().phase(Phase.COUNTED);
        assertTrue(nodes.groups.get(0).fetch("a"));
        assertEquals(Set.of(1, 2, 3), asked);
        assertNotNull(nodes.groups.get(0).store().header("a"));
    }
}
