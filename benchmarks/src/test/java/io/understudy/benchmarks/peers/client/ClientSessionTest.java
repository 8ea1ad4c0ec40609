package io.understudy.benchmarks.peers.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.benchmarks.peers.node.SessionPages;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ClientSessionTest {

    private static HttpConnection.Response body(String body) {
        return new HttpConnection.Response(200, body, "");
    }

    /** A session with so many acknowledged changes. */
    private static ClientSession changed(int changes) throws IOException {
        ClientSession session = new ClientSession();
        for (int i = 0; i < changes; i++) {
            session.acknowledge(body(String.valueOf(i)));
        }
        return session;
    }

    @Test
    void nothingIsLostThatTheOtherNodeHas() throws IOException {
        assertEquals(0, changed(12).lost(body("10 11 2 3 4 5 6 7 8 9")));
    }

    @Test
    void changesOnTheirWayAtTheKillMayBeThere() throws IOException {
        assertEquals(0, changed(12).lost(body("10 11 12 3 4 5 6 7 8 9")));
    }

    @Test
    void eachAcknowledgedChangeThatIsMissingCounts() throws IOException {
        assertEquals(1, changed(12).lost(body("10 1 2 3 4 5 6 7 8 9")));
        assertEquals(3, changed(32).lost(body("30 1 22 23 24 25 26 27 28 29")));
    }

    @Test
    void ofASessionThatIsNotThereAllChangesAreLost() throws IOException {
        HttpConnection.Response none = body(SessionPages.NONE);
        assertEquals(12, changed(12).lost(none));
        assertTrue(ClientSession.missing(none));
    }

    @Test
    void changesBeforeTheMarkMakeASessionIncompleteAndAreNotLost() throws IOException {
        ClientSession session = changed(12);
        session.mark();
        session.acknowledge(body("12"));
        HttpConnection.Response behind = body("0 11 12 3 4 5 6 7 8 9");
        assertEquals(0, session.lost(behind));
        assertTrue(session.incomplete(behind));
        HttpConnection.Response complete = body("10 11 2 3 4 5 6 7 8 9");
        assertEquals(1, session.lost(complete));
        assertFalse(session.incomplete(complete));
    }

    @Test
    void onlyTheLastChangeIsCurrent() throws IOException {
        assertTrue(changed(12).isLast(body("11")));
        assertFalse(changed(12).isLast(body("1")));
    }

    @Test
    void anAnswerOfAnotherChangeIsNoAcknowledgement() {
        ClientSession session = new ClientSession();
        assertThrows(IOException.class, () -> session.acknowledge(body("1")));
        assertThrows(IOException.class, () -> session.acknowledge(new HttpConnection.Response(503, "0", "")));
    }

    @Test
    void theLastCookieIsSent() throws IOException {
        ClientSession session = new ClientSession();
        session.acknowledge(new HttpConnection.Response(200, "0", "JSESSIONID=a"));
        session.acknowledge(body("1"));
        assertTrue(new String(session.change(true), US_ASCII)
                .startsWith("POST /change?n=2&length HTTP/1.1\r\nHost: peers\r\nCookie: JSESSIONID=a\r\n"));
    }

    @Test
    void readsExpectWhatTheShopHas() throws IOException {
        ClientSession session = new ClientSession();
        session.answered(Requests.STRINGS, body("0"));
        session.answered(Requests.STRINGS, body("1"));
        session.answered(Requests.CART, body(SessionPages.COSTS));
        assertThrows(IOException.class, () -> session.answered(Requests.STRINGS, body("1")));
        assertThrows(IOException.class, () -> session.answered(Requests.CART, body(SessionPages.NONE)));
    }
}
