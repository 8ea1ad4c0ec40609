package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.RawHttp.Answer;
import io.understudy.config.Setting;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.faults.Cluster;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may drain a node at {@code healthPort}. */
@Tag("cluster")
class DrainByHttpTest {

    private static final String MEANT = "X-Understudy: drain";

    private final Cluster cluster = Cluster.of(1, Map.of(Setting.HEALTH_PORT, "0"));
    private final int port = cluster.node(0).healthPort();

    @AfterEach
    void close() {
        cluster.close();
    }

    private boolean ready() {
        return cluster.node(0).readiness().ready();
    }

    private void refused(String... lines) throws Exception {
        Answer answer = RawHttp.send(port, lines);
        assertEquals(403, answer.status(), answer.text());
        assertTrue(ready(), answer.text());
    }

    @Test
    void aFormInABrowserOnThisMachineIsRefused() throws Exception {
        refused(
                "POST /drain?seconds=0 HTTP/1.1",
                "Host: localhost:" + port,
                "Origin: http://evil.example",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Length: 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yes", "drain, drain", "drain2"})
    void anotherValueOfTheHeaderIsRefused(String value) throws Exception {
        refused("POST /drain?seconds=0 HTTP/1.1", "Host: localhost", "X-Understudy: " + value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "127.evil.example",
                "10.0.0.1",
                "[2001:db8::1]",
                "localhost@evil.example",
                "localhost:80:80",
                ""
            })
    void anotherHostIsRefused(String host) throws Exception {
        refused("POST /drain?seconds=0 HTTP/1.1", "Host: " + host, MEANT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: 203.0.113.7",
                "x-forwarded-proto: https",
                "Forwarded: for=203.0.113.7",
                "Via: 1.1 proxy",
                "X-Real-IP: 203.0.113.7",
                "X-Envoy-Internal: true"
            })
    void whatAProxyPassesOnIsRefused(String header) throws Exception {
        refused("POST /drain?seconds=0 HTTP/1.1", "Host: 127.0.0.1:" + port, MEANT, header);
    }

    @Test
    void aRequestWithoutHostIsRefused() throws Exception {
        refused("POST /drain?seconds=0 HTTP/1.0", MEANT);
    }

    private Answer meant(String request) throws Exception {
        return RawHttp.send(port, request, "Host: 127.0.0.1:" + port, MEANT);
    }

    @Test
    void aDrainIsTakenBackByWhoMayDrain() throws Exception {
        assertEquals(
                503,
                RawHttp.send(port, "POST /drain?seconds=0 HTTP/1.1", "Host: localhost", MEANT)
                        .status());
        assertFalse(ready());
        Answer forged = RawHttp.send(port, "DELETE /drain HTTP/1.1", "Host: evil.example", MEANT);
        assertEquals(403, forged.status(), forged.text());
        assertFalse(ready());
        Answer back = RawHttp.send(port, "DELETE /drain HTTP/1.1", "Host: [::1]:" + port, MEANT);
        assertEquals(200, back.status(), back.text());
        assertTrue(ready());
    }

    @Test
    void itIsDrainedWhenNoRequestUsesASession() throws Exception {
        assertEquals(405, meant("GET /drain HTTP/1.1").status());
        assertEquals(400, meant("POST /drain?seconds=soon HTTP/1.1").status());
        assertTrue(ready());
        LiveSession session = cluster.sessions(0).create("a", 1800);
        long ticket = session.enter();
        Answer early = meant("POST /drain?seconds=0 HTTP/1.1");
        assertEquals(503, early.status());
        assertTrue(early.text().contains("\nnot drained: 1 requests in flight"), early.text());
        assertEquals(503, meant("GET /ready HTTP/1.1").status());
        session.invalidate();
        session.exit(ticket);
        Answer drained = meant("POST /drain HTTP/1.1");
        assertEquals(200, drained.status(), drained.text());
        assertTrue(drained.text().contains("\ndrained: 0 requests in flight"), drained.text());
    }

    @Test
    void aSecondDrainAtOnceIsRefused() throws Exception {
        LiveSession session = cluster.sessions(0).create("a", 1800);
        long ticket = session.enter();
        String request = "POST /drain HTTP/1.1\r\nHost: localhost\r\n" + MEANT + "\r\n\r\n";
        try (Socket first = RawHttp.open(port, request)) {
            Await.that("it drains", () -> !ready());
            assertEquals(409, meant("POST /drain HTTP/1.1").status());
            assertEquals(200, meant("DELETE /drain HTTP/1.1").status());
            Answer ended = RawHttp.answer(first);
            assertEquals(503, ended.status(), ended.text());
            assertTrue(ready());
        }
        session.exit(ticket);
    }
}
