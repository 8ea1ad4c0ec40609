package io.understudy.session.failures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.session.failures.KeptAttributes.Reason;
import io.understudy.session.failures.KeptAttributes.Why;
import io.understudy.store.ReplicaStore;
import io.understudy.store.Tombstones;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.MovedTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An attribute whose reason to stay on its node changes has a line each time, within bounds. */
@Tag("rules")
class ChangingReasonsTest {

    private static final SessionKey KEY = new SessionKey(1);

    private final MovedTime time = new MovedTime();
    private final LogLines log = new LogLines("io.understudy.session.failures");
    private final ReplicaStore store =
            new ReplicaStore(time, new Tombstones(Duration.ofHours(24).toMillis(), 1000));
    private final KeptAttributes kept = new KeptAttributes("/shop@node1", store::header, time, session -> {});

    @BeforeEach
    void create() {
        store.create(SessionDelta.created(KEY, new Stamp(2, 1), "id", 1800));
    }

    @AfterEach
    void close() {
        log.close();
    }

    private List<String> lines() {
        return log.with("stays on this node");
    }

    private void keep(String attribute, String... texts) {
        for (String text : texts) {
            kept.found(KEY, attribute, name -> true, new Why(Reason.CLASS, "shop.Plain", text, text))
                    .run();
        }
    }

    private void alternate(int times) {
        for (int i = 0; i < times; i++) {
            keep("cart", i % 2 == 0 ? "reason A" : "reason B");
        }
    }

    @Test
    void aReasonThatComesBackIsLoggedAgain() {
        keep("cart", "reason A", "reason A", "reason B", "reason B", "reason A");
        assertEquals(3, lines().size(), lines()::toString);
        assertTrue(lines().get(2).endsWith("stays on this node: reason A"), lines()::toString);
    }

    @Test
    void alternatingReasonsAreLeftOutAndCounted() {
        alternate(1000);
        int lines = 2 + LastReasons.AT_ONCE;
        assertEquals(lines, lines().size());
        alternate(1000);
        assertEquals(lines, lines().size(), "within the minute");
        time.advance(Duration.ofMinutes(1));
        alternate(1000);
        assertEquals(lines + 1, lines().size());
        int differing = (1000 - lines) / 2 + 1000 / 2; // The last line was of reason B, as are half of those left out.
        assertTrue(
                lines().get(lines).endsWith(". Before this, " + differing + " such lines were left out"),
                lines()::toString);
    }

    @Test
    void theReasonThatRemainsIsLogged() {
        alternate(1000);
        int lines = lines().size();
        assertTrue(lines().get(lines - 1).endsWith("reason B"), lines()::toString);
        time.advance(Duration.ofMinutes(1));
        keep("cart", "reason A");
        assertEquals(lines + 1, lines().size());
        time.advance(Duration.ofMinutes(10));
        keep("cart", "reason A");
        assertEquals(lines + 1, lines().size(), "nothing changed");
    }

    @Test
    void anotherAttributeIsNotSilencedByOne() {
        alternate(10_000);
        int lines = lines().size();
        keep("user", "reason A", "reason B", "reason A");
        assertEquals(lines + 3, lines().size());
    }

    @ParameterizedTest
    @CsvSource({
        "shop.Cart$1 is not a class, shop.Cart$2 is not a class, 2",
        "shop.Cart1 is not a class, shop.Cart2 is not a class, 2",
        "shop.v1.Cart is not a class, shop.v2.Cart is not a class, 2",
        "shop.Cart$$Lambda$14 is not a class, shop.Cart$$Lambda$15 is not a class, 1",
        "takes 1234 bytes of 9, takes 99 bytes of 9, 1",
        "takes 1234, takes 99, 1",
        "length 3: index=4, length 17: index=5, 1",
        "shop.Cart@1b2c3d changes, shop.Cart@a0 changes, 1"
    })
    void numbersOfValuesAreNoOtherReason(String one, String other, int lines) {
        keep("cart", one, other);
        assertEquals(lines, lines().size(), lines()::toString);
    }
}
