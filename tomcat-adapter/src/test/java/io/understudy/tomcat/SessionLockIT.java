package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.config.Setting;
import io.understudy.contract.ContractContainer;
import io.understudy.contract.SessionLockContract;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** Changes the session when Tomcat has answered the client, once another request waits for it or has changed it. */
    private static final class LateChange implements AsyncListener {

        private final HttpServletRequest request;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayGo = new CountDownLatch(1);

        LateChange(HttpServletRequest request) {
            this.request = request;
        }

        @Override
        public void onError(AsyncEvent event) {
            begun.countDown();
            try {
                mayGo.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            increment(request);
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    /** Tomcat answers when the dispatch has thrown, and calls the listeners of the error after that. */
    @Test
    void aFailedDispatchKeepsTheLockForItsListeners() throws Exception {
        BlockingQueue<LateChange> changes = new LinkedBlockingQueue<>();
        AtomicInteger counted = new AtomicInteger();
        Pages pages = new Pages()
                .on("/begin", (request, response) -> request.getSession().setAttribute("count", new int[1]))
                .on("/dispatch", (request, response) -> {
                    LateChange change = new LateChange(request);
                    AsyncContext context = request.startAsync();
                    context.addListener(change);
                    changes.add(change);
                    context.start(() -> context.dispatch("/throws"));
                })
                .on("/throws", (request, response) -> {
                    throw new IllegalStateException("on purpose, in an asynchronous dispatch");
                })
                .on("/count", (request, response) -> {
                    counted.incrementAndGet();
                    response.getWriter().print(increment(request));
                });
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.SESSION_LOCK, "on"))) {
            List<TomcatNode> nodes = TomcatNode.start(cluster, 2, pages);
            Browser browser = new Browser();
            browser.get(nodes.get(0), "/begin");
            CompletableFuture<HttpResponse<String>> failed = browser.start(nodes.get(0), "/dispatch");
            LateChange change = Objects.requireNonNull(changes.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            try {
                assertTrue(change.begun.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
                CompletableFuture<HttpResponse<String>> other = browser.start(nodes.get(1), "/count");
                Await.that(
                        "another request waits for the lock, or has it",
                        () -> counted.get() > 0
                                || NodeFigures.momentary(cluster.node(1)).get("requests_waiting") == 1);
                assertEquals(0, counted.get(), "the lock is held");
                change.mayGo.countDown();
                assertEquals("2", other.join().body());
                assertEquals(500, failed.join().statusCode());
            } finally {
                change.mayGo.countDown();
                nodes.forEach(TomcatNode::close);
            }
        }
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
