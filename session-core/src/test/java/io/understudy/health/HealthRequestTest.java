package io.understudy.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.health.HealthRequest.MalformedException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("rules")
class HealthRequestTest {

    private static HealthRequest parse(String head) throws MalformedException {
        return HealthRequest.parse(head, InetAddress.getLoopbackAddress());
    }

    @Test
    void requestLineAndHeadersAreRead() throws Exception {
        HealthRequest request =
                parse("POST /drain?seconds=5 HTTP/1.1\r\nHost: a\r\nVIA:b \r\nhost:\tc\r\n\r\nbody: no\r\n");
        assertEquals("POST", request.method());
        assertEquals("/drain", request.path());
        assertEquals("seconds=5", request.query());
        assertEquals(List.of("a", "c"), request.all("host"));
        assertEquals(List.of("b"), request.all("via"));
        assertEquals(List.of(), request.all("body"));
    }

    @Test
    void linesMayEndWithLineFeedsAlone() throws Exception {
        HealthRequest request = parse("\r\nGET /ready HTTP/1.0\nHost: a\n\n");
        assertEquals("/ready", request.path());
        assertNull(request.query());
        assertEquals(List.of("a"), request.all("host"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET",
                "GET /ready",
                "GET  /ready HTTP/1.1",
                "GET /ready HTTP/2.0",
                "GET ready HTTP/1.1",
                "GET http://evil.example/ready HTTP/1.1",
                "GET /ready HTTP/1.1\r\nHost",
                "GET /ready HTTP/1.1\r\nHost : a",
                "GET /ready HTTP/1.1\r\nHost: a\r\n b",
                "GET /ready HTTP/1.1\r\nHost: a\rVia: b",
                "GET /ready HTTP/1.1\r\nHost: a\u0000",
                "GET /re\u00e4dy HTTP/1.1",
                "\u0016\u0003\u0001\u0002"
            })
    void whatIsNoHeadIsRefused(String head) {
        assertThrows(MalformedException.class, () -> parse(head + "\r\n\r\n"));
    }

    @Test
    void theEmptyLineEndsAHead() {
        assertTrue(HealthRequest.ended("GET / HTTP/1.1\r\n\r\n"));
        assertTrue(HealthRequest.ended("\r\nGET / HTTP/1.1\n\nmore"));
        assertFalse(HealthRequest.ended("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n"));
    }
}
