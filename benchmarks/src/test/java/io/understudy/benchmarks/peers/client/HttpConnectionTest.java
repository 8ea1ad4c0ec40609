package io.understudy.benchmarks.peers.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class HttpConnectionTest {

    private static final String WITH_LENGTH =
            "HTTP/1.1 200 \r\nSet-Cookie: JSESSIONID=ab; Path=/; HttpOnly\r\ncontent-length: 2\r\n\r\n17";
    private static final String CHUNKED =
            "HTTP/1.1 503 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\n17\r\nb\r\n and others\r\n0\r\n\r\n";

    @Test
    void responseIsCompleteWithItsLastByte() {
        for (String whole : new String[] {WITH_LENGTH, CHUNKED}) {
            for (int length = 0; length < whole.length(); length++) {
                assertFalse(HttpConnection.complete(whole.substring(0, length)), whole.substring(0, length));
            }
            assertTrue(HttpConnection.complete(whole), whole);
        }
    }

    @Test
    void statusBodyAndCookieAreRead() {
        assertEquals(new HttpConnection.Response(200, "17", "JSESSIONID=ab"), HttpConnection.parse(WITH_LENGTH));
    }

    @Test
    void chunksAreJoined() {
        assertEquals(new HttpConnection.Response(503, "17 and others", ""), HttpConnection.parse(CHUNKED));
    }
}
