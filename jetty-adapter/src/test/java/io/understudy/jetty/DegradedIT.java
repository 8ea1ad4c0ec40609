package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that is alone can't keep the promise of coherent mode. */
@Tag("container")
@Timeout(300)
final class DegradedIT {

    @Test
    void aDegradedResponseLeavesAndTheApplicationCanSeeIt() throws Exception {
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (JettyCluster alone = JettyCluster.of(1)
                .on("/set", (request, response) -> {
                    request.getSession().setAttribute("a", "1");
                    response.getWriter().print("set");
                    response.flushBuffer();
                    seen.add(String.valueOf(request.getAttribute("io.understudy.degraded")));
                })
                .start()) {
            assertEquals("set", new Browser().get(alone.node(0), "/app/set"));
            assertEquals("true", seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void aRefusedResponseIsA503ThatKeepsTheCookieAndTheChange() {
        try (JettyCluster alone = JettyCluster.of(1)
                .set(Setting.ON_DEGRADED, "refuse")
                .on("/set", (request, response) -> {
                    request.getSession().setAttribute("a", request.getParameter("value"));
                    for (int i = 0; i < 1000; i++) {
                        response.getWriter().print("a body of many kilobytes, in many writes, none of which may leave");
                    }
                })
                .on("/get", (request, response) -> {
                    assertNotNull(request.getSession(false));
                    response.getWriter().print(request.getSession(false).getAttribute("a"));
                })
                .start()) {
            Browser browser = new Browser();
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> refused = browser.send(alone.node(0), "/app/set?value=" + i);
                assertEquals(503, refused.statusCode());
                assertEquals("", refused.body());
                assertTrue(refused.headers().firstValue("Retry-After").isPresent());
                assertNotNull(browser.sessionId());
                assertEquals("" + i, browser.get(alone.node(0), "/app/get"));
            }
        }
    }
}
