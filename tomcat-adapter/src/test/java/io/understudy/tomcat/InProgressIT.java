package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.AsyncContext;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The valve counts each request while it runs; one that stayed in the count would delay each stop. Tomcat alone leaves
 * a servlet's request in it that fails after {@code startAsync}.
 */
@Tag("container")
class InProgressIT {

    private final CountDownLatch written = new CountDownLatch(1);

    /** A valve of the application's that fails. */
    private static final class Failing extends ValveBase {

        Failing() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response) {
            throw new StackOverflowError(request.getRequestURI());
        }
    }

    private Pages pages() {
        return new Pages()
                .on("/plain", (request, response) -> request.getSession().setAttribute("a", 1))
                .on("/error", (request, response) -> {
                    request.getSession().setAttribute("a", 2);
                    throw new StackOverflowError();
                })
                .on("/async", (request, response) -> {
                    AsyncContext context = request.startAsync();
                    context.start(context::complete);
                })
                .on("/dispatch", (request, response) -> request.startAsync().dispatch("/plain"))
                .on("/timeout", (request, response) -> request.startAsync().setTimeout(100))
                .on("/large", (request, response) -> {
                    request.getSession().setAttribute("a", 3);
                    try {
                        for (int i = 0; i < 10_000; i++) {
                            response.getWriter().print("x".repeat(10_000));
                        }
                    } finally {
                        written.countDown();
                    }
                });
    }

    @Test
    void noRequestStaysInTheCountHoweverItEnds() throws Exception {
        try (TomcatNode node = TomcatNode.start(LoopbackCluster.configs(1).get(0), pages())) {
            node.awaitReady();
            StandardContext context = (StandardContext) node.manager().getContext();
            Browser browser = new Browser();
            for (String path : List.of("/plain", "/error", "/async", "/dispatch", "/timeout")) {
                assertTrue(browser.send(node, path).statusCode() >= 200, path);
                assertNone(context, path);
            }
            leaveEarly(node.uri("/large"));
            assertTrue(written.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertNone(context, "a client that goes away");
            context.getPipeline().addValve(new Failing());
            assertEquals(500, browser.send(node, "/plain").statusCode());
            assertNone(context, "an Error of another valve");
        }
    }

    private static void leaveEarly(URI page) throws Exception {
        try (Socket client = new Socket(page.getHost(), page.getPort())) {
            String request = "GET " + page.getPath() + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertTrue(client.getInputStream().read() >= 0);
        }
    }

    private static void assertNone(StandardContext context, String after) {
        Await.that("no request is counted after " + after, () -> context.getInProgressAsyncCount() == 0);
    }
}
