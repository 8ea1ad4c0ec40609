package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.testkit.faults.Cluster;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What load balancers, and strangers, get at {@code healthPort}. */
@Tag("cluster")
class HealthEndpointTest {

    private final Cluster cluster = Cluster.of(1, Map.of(Setting.HEALTH_PORT, "0"));
    private final int port = cluster.node(0).healthPort();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void readyIsAnsweredBesideHalfOpenRequests() throws Exception {
        List<Socket> halfOpen = RawHttp.halfOpen(port, 1000);
        try {
            RawHttp.Answer ready = RawHttp.send(port, "GET /ready HTTP/1.1", "Host: localhost");
            assertEquals(200, ready.status(), ready.text());
        } finally {
            RawHttp.close(halfOpen);
        }
    }

    @Test
    void readyTellsWhetherThereAreOthers() throws Exception {
        RawHttp.Answer alone = RawHttp.send(port, "GET /ready HTTP/1.1", "Host: localhost");
        assertTrue(alone.text().contains("; no other member"), alone.text());
        try (Cluster two = Cluster.of(2, Map.of(Setting.HEALTH_PORT, "0"))) {
            RawHttp.Answer together = RawHttp.send(two.node(0).healthPort(), "GET /ready HTTP/1.1", "Host: localhost");
            String other = two.node(1).config().nodeName();
            assertTrue(together.text().contains("; 1 other member(s), view "), together.text());
            assertTrue(together.text().contains(other), together.text());
        }
    }

    @Test
    void figuresAreToldInTheFormatOfPrometheus() throws Exception {
        RawHttp.Answer metrics = RawHttp.send(port, "GET /metrics HTTP/1.1", "Host: localhost");
        assertEquals(200, metrics.status(), metrics.text());
        assertTrue(metrics.text().contains("\nunderstudy_sessions 0\n"), metrics.text());
    }

    @Test
    void anotherPathIsNotFound() throws Exception {
        assertEquals(
                404,
                RawHttp.send(port, "GET /readiness HTTP/1.1", "Host: localhost").status());
    }

    @Test
    void aTakenPortFailsTheStartByName() {
        ConfigException refused = assertThrows(
                ConfigException.class, () -> Cluster.of(1, Map.of(Setting.HEALTH_PORT, String.valueOf(port))));
        assertTrue(refused.getMessage().startsWith("setting 'healthPort' is '" + port + "'"), refused.getMessage());
    }
}
