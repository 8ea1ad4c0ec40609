package io.understudy.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.replica.SessionKey;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a member does for each vote depends on the claims that the vote answers, not on all that it has. */
@Tag("rules")
class VoteStepsTest {

    private static final int MESSAGES = 50;
    private static final int CLAIMS = 20;

    /** Counts how often a claim was looked at. */
    private static final class Looks extends ConcurrentHashMap<SessionKey, LocalClaim<String>> {

        private static final long serialVersionUID = 1L;

        private transient int count;

        @Override
        public LocalClaim<String> get(Object key) {
            count++;
            return super.get(key);
        }

        @Override
        public void forEach(BiConsumer<? super SessionKey, ? super LocalClaim<String>> action) {
            super.forEach((key, mine) -> {
                count++;
                action.accept(key, mine);
            });
        }
    }

    private final Looks looks = new Looks();

    private final EndClaims<String> rules =
            new EndClaims<>("a", key -> new SessionStatus(null, null, 9000, false, false), key -> "a", 0, looks);

    private long claim(int message) {
        List<Claim> claims = LongStream.range(0, CLAIMS)
                .mapToObj(key -> new Claim(new SessionKey((long) message * CLAIMS + key), Kind.EXPIRY, null))
                .toList();
        return rules.claim(claims, false, Set.of()).stream()
                .map(output -> ((ExpiryOutput.Send<String>) output).message())
                .filter(Claims.class::isInstance)
                .findFirst()
                .orElseThrow()
                .number();
    }

    @Test
    void aVoteLooksOnlyAtTheClaimsItAnswers() {
        rules.enter(List.of("b", "c"), false);
        long[] numbers = new long[MESSAGES];
        for (int message = 0; message < MESSAGES; message++) {
            numbers[message] = claim(message);
        }
        looks.count = 0;
        for (String member : List.of("b", "c")) {
            for (long number : numbers) {
                rules.receive(member, new Votes(number, List.of()));
            }
        }
        assertEquals(MESSAGES * CLAIMS, rules.granted().size());
        int votes = 2 * MESSAGES * CLAIMS;
        assertTrue(looks.count <= 3 * votes, looks.count + " looks for " + votes + " votes");
    }
}
