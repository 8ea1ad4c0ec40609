package io.understudy.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A member that did not answer one logout in time holds up no other, until it is heard again. */
@Tag("rules")
class SilentMemberTest {

    private static final Stamp USE = new Stamp(1, 1);

    private final EndClaims<String> rules =
            new EndClaims<>("a", key -> new SessionStatus(null, USE, 9000, false, false), key -> "a", 0);

    @BeforeEach
    void cIsSilent() {
        rules.enter(List.of("b", "c"), false);
        long number = number(logOut(1));
        rules.receive("b", new Votes(number, List.of()));
        assertFalse(granted(1));
        rules.force(new SessionKey(1), true);
        assertTrue(granted(1));
    }

    @Test
    void theNextLogoutAwaitsOnlyTheOthers() {
        long number = number(logOut(2));
        assertFalse(granted(2));
        rules.receive("b", new Votes(number, List.of()));
        assertTrue(granted(2));
    }

    @Test
    void anExpiryAwaitsItBecauseItMayKnowALaterUse() {
        long number = number(rules.claim(List.of(claim(2, Kind.EXPIRY)), false, Set.of()));
        rules.receive("b", new Votes(number, List.of()));
        assertFalse(granted(2));
    }

    @Test
    void whoIsHeardIsAwaitedAgain() {
        rules.receive("c", new Claims(77, List.of()));
        long number = number(logOut(2));
        rules.receive("b", new Votes(number, List.of()));
        assertFalse(granted(2));
        rules.receive("c", new Votes(number, List.of()));
        assertTrue(granted(2));
    }

    @Test
    void whoComesBackIsAwaitedFromItsFirstWordOn() {
        rules.enter(List.of("b"), true);
        rules.enter(List.of("b", "c"), true);
        rules.receive("b", new Votes(number(logOut(2)), List.of()));
        assertTrue(granted(2));
        rules.receive("c", new Claims(78, List.of()));
        rules.receive("b", new Votes(number(logOut(3)), List.of()));
        assertFalse(granted(3));
    }

    /** The two go different ways. */
    @Test
    void whoseFirstWordComesBeforeTheNewsOfItIsAwaited() {
        rules.receive("d", new Claims(5, List.of()));
        rules.enter(List.of("b", "d"), true);
        rules.receive("b", new Votes(number(logOut(2)), List.of()));
        assertFalse(granted(2));
    }

    @Test
    void whoIsOnlySlowIsAwaitedByTheNextWhoWaits() {
        rules.receive("c", new Claims(77, List.of()));
        long number = number(rules.claim(List.of(claim(2, Kind.INVALIDATION)), true, Set.of("c")));
        rules.receive("b", new Votes(number, List.of()));
        assertTrue(granted(2));
        long next = number(logOut(3));
        rules.receive("b", new Votes(next, List.of()));
        assertFalse(granted(3));
        assertEquals(Set.of("c"), rules.awaited(new SessionKey(3)));
        rules.force(new SessionKey(3), false);
        rules.receive("b", new Votes(number(logOut(4)), List.of()));
        assertFalse(granted(4), "only slow");
    }

    @Test
    void whoJoinsAwaitsAllThatAreThere() {
        EndClaims<String> joining =
                new EndClaims<>("d", key -> new SessionStatus(null, USE, 9000, false, false), key -> "a", 0);
        joining.enter(List.of("a"), false);
        joining.claim(List.of(claim(2, Kind.INVALIDATION)), true, Set.of());
        assertTrue(joining.granted().isEmpty());
    }

    @Test
    void whoComesIsToldSomethingAlthoughThereIsNothingToTell() {
        rules.finish(new SessionKey(1));
        List<ExpiryOutput<String>> outputs = rules.enter(List.of("b", "c", "d"), true);
        assertEquals(1, outputs.size(), outputs::toString);
        assertEquals("d", ((ExpiryOutput.Send<String>) outputs.get(0)).to());
    }

    private List<ExpiryOutput<String>> logOut(long key) {
        return rules.claim(List.of(claim(key, Kind.INVALIDATION)), true, Set.of());
    }

    private static Claim claim(long key, Kind kind) {
        return new Claim(new SessionKey(key), kind, USE);
    }

    private boolean granted(long key) {
        return rules.granted().contains(new SessionKey(key));
    }

    /** Of the claims that were sent, to both of the others. */
    private static long number(List<ExpiryOutput<String>> outputs) {
        List<Long> numbers = outputs.stream()
                .filter(ExpiryOutput.Send.class::isInstance)
                .map(output -> ((ExpiryOutput.Send<String>) output).message().number())
                .toList();
        assertEquals(2, numbers.size(), "messages in " + outputs);
        return numbers.get(0);
    }
}
