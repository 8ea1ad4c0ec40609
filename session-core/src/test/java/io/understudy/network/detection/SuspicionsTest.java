package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.stack.Protocol;
import org.jgroups.util.TimeScheduler;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A suspicion from its beginning until the member responds or is passed on. The test moves the timer and the clock. */
@Tag("rules")
class SuspicionsTest {

    private static final long TIMEOUT_MILLIS = 500;

    private final Address member = UUID.randomUUID();
    private final Address other = UUID.randomUUID();
    private long nanos;
    private final RETRY_VERIFY_SUSPECT2 verify = new RETRY_VERIFY_SUSPECT2(this::now);
    private final Queue<Runnable> planned = new ArrayDeque<>();
    private final List<Collection<Address>> passed = new ArrayList<>();
    private int queries;
    private @Nullable Error noMemory;
    private @Nullable Error noMemoryToBegin;

    private final class Below extends Protocol {

        @Override
        public @Nullable Object down(Message message) {
            queries++;
            return null;
        }

        @Override
        public @Nullable Object down(Event event) {
            return null;
        }
    }

    private final class Above extends Protocol {

        @Override
        public @Nullable Object up(Event event) {
            if (event.getType() == Event.SUSPECT) {
                passed.add(event.getArg());
            }
            return null;
        }
    }

    private long now() {
        if (noMemoryToBegin != null) {
            throw noMemoryToBegin;
        }
        return nanos;
    }

    @BeforeEach
    void assemble() {
        verify.setTimeout(TIMEOUT_MILLIS);
        verify.setDownProtocol(new Below());
        verify.setUpProtocol(new Above());
        verify.setValue(
                "timer",
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {TimeScheduler.class},
                        (proxy, method, arguments) -> {
                            if (noMemory != null) {
                                throw noMemory;
                            }
                            planned.add((Runnable) arguments[0]);
                            return new CompletableFuture<>();
                        }));
    }

    private void suspect(Address... members) {
        verify.up(new Event(Event.SUSPECT, List.of(members)));
    }

    /** What is planned now comes in time; not what that plans. */
    private void letTimePass() {
        nanos += TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS / RETRY_VERIFY_SUSPECT2.QUERIES);
        List<Runnable> due = new ArrayList<>(planned);
        planned.clear();
        due.forEach(Runnable::run);
    }

    /** All that is planned comes late. */
    private void standStill() {
        nanos += TimeUnit.MILLISECONDS.toNanos(3 * TIMEOUT_MILLIS);
    }

    @Test
    void whoDoesNotRespondToAnyQueryIsPassedOn() {
        suspect(member, other);
        for (int query = 1; query <= RETRY_VERIFY_SUSPECT2.QUERIES; query++) {
            assertEquals(List.of(), passed);
            assertEquals(2 * query, queries);
            letTimePass();
        }
        assertEquals(List.of(List.of(member, other)), passed);
        assertEquals(0, planned.size());
    }

    @Test
    void whoRespondsIsNotPassedOn() {
        suspect(member, other);
        letTimePass();
        verify.unsuspect(member);
        for (int query = 2; query <= RETRY_VERIFY_SUSPECT2.QUERIES; query++) {
            letTimePass();
        }
        assertEquals(List.of(List.of(other)), passed);
    }

    /** The response is there, but nobody had time to read it. */
    @Test
    void aPauseOfTheMemberThatVerifiesDoesNotCount() {
        suspect(member);
        for (int repeated = 0; repeated < RETRY_VERIFY_SUSPECT2.MAX_REPEATED; repeated++) {
            standStill();
            verify.run();
            letTimePass();
            assertEquals(List.of(), passed);
        }
        verify.unsuspect(member);
        standStill();
        letTimePass();
        assertEquals(List.of(), passed);
        assertEquals(0, planned.size());
    }

    @Test
    void aMemberThatIsAlwaysLateJudges() {
        suspect(member);
        int looks = RETRY_VERIFY_SUSPECT2.QUERIES + RETRY_VERIFY_SUSPECT2.MAX_REPEATED;
        for (int look = 0; look < looks; look++) {
            assertEquals(List.of(), passed);
            standStill();
            letTimePass();
        }
        assertEquals(List.of(List.of(member)), passed);
    }

    @Test
    void aNewSuspicionHasItsOwnTime() {
        suspect(member);
        for (int query = 1; query < RETRY_VERIFY_SUSPECT2.QUERIES; query++) {
            letTimePass();
        }
        verify.unsuspect(member);
        suspect(member);
        letTimePass();
        assertEquals(List.of(), passed);
    }

    @Test
    void theSameSuspicionAgainDoesNotProlongIt() {
        for (int query = 1; query <= RETRY_VERIFY_SUSPECT2.QUERIES; query++) {
            suspect(member);
            letTimePass();
        }
        assertEquals(List.of(List.of(member)), passed);
    }

    @Test
    void whoLeftIsNotPassedOn() {
        suspect(member);
        verify.down(new Event(Event.VIEW_CHANGE, View.create(other, 2, other)));
        letTimePass();
        assertEquals(List.of(), passed);
        assertEquals(0, planned.size());
    }

    @Test
    void aSuspicionIsNotForgottenForWantOfMemory() {
        noMemory = new OutOfMemoryError("of the test");
        try {
            suspect(member);
        } catch (OutOfMemoryError e) {
            noMemory = null;
        }
        standStill();
        verify.run();
        for (int query = 1; query <= RETRY_VERIFY_SUSPECT2.QUERIES; query++) {
            assertEquals(List.of(), passed);
            letTimePass();
        }
        assertEquals(List.of(List.of(member)), passed);
    }

    @Test
    void aSuspicionThatDidNotBeginBeginsAnew() {
        noMemoryToBegin = new OutOfMemoryError("of the test");
        assertThrows(OutOfMemoryError.class, () -> suspect(member));
        noMemoryToBegin = null;
        suspect(member);
        for (int query = 1; query <= RETRY_VERIFY_SUSPECT2.QUERIES; query++) {
            assertEquals(List.of(), passed);
            letTimePass();
        }
        assertEquals(List.of(List.of(member)), passed);
    }
}
