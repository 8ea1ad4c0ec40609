package io.understudy.sims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.sims.Answer.Shop;
import io.understudy.sims.SessionHistory.Finding;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class SessionHistoryTest {

    private static final long MILLI = 1_000_000;

    private static final String CART = Shop.inCart("programme");

    private final Tally tally = new Tally();
    private final SessionHistory history = new SessionHistory("ann", tally);

    @BeforeEach
    void annIsLoggedIn() {
        history.logIn(shows("s1", "ann", 0, 0, false));
    }

    @Test
    void findsNothingWhenEveryAnswerIsAsWritten() {
        history.write(Shop.COUNTER, 1, shows(1, 0));
        history.write(CART, 1, shows(1, 1));
        history.read(shows(1, 1));
        history.readLast(shows(1, 1));
        assertTrue(history.sessionKept());
        assertTrue(history.writesKept());
        assertEquals(2, tally.acknowledgedWrites());
        assertEquals(0, findings());
    }

    @Test
    void findsALostSessionWhenANewEmptyOneAnswers() {
        history.write(Shop.COUNTER, 1, shows(1, 0));
        history.read(shows("s2", null, 0, 0, false));
        history.readLast(shows("s2", null, 0, 0, false));
        assertEquals(1, tally.count(Finding.LOST_SESSION));
        assertFalse(history.sessionKept());
    }

    @Test
    void findsALostSessionWhenThereIsNone() {
        history.readLast(shows(null, null, 0, 0, false));
        assertEquals(1, tally.count(Finding.LOST_SESSION));
        assertFalse(history.sessionKept());
    }

    @Test
    void findsALostSessionWhenTheUserIsGone() {
        history.readLast(shows("s1", null, 0, 0, false));
        assertEquals(1, tally.count(Finding.LOST_SESSION));
    }

    @Test
    void findsALostSessionWhenAnothersSessionAnswers() {
        history.readLast(shows("s7", "ann", 0, 0, false));
        assertEquals(1, tally.count(Finding.LOST_SESSION));
    }

    @Test
    void findsALostSessionWhenARequestOfALiveOneIsRefused() {
        history.write(Shop.COUNTER, 1, Answer.of(409, "the session ended", MILLI));
        assertEquals(1, tally.count(Finding.LOST_SESSION));
    }

    @Test
    void findsALostSessionWhenTheLastReadIsNeverAnswered() {
        history.readLast(Answer.of(503, "", MILLI));
        history.giveUp();
        assertEquals(1, tally.count(Finding.LOST_SESSION));
        assertFalse(history.sessionKept());
    }

    @Test
    void findsALostIncrement() {
        history.write(Shop.COUNTER, 1, shows(1, 0));
        history.write(Shop.COUNTER, 1, shows(2, 0));
        history.read(shows(1, 0));
        history.readLast(shows(1, 0));
        assertEquals(1, tally.count(Finding.LOST_WRITE), "one loss counts once");
        assertTrue(history.sessionKept());
        assertFalse(history.writesKept());
    }

    @Test
    void findsAnIncrementLostUnderTheNextOne() {
        history.write(Shop.COUNTER, 1, shows(1, 0));
        // Acknowledged, and yet nothing was added.
        history.write(Shop.COUNTER, 1, shows(1, 0));
        assertEquals(1, tally.count(Finding.LOST_WRITE));
    }

    @Test
    void findsALostArticle() {
        history.write(CART, 1, shows(0, 1));
        history.write(Shop.COUNTER, 1, shows(1, 0));
        assertEquals(1, tally.count(Finding.LOST_WRITE));
    }

    @Test
    void findsAWriteThatWasMadeTwice() {
        history.write(Shop.COUNTER, 1, shows(2, 0));
        assertEquals(1, tally.count(Finding.REPEATED_WRITE));
        assertFalse(history.writesKept());
    }

    @Test
    void takesAnUnacknowledgedWriteAsItTurnsOut() {
        history.write(Shop.COUNTER, 1, Answer.of(502, "broke off", MILLI));
        history.read(shows(1, 0));
        history.write(Shop.COUNTER, 1, Answer.none(MILLI));
        history.read(shows(1, 0));
        history.write(Shop.COUNTER, 1, shows(2, 0));
        history.readLast(shows(2, 0));
        assertTrue(history.writesKept());
        assertEquals(1, tally.acknowledgedWrites());
        assertEquals(0, findings());
    }

    @Test
    void findsAnErrorOfANodeThatNoOutageExplains() {
        history.write(Shop.COUNTER, 1, Answer.of(500, "NullPointerException", MILLI));
        history.readLast(shows(0, 0));
        assertFalse(history.noNodeErred());
        assertEquals(1, tally.count(Finding.NODE_ERROR));
        assertTrue(history.writesKept());
    }

    @Test
    void findsAStall() {
        history.read(Answer.none(14_000 * MILLI));
        assertTrue(history.waiting());
        history.read(shows(0, 0));
        assertTrue(history.neverStalled());
        history.read(Answer.none(16_000 * MILLI));
        assertFalse(history.neverStalled());
        assertEquals(1, tally.count(Finding.STALL));
    }

    @Test
    void doesNotLetAnUnacknowledgedWriteHideALostOne() {
        history.write(Shop.COUNTER, 1, shows(1, 0));
        history.write(Shop.COUNTER, 1, Answer.none(MILLI));
        history.read(shows(0, 0));
        assertEquals(1, tally.count(Finding.LOST_WRITE));
    }

    @Test
    void findsAValueThatWasSeenAndIsGoneAgain() {
        history.write(Shop.COUNTER, 1, Answer.none(MILLI));
        history.read(shows(1, 0));
        history.read(shows(0, 0));
        assertEquals(1, tally.count(Finding.LOST_WRITE));
    }

    @Test
    void acceptsTheLossOfADegradedWrite() {
        history.write(Shop.COUNTER, 1, shows("s1", "ann", 1, 0, true));
        history.readLast(shows(0, 0));
        assertEquals(0, findings());
        assertEquals(0, tally.acknowledgedWrites());
    }

    @Test
    void isNotKeptWithoutALogIn() {
        SessionHistory never = new SessionHistory("bob", tally);
        never.logIn(Answer.of(503, "", MILLI));
        never.giveUp();
        assertFalse(never.sessionKept());
        assertEquals(1, tally.count(Finding.LOST_SESSION));
    }

    @Test
    void readsTheShopsJson() {
        Shop shop = Answer.of(
                        200,
                        "{\"node\":\"jetty-1\",\"container\":\"Jetty\",\"session\":\"s1\",\"user\":\"ann\",\"counter\":3,"
                                + "\"cart\":[{\"sku\":\"programme\",\"name\":\"P\",\"quantity\":2,\"cents\":600}]}",
                        true,
                        MILLI)
                .shop();
        assertEquals(new Shop("jetty-1", "s1", "ann", Map.of(Shop.COUNTER, 3, CART, 2), true), shop);
        assertEquals(null, Answer.of(200, "<html>", MILLI).shop());
        assertEquals(null, Answer.of(200, "{\"error\":1}", MILLI).shop());
    }

    private long findings() {
        return tally.details().size();
    }

    private static Answer shows(int counter, int inCart) {
        return shows("s1", "ann", counter, inCart, false);
    }

    private static Answer shows(String session, String user, int counter, int inCart, boolean degraded) {
        Map<String, Integer> values = new HashMap<>(Map.of(Shop.COUNTER, counter));
        if (inCart > 0) {
            values.put(CART, inCart);
        }
        return new Answer(200, new Shop("jetty-1", session, user, values, degraded), MILLI);
    }
}
