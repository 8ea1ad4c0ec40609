package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.contract.ContractContainer;
import io.understudy.contract.SessionLockContract;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On Tomcat one request of a session at a time, through two nodes. */
@Tag("container")
final class SessionLockIT extends SessionLockContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }

    /** An access log that takes its time for asynchronous requests: Tomcat ends their access to the session after it. */
    private static final class SlowLog extends ValveBase implements AccessLog {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayGo = new CountDownLatch(1);

        SlowLog() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            getNext().invoke(request, response);
        }

        @Override
        public void log(Request request, Response response, long time) {
            if (request.getRequestURI().endsWith("/async")) {
                begun.countDown();
                try {
                    mayGo.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void setRequestAttributesEnabled(boolean enabled) {}

        @Override
        public boolean getRequestAttributesEnabled() {
            return false;
        }
    }

    private static int increment(HttpServletRequest request) {
        return ++((int[]) request.getSession(false).getAttribute("count"))[0];
    }

    /** The session is first asked for by a thread that Tomcat knows nothing of. */
    private static void incrementLater(HttpServletRequest request) {
        AsyncContext context = request.startAsync();
        new Thread(() -> {
                    increment(request);
                    context.complete();
                })
                .start();
    }

    @Test
    void anAsyncChangeIsSentBeforeTheLockIsReleased() throws Exception {
        Pages pages = new Pages()
                .with(context ->
                        context.setLoginConfig(new LoginConfig())) // No authenticator, which asks for sessions.
                .on("/begin", (request, response) -> request.getSession().setAttribute("count", new int[1]))
                .on("/async", (request, response) -> {
                    response.setHeader("Connection", "close"); // The log keeps the connection.
                    incrementLater(request);
                })
                .on("/count", (request, response) -> response.getWriter().print(increment(request)));
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.SESSION_LOCK, "on"))) {
            List<TomcatNode> nodes = TomcatNode.start(cluster, 2, pages);
            SlowLog log = new SlowLog();
            nodes.get(0).host().getPipeline().addValve(log);
            try {
                Browser browser = new Browser();
                browser.get(nodes.get(0), "/begin");
                CompletableFuture<HttpResponse<String>> async = browser.start(nodes.get(0), "/async");
                assertTrue(log.begun.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
                assertEquals("2", browser.get(nodes.get(1), "/count"));
                assertEquals("3", browser.get(nodes.get(0), "/count"));
                log.mayGo.countDown();
                assertEquals(200, async.join().statusCode());
            } finally {
                log.mayGo.countDown();
                nodes.forEach(TomcatNode::close);
            }
        }
    }
}
