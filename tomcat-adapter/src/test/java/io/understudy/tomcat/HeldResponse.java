package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A response that has to wait for an acknowledgement. */
final class HeldResponse {

    /** How long the client must be kept waiting: hundreds of times what a response takes without an acknowledgement. */
    private static final long HELD_MILLIS = 200;

    private HeldResponse() {}

    /**
     * If the machine stood still, failure detection may have removed the other member by now: what leaves then is
     * degraded.
     *
     * @param before degraded responses of the node before the request
     */
    static void assertHeld(TomcatNode node, CompletableFuture<HttpResponse<String>> response, long before)
            throws Exception {
        try {
            HttpResponse<String> early = response.get(HELD_MILLIS, TimeUnit.MILLISECONDS);
            assertTrue(
                    node.understudy().metrics().value(Counter.RESPONSES_DEGRADED) > before,
                    () -> "answered while the other member heard nothing: " + early.statusCode() + " " + early.body());
        } catch (TimeoutException e) {
            // As it should be.
        }
    }
}
