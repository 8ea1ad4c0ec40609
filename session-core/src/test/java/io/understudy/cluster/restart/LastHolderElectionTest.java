package io.understudy.cluster.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.restart.LastHolderElection.Fate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class LastHolderElectionTest {

    private static final long SHOP = 7;
    private static final long WITHIN = Duration.ofSeconds(5).toNanos();
    private static final long TOO_LONG = WITHIN + 1;

    private final Address lower = new UUID(0, 1);
    private final Address self = new UUID(0, 2);
    private final Address higher = new UUID(0, 3);
    private final Members members = new Members(() -> self, () -> 0);
    private final AtomicBoolean goesOn = new AtomicBoolean();
    private final LastHolderElection election =
            new LastHolderElection(members, () -> self, application -> false, application -> goesOn.get());

    @BeforeEach
    void view() {
        members.view(List.of(lower, self, higher));
    }

    /** Or this member would leave before the last holder has pulled what it has more. */
    @Test
    void aClaimThatComesTwiceSaysNothingMore() {
        assertTrue(election.claims(lower, SHOP));
        assertTrue(election.claims(lower, SHOP));
        assertEquals(Fate.OPEN, election.fate(SHOP, TOO_LONG));
        election.kept(lower, SHOP);
        assertEquals(Fate.KEPT, election.fate(SHOP, 0));
    }

    /** Who was chosen may not have got the answer. */
    @Test
    void whatNobodyClaimsIsClaimedByWhoWaits() {
        election.asks(lower, SHOP);
        assertEquals(Fate.OPEN, election.fate(SHOP, WITHIN));
        assertEquals(Fate.UNCLAIMED, election.fate(SHOP, TOO_LONG));
        assertTrue(election.claim(SHOP, true));
        assertTrue(election.claimed(SHOP));
    }

    @Test
    void whoWasChosenAndClaimsNothingMakesNoOtherWait() {
        assertTrue(election.choose(higher, SHOP));
        assertFalse(election.claim(SHOP, false));
        assertTrue(election.claim(SHOP, true));
    }

    @Test
    void aDecisionDoesNotCountWhenWhoMadeItHasLeft() {
        election.asks(lower, SHOP);
        members.view(List.of(self, higher));
        assertEquals(Fate.UNDECIDED, election.fate(SHOP, 0));
    }

    @Test
    void whoLeavesBeforeItHasWhatOthersHaveIsNotTheLast() {
        election.asks(higher, SHOP);
        assertTrue(election.claims(lower, SHOP));
        assertFalse(election.claim(SHOP, true), "there is one");
        members.view(List.of(self, higher));
        assertEquals(Fate.UNCLAIMED, election.fate(SHOP, 0));
        assertTrue(election.claim(SHOP, true));
    }

    /** It waits for the one that came first before it claims again. */
    @Test
    void whoseClaimIsRejectedWaits() {
        assertTrue(election.claim(SHOP, true));
        election.withdraw(SHOP);
        assertFalse(election.claimed(SHOP));
        assertEquals(Fate.OPEN, election.fate(SHOP, WITHIN));
        assertEquals(Fate.UNCLAIMED, election.fate(SHOP, TOO_LONG));
    }

    @Test
    void whoWasChosenAndLeftIsChosenNoMore() {
        assertTrue(election.choose(higher, SHOP));
        assertFalse(election.choose(lower, SHOP));
        members.view(List.of(self, lower));
        assertTrue(election.choose(lower, SHOP));
    }

    /** Or there would be two files. */
    @Test
    void whoKeptTheSessionsAndLeftStaysChosen() {
        assertTrue(election.claims(higher, SHOP));
        election.kept(higher, SHOP);
        members.view(List.of(self, lower));
        assertFalse(election.choose(lower, SHOP));
        assertEquals(Fate.KEPT, election.fate(SHOP, 0));
    }

    /** Days later it is the last of those that stop, and has other sessions. */
    @Test
    void whoGoesOnDoesNotRememberWhoKeptTheSessions() {
        goesOn.set(true);
        assertTrue(election.choose(lower, SHOP));
        assertTrue(election.claims(lower, SHOP));
        election.kept(lower, SHOP);
        members.view(List.of(self));

        goesOn.set(false);
        assertTrue(election.choose(self, SHOP));
        assertTrue(election.claim(SHOP, false));
    }

    /** What it has was pulled before this member stopped. */
    @Test
    void whoClaimedItBeforeThisMemberStopsHasNotKeptWhatThisOneHas() {
        goesOn.set(true);
        assertTrue(election.claims(lower, SHOP));
        goesOn.set(false);
        election.asks(higher, SHOP);
        election.kept(lower, SHOP);
        assertEquals(Fate.OPEN, election.fate(SHOP, WITHIN));
        assertEquals(Fate.UNCLAIMED, election.fate(SHOP, TOO_LONG));
    }

    /** The last is, if several members claim it, the one with the lowest address is the last. Members that claim nothing agree. */
    @Test
    void ofTwoThatClaimItTheLowerOneIsTheLast() {
        assertTrue(election.claims(lower, SHOP));
        assertFalse(election.claims(higher, SHOP));
        election.present(SHOP);
        assertTrue(election.claims(higher, SHOP));
        assertTrue(election.claims(lower, SHOP));
        assertFalse(election.claims(higher, SHOP));
    }

    @Test
    void thisMembersClaimYieldsToALowerOneOnly() {
        assertTrue(election.claim(SHOP, false));
        assertFalse(election.claims(higher, SHOP));
        assertTrue(election.claimed(SHOP));
        assertTrue(election.claims(lower, SHOP));
        assertFalse(election.claimed(SHOP));
        assertFalse(election.claim(SHOP, true));
    }
}
