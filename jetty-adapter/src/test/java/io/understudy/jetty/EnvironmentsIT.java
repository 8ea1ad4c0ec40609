package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same adapter serves the older environments, each loaded beside the core as a Jetty distribution does. */
@Tag("container")
@Timeout(300)
final class EnvironmentsIT {

    @ParameterizedTest
    @CsvSource({"ee8, javax.servlet", "ee9, jakarta.servlet", "ee10, jakarta.servlet"})
    void aSessionGoesOnOnTheOtherNode(String environment, String api, @TempDir Path directory) throws Exception {
        try (Environment loaded = Environment.of(environment, api, "CounterServlet", directory);
                JettyCluster cluster = JettyCluster.of(2).start(config -> JettyNode.of(config, loaded.webapp()))) {
            Browser browser = new Browser();
            for (int i = 1; i <= 20; i++) {
                assertEquals("" + i, browser.get(cluster.node(i % 2), "/app/count"));
            }
            Browser old = browser.twin();
            assertEquals("21", browser.get(cluster.node(0), "/app/rename"));
            assertNotEquals(old.sessionId(), browser.sessionId());
            assertEquals("1", old.get(cluster.node(1), "/app/count"), "the old id is nobody's");
            assertEquals("22", browser.get(cluster.node(1), "/app/count"));
            ReplicationMetrics metrics = cluster.node(1).understudy.metrics();
            long sent = metrics.value(Counter.DELTAS_SENT);
            long acknowledged = metrics.value(Counter.RESPONSES_ACKNOWLEDGED);
            assertEquals("23", browser.get(cluster.node(1), "/app/bulk"));
            Await.that("it is sent", () -> metrics.value(Counter.DELTAS_SENT) == sent + 1);
            assertEquals(
                    acknowledged, metrics.value(Counter.RESPONSES_ACKNOWLEDGED), "the request wanted to be incoherent");
            assertEquals("24", browser.get(cluster.node(1), "/app/count"));
            assertEquals(acknowledged + 1, metrics.value(Counter.RESPONSES_ACKNOWLEDGED));
            browser.get(cluster.node(1), "/app/logout");
            assertEquals("1", browser.get(cluster.node(0), "/app/count"));
        }
    }

    @ParameterizedTest
    @CsvSource({"ee8, javax.servlet", "ee9, jakarta.servlet"})
    void aLoginByFormIsBegunHereAndEndedThere(String environment, String api, @TempDir Path directory)
            throws Exception {
        try (Environment loaded = Environment.of(environment, api, "LoginServlet", directory);
                JettyCluster cluster = JettyCluster.of(2).start(config -> JettyNode.of(config, loaded.webapp()))) {
            for (int i = 0; i < 20; i++) {
                Browser browser = new Browser();
                browser.post(cluster.node(0), "/app/account", "tab=orders");
                HttpResponse<String> loggedIn =
                        browser.send(cluster.node(1), "/app/j_security_check?j_username=ada&j_password=secret");
                assertEquals("/app/account", Browser.location(loggedIn), loggedIn::toString);
                assertEquals(
                        "ada true FORM orders",
                        browser.get(cluster.node(0), "/app/account"),
                        "the form that the login interrupted");
                assertEquals("ada true FORM null", browser.get(cluster.node(1), "/app/account"));
                browser.get(cluster.node(1), "/app/logout");
                assertEquals("/app/login", Browser.location(browser.send(cluster.node(0), "/app/account")));
            }
        }
    }
}
