package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Understudy;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.EventsHandler;
import org.eclipse.jetty.session.ManagedSession;
import org.eclipse.jetty.session.SessionHandler;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A coherent response waits for all changes of its request, also those in the sessions of other clients, and in
 * whichever thread the response is written. While the other node receives nothing, no such response leaves.
 */
@Tag("container")
@Timeout(300)
final class OtherSessionsIT {

    /** How long a response must be held whose change is sent: many times what it takes without waiting. */
    private static final long HELD_MILLIS = 100;

    private final Cluster cluster = Cluster.of(2, Map.of());
    private final List<JettyNode> nodes = new ArrayList<>();

    /** The other client's session, as an application keeps it that lists who is logged in. */
    private final Map<String, HttpSession> registry = new ConcurrentHashMap<>();

    /** The application is about to change a session. */
    private final Semaphore changing = new Semaphore(0);

    /** That the second node is stopped, if the application, or a handler around it, did that. */
    private final AtomicReference<Fault> paused = new AtomicReference<>();

    /** Whether listeners for the end of a session stop the second node. */
    private volatile boolean pausesAtEnd;

    /** Whether a handler that sees the head of a response stops the second node. */
    private volatile boolean pausesAtHead;

    @AfterEach
    void stop() {
        resume();
        nodes.forEach(JettyNode::close);
        cluster.close();
    }

    private void change(String value) {
        changing.release();
        registry.get("other").setAttribute("a", value);
    }

    private void pause() {
        paused.set(cluster.pause(1));
    }

    private void resume() {
        Fault fault = paused.getAndSet(null);
        if (fault != null) {
            fault.close();
        }
    }

