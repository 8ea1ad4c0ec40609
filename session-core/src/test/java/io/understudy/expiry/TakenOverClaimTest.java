package io.understudy.expiry;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.replica.SessionKey;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who ends a session that a member which is gone wanted to end knows that, however it came to claim it. */
@Tag("rules")
class TakenOverClaimTest {

    private static final SessionKey KEY = new SessionKey(1);
    private static final Claim CLAIM = new Claim(KEY, Kind.EXPIRY, null);

    private final EndClaims<String> heir =
            new EndClaims<>("b", key -> new SessionStatus(null, null, 9000, false, false), key -> "b", 0);

    @Test
    void aClaimOfWhatIsDueHereAnywayIsKnownToBeASecondOne() {
        heir.enter(List.of("a"), true);
        heir.receive("a", new Claims(1, List.of(CLAIM)));
        assertFalse(heir.orphaned(KEY), "its claimer is here");
        heir.enter(List.of(), true);
        heir.claim(List.of(CLAIM), false, Set.of());
        assertTrue(heir.orphaned(KEY));
        assertTrue(heir.begin(KEY));
    }

    @Test
    void theFirstClaimIsKnownToBeTheFirst() {
        heir.enter(List.of(), true);
        heir.claim(List.of(CLAIM), false, Set.of());
        assertFalse(heir.orphaned(KEY));
        assertTrue(heir.begin(KEY));
    }
}
