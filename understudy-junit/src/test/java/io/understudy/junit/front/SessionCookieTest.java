package io.understudy.junit.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The session of a client after a response. */
@Tag("rules")
class SessionCookieTest {

    private static final String NAME = "JSESSIONID";

    @Test
    void theResponseComesBeforeTheRequest() {
        List<String> sent = List.of("theme=dark; JSESSIONID=a");
        assertEquals("a", SessionCookie.id(NAME, sent, List.of()));
        assertEquals("b", SessionCookie.id(NAME, sent, List.of("JSESSIONID=b; Path=/; HttpOnly")));
        assertEquals("a", SessionCookie.id(NAME, sent, List.of("theme=light")));
    }

    @Test
    void aClientMayHaveNone() {
        assertNull(SessionCookie.id(NAME, List.of(), List.of()));
        assertNull(SessionCookie.id(NAME, List.of("XJSESSIONID=a; b"), List.of()));
        assertNull(SessionCookie.id(NAME, List.of("JSESSIONID=a"), List.of("JSESSIONID=; Max-Age=0")));
    }
}