    private void changeInPlace(String value) {
        changing.release();
        list(registry.get("other").getAttribute("list")).add(value);
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(Object attribute) {
        return (List<String>) attribute;
    }

    private void start(Handler... handlers) {
        for (int i = 0; i < handlers.length; i++) {
            start(JettyNode.of(cluster.node(i), handlers[i]));
        }
    }

    private void start(JettyNode node) {
        nodes.add(node.start());
        Await.that("ready", () -> node.understudy.readiness().ready());
    }

    private ServletContextHandler webapp() {
        Map<String, JettyNode.Action> actions = new LinkedHashMap<>();
        actions.put("/register", (request, response) -> {
            request.getSession().setAttribute("list", new ArrayList<String>());
            registry.put("other", request.getSession());
        });
        actions.put("/get", OtherSessionsIT::get);
        actions.put("/none", (request, response) -> {});
        actions.put("/set", (request, response) -> change("new"));
        actions.put("/timeout", (request, response) -> {
            changing.release();
            registry.get("other").setMaxInactiveInterval(77);
        });
        actions.put("/in-place", (request, response) -> changeInPlace("new"));
        actions.put("/late", (request, response) -> {
            response.flushBuffer();
            changeInPlace("new");
        });
        actions.put("/async", (request, response) -> {
            AsyncContext async = request.startAsync();
            async.start(() -> {
                changeInPlace("new");
                async.complete();
            });
        });
        actions.put("/listener", (request, response) -> request.getSession().setAttribute("listened", "to"));
        actions.put("/error", (request, response) -> response.sendError(410));
        actions.put("/error-page", (request, response) -> {
            changeInPlace("new");
            response.setStatus(200);
        });
        actions.put("/managed", (request, response) -> {
            SessionManager manager = nodes.get(0)
                    .server
                    .getDescendant(ServletContextHandler.class)
                    .getSessionHandler();
            ManagedSession other =
                    manager.getManagedSession(registry.get("other").getId());
            changing.release();
            list(other.getAttribute("list")).add("new");
            manager.complete(other);
        });
        actions.put("/logout", (request, response) -> registry.get("other").invalidate());
        HttpSessionAttributeListener changes = new HttpSessionAttributeListener() {
            @Override
            public void attributeAdded(HttpSessionBindingEvent event) {
                if (event.getName().equals("listened")) {
                    changeInPlace("new");
                }
            }
        };
        HttpSessionListener ends = new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                if (pausesAtEnd) {
                    pause();
                    changing.release();
                }
            }
        };
        ServletContextHandler context = JettyNode.webapp(actions, List.of(changes, ends));
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(410, "/error-page");
        context.setErrorHandler(errors);
        return context;
    }

    private static void get(HttpServletRequest request, HttpServletResponse response) throws Exception {
        HttpSession session = request.getSession(false);
        response.getWriter()
                .print(
                        session == null
                                ? "no session"
                                : session.getAttribute("a") + " " + session.getAttribute("list") + " "
                                        + session.getMaxInactiveInterval());
    }

    /** Sends a request to the first node, whose response must not be whole before the second node has the change. */
    private void assertHeld(Browser browser, String path) throws Exception {
        changing.drainPermits();
        long before = sent();
        pause();
        CompletableFuture<HttpResponse<String>> response = browser.start(nodes.get(0), path);
        assertHeld(response, before);
        resume();
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
    }

    private void assertHeld(CompletableFuture<HttpResponse<String>> response, long sentBefore)
            throws InterruptedException {
        assertTrue(changing.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the application ran");
        Await.that("the change is sent", () -> sent() > sentBefore);
        assertThrows(
                TimeoutException.class,
                () -> response.get(HELD_MILLIS, TimeUnit.MILLISECONDS),
                "answered before the other node had the change");
    }

    private long sent() {
        return nodes.get(0).understudy.metrics().value(Counter.DELTAS_SENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"set", "timeout", "in-place", "late", "async", "listener", "error", "managed"})
    void aResponseWaitsForChangesOfAnotherSession(String page) throws Exception {
        start(webapp(), webapp());
        Browser other = new Browser();
        other.get(nodes.get(0), "/app/register");
        assertEquals("null [] -1", other.get(nodes.get(1), "/app/get"));
        assertHeld(new Browser(), "/app/" + page);
        assertEquals(
                switch (page) {
                    case "set" -> "new [] -1";
                    case "timeout" -> "null [] 77";
                    default -> "null [new] -1";
                },
                other.get(nodes.get(1), "/app/get"));
    }

    /** The other node is stopped when it has agreed to the end: the response waits until it has the end, too. */
    @Test
    void aResponseWaitsForTheEndOfAnotherSession() throws Exception {
        start(webapp(), webapp());
        Browser other = new Browser();
        other.get(nodes.get(0), "/app/register");
        assertEquals("null [] -1", other.get(nodes.get(1), "/app/get"));
        long before = sent();
        pausesAtEnd = true;
        CompletableFuture<HttpResponse<String>> response = new Browser().start(nodes.get(0), "/app/logout");
        assertHeld(response, before);
        pausesAtEnd = false;
        resume();
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals("no session", other.get(nodes.get(1), "/app/get"));
    }

    /** It sees the response when that has waited for all that the handlers inside of ours did. */
    @Test
    void aHandlerAroundOursChangesASession() throws Exception {
        JettyNode first = JettyNode.of(cluster.node(0), webapp());
        first.server.addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                first.server.insertHandler(new EventsHandler() {
                    @Override
                    protected void onResponseBegin(Request request, int status, HttpFields headers) {
                        if (Request.getPathInContext(request).endsWith("/none")) {
                            change("around");
                        }
                    }
                });
            }
        });
        start(first);
        start(JettyNode.of(cluster.node(1), webapp()));
        assertTrue(first.server.getHandler() instanceof EventsHandler);
        Browser other = new Browser();
        other.get(first, "/app/register");
        assertHeld(new Browser(), "/app/none");
        assertEquals("around [] -1", other.get(nodes.get(1), "/app/get"));
    }

    /** They change it when the head has passed ours. */
    @Test
    void handlersAroundOursChangeTheirSession() throws Exception {
        start(around(cluster.node(0)));
        start(around(cluster.node(1)));
        Browser browser = new Browser();
        assertEquals("null null", browser.get(nodes.get(0), "/get"));
        assertHeld(browser, "/outside");
        assertEquals("null new", browser.get(nodes.get(1), "/get"));
    }

    /** The head has been held for the application's change, and passes them in a thread that works for no request. */
    @Test
    void handlersAroundOursChangeTheirSessionAfterAWait() throws Exception {
        start(around(cluster.node(0)));
        start(around(cluster.node(1)));
        Browser browser = new Browser();
        assertEquals("null null", browser.get(nodes.get(0), "/get"));
        pausesAtHead = true;
        long before = sent();
        pause();
        CompletableFuture<HttpResponse<String>> response = browser.start(nodes.get(0), "/both");
        assertHeld(response, before);
        before = sent();
        resume();
        assertHeld(response, before);
        resume();
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals("new new", browser.get(nodes.get(1), "/get"));
    }

    private final class Changing extends HttpStream.Wrapper {

        private final Request request;

        Changing(HttpStream wrapped, Request request) {
            super(wrapped);
            this.request = request;
        }

        @Override
        public void send(
                MetaData.Request asked, MetaData.Response head, boolean last, ByteBuffer content, Callback callback) {
            if (head != null) {
                if (pausesAtHead) {
                    pause();
                }
                changing.release();
                request.getSession(false).setAttribute("outside", "new");
            }
            super.send(asked, head, last, content, callback);
        }
    }

    private JettyNode around(Understudy understudy) {
        JettyNode node = JettyNode.of(understudy, new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Session session = request.getSession(true);
                if (request.getHttpURI().getPath().equals("/both")) {
                    changing.release();
                    session.setAttribute("inside", "new");
                }
                Content.Sink.write(
                        response,
                        true,
                        session.getAttribute("inside") + " " + session.getAttribute("outside"),
                        callback);
                return true;
            }
        });
        Handler.Wrapper outside = new Handler.Wrapper() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                if (!request.getHttpURI().getPath().equals("/get")) {
                    request.addHttpStreamWrapper(stream -> new Changing(stream, request));
                }
                return super.handle(request, response, callback);
            }
        };
        node.server.addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                node.server.insertHandler(outside);
                node.server.insertHandler(new SessionHandler());
            }
        });
        return node;
    }

    /** Such a thread works for no request that is known. */
    @Test
    void aThreadOfAPoolCompletesTheResponse() throws Exception {
        start(completedElsewhere(), completedElsewhere());
        Browser other = new Browser();
        assertEquals("[]", other.get(nodes.get(0), "/app/begin"));
        assertHeld(new Browser(), "/app/change?" + other.sessionId());
        assertEquals("[new]", other.get(nodes.get(1), "/app/begin"));
    }

    private Handler completedElsewhere() {
        SessionHandler sessions = new SessionHandler();
        sessions.setHandler(new Handler.Abstract.NonBlocking() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                String id = request.getHttpURI().getQuery();
                if (id == null) {
                    Session session = request.getSession(true);
                    if (session.getAttribute("list") == null) {
                        session.setAttribute("list", new ArrayList<>());
                    }
                    Content.Sink.write(
                            response, true, session.getAttribute("list").toString(), callback);
                    return true;
                }
                request.getComponents().getExecutor().execute(() -> {
                    ManagedSession session = sessions.getManagedSession(id);
                    changing.release();
                    list(session.getAttribute("list")).add("new");
                    sessions.complete(session);
                    callback.succeeded();
                });
                return true;
            }
        });
        return new ContextHandler(sessions, "/app");
    }
}
