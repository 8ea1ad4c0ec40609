package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.Forgetful;
import io.understudy.testkit.LogLines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The doctor needs nothing of the adapter but the end of the request. */
@Tag("container")
@Timeout(300)
final class SessionDoctorIT {

    @Test
    void whatARequestLeavesInItsSessionIsExaminedWhenItIsOver() {
        try (LogLines log = new LogLines("io.understudy.doctor");
                JettyCluster cluster = JettyCluster.of(1)
                        .set(Setting.SESSION_DOCTOR, "log")
                        .on("/set", (request, response) -> {
                            request.getSession().setAttribute("cart", new ArrayList<>(List.of("x", new Forgetful())));
                            response.getWriter().print("done");
                        })
                        .start()) {
            assertEquals("done", new Browser().get(cluster.node(0), "/app/set"));
            Await.that("it was logged", () -> !log.with().isEmpty());
            String line = log.with().get(0);
            assertTrue(line.contains(" - session doctor: attribute 'cart' ("), line);
            assertTrue(line.contains("cart[1].price: was 9.95, comes back as 9 ("), line);
            assertEquals(1, cluster.node(0).understudy.findings().size());
        }
    }
}
