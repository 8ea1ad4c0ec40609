package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is reloaded while a request runs. */
@Tag("container")
class ReloadIT {

    private static final String DEGRADED = "X-Degraded";
    private static final String ENTERED = "shop.entered";
    private static final String MAY_CHANGE = "shop.mayChange";
    private static final String CHANGED = "shop.changed";
    private static final String MAY_RETURN = "shop.mayReturn";
    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <distributable/>
              <servlet><servlet-name>bag</servlet-name><servlet-class>shop.BagServlet</servlet-class></servlet>
              <servlet-mapping><servlet-name>bag</servlet-name><url-pattern>/bag</url-pattern></servlet-mapping>
            </web-app>
            """;

    private static final Map<String, String> SOURCES = Map.of(
            "Item",
            "package shop; public class Item implements java.io.Serializable { public int uses; }",
            "BagServlet",
            """
            package shop;
            public class BagServlet extends jakarta.servlet.http.HttpServlet {
                @Override
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response) throws java.io.IOException {
                    jakarta.servlet.http.HttpSession session = request.getSession();
                    Item item = (Item) session.getAttribute("item");
                    if (item == null) {
                        item = new Item();
                        session.setAttribute("item", item);
                    }
                    if (request.getParameter("held") != null) {
                        latch("shop.entered").countDown();
                        try {
                            latch("shop.mayReturn").await();
                        } catch (InterruptedException e) {
                            throw new java.io.IOException(e);
                        }
                        session.setAttribute("late", new Item());
                    }
                    if (request.getParameter("poll") != null) {
                        response.getWriter().print("polled");
                        return;
                    }
                    if (request.getParameter("change") != null) {
                        latch("shop.entered").countDown();
                        try {
                            latch("shop.mayChange").await();
                            item.uses = 7;
                            latch("shop.changed").countDown();
                            latch("shop.mayReturn").await();
                        } catch (InterruptedException e) {
                            throw new java.io.IOException(e);
                        }
                        return;
                    }
                    if (request.getParameter("item") != null) {
                        latch("shop.entered").countDown();
                        try {
                            latch("shop.mayReturn").await();
                        } catch (InterruptedException e) {
                            throw new java.io.IOException(e);
                        }
                        item.uses++;
                        response.getWriter().print("held");
                        return;
                    }
                    item.uses++;
                    response.getWriter().print(item.uses + " " + session.getAttribute("late"));
                }

                static java.util.concurrent.CountDownLatch latch(String name) {
                    return (java.util.concurrent.CountDownLatch) System.getProperties().get(name);
                }
            }
            """,
            "Goodbye",
            """
            package shop;
            @jakarta.servlet.annotation.WebListener
            public class Goodbye implements jakarta.servlet.ServletRequestListener {
                @Override
                public void requestDestroyed(jakarta.servlet.ServletRequestEvent event) {
                    if (event.getServletRequest().getParameter("late") == null) {
                        return;
                    }
                    BagServlet.latch("shop.entered").countDown();
                    try {
                        BagServlet.latch("shop.mayReturn").await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    var request = (jakarta.servlet.http.HttpServletRequest) event.getServletRequest();
                    request.getSession().setAttribute("late", new Late());
                }
            }
            """,
            "Late",
            """
            package shop;
            public class Late implements java.io.Serializable {
                @Override
                public String toString() {
                    return "late";
                }
            }
            """);

    @TempDir
    private Path directory;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayChange = new CountDownLatch(1);
    private final CountDownLatch changed = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final Map<Setting, String> settings = new EnumMap<>(Map.of(Setting.DEGRADED_HEADER, DEGRADED));
    private final Tomcat tomcat = new Tomcat();
    private final Browser browser = new Browser();

    private interface Course {
        void take(Understudy node, StandardContext context) throws Exception;
    }

    @Test
    void nothingStaysOfARequestThatGoesOnLonger() throws Exception {
        take(this::reloadedWhileHeld);
    }

    @Test
    void aLaterChangeInPlaceIsDegraded() throws Exception {
        take(this::reloadedBeforeAChangeInPlace);
    }

    @Test
    void aChangeInPlaceIsSentWhenTheApplicationStops() throws Exception {
        take(this::reloadedAfterAChangeInPlace);
    }

    @Test
    void aRequestBehindItsServletKeepsItsClasses() throws Exception {
        take(this::reloadedWhileItLeaves);
    }

    @Test
    void aRequestThatWaitsForTheLockIsServedFirst() throws Exception {
        settings.put(Setting.SESSION_LOCK, "on");
        take(this::reloadedWhenTheLockIsFree);
    }

    @Test
    void aRequestThatWaitedTooLongForTheLockIsToTryAgain() throws Exception {
        settings.putAll(Map.of(Setting.SESSION_LOCK, "on", Setting.LOCK_TIMEOUT, "60s"));
        take(this::reloadedWhileOneWaits);
    }

    private void take(Course course) throws Exception {
        System.getProperties().put(ENTERED, entered);
        System.getProperties().put(MAY_CHANGE, mayChange);
        System.getProperties().put(CHANGED, changed);
        System.getProperties().put(MAY_RETURN, mayReturn);
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, settings);
        try (Understudy other = NodeStart.start(configs.get(1));
                Understudy node = NodeStart.start(configs.get(0))) {
            tomcat.setBaseDir(directory.resolve("base").toString());
            TomcatNode.listen(tomcat);
            Path application = WebApplication.make(directory.resolve("shop"), SOURCES, WEB_XML);
            StandardContext context = WebApplication.add(tomcat, application);
            UnderstudyManager manager = new UnderstudyManager(node);
            context.setManager(manager);
            tomcat.start();
            try (ReplicatedSessions there = other.join(manager.getApplicationName(), getClass()::getClassLoader)) {
                Await.that("both are ready", () -> there.ready() && NodeFigures.allKnownReady(List.of(node, other)));
                course.take(node, context);
            } finally {
                mayChange.countDown();
                mayReturn.countDown();
                tomcat.stop();
                tomcat.destroy();
            }
        } finally {
            System.getProperties().remove(ENTERED);
            System.getProperties().remove(MAY_CHANGE);
            System.getProperties().remove(CHANGED);
            System.getProperties().remove(MAY_RETURN);
        }
    }

    private void reloadedWhileHeld(Understudy node, StandardContext context) throws Exception {
        Browser.Server server = ready(node);
        assertEquals("1 null", browser.get(server, "/bag"));
        CompletableFuture<HttpResponse<String>> held = browser.start(server, "/bag?held=1");
        assertTrue(entered.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the request runs");
        WeakReference<ClassLoader> old = new WeakReference<>(context.getLoader().getClassLoader());
        context.reload();
        mayReturn.countDown();
        HttpResponse<String> late = held.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals(200, late.statusCode());
        assertTrue(late.headers().firstValue(DEGRADED).isPresent(), "its changes are not sent");
        Await.that("no request runs", () -> NodeFigures.momentary(node).get("requests_in_flight") == 0);
        Await.that("the classes from before are collected", () -> {
            System.gc();
            return old.get() == null;
        });
        Await.that("no objects count", () -> NodeFigures.momentary(node).get("object_bytes") == 0);
        Await.that("the node is ready again", () -> node.readiness().ready());
        assertEquals("2 null", browser.get(server, "/bag"), "as it was when the application stopped");
        assertEquals("3 null", browser.get(server, "/bag"));
    }

    private void reloadedBeforeAChangeInPlace(Understudy node, StandardContext context) throws Exception {
        Browser.Server server = ready(node);
        assertEquals("1 null", browser.get(server, "/bag"));
        CompletableFuture<HttpResponse<String>> held = browser.start(server, "/bag?item=1");
        assertTrue(entered.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the request has the object");
        context.reload();
        mayReturn.countDown();
        HttpResponse<String> late = held.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals("held", late.body());
        assertTrue(late.headers().firstValue(DEGRADED).isPresent(), "its change is not sent");
    }

    private void reloadedAfterAChangeInPlace(Understudy node, StandardContext context) throws Exception {
        Browser.Server server = ready(node);
        assertEquals("1 null", browser.get(server, "/bag"));
        CompletableFuture<HttpResponse<String>> held = browser.start(server, "/bag?change=1");
        assertTrue(entered.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the request has the object");
        assertEquals("polled", browser.get(server, "/bag?poll=1"));
        mayChange.countDown();
        assertTrue(changed.await(LIMIT_SECONDS, TimeUnit.SECONDS), "it has changed it");
        context.reload();
        mayReturn.countDown();
        assertEquals(200, held.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
        Await.that("the node is ready again", () -> node.readiness().ready());
        assertEquals("8 null", browser.get(server, "/bag"), "the change was sent when the application stopped");
    }

    private void reloadedWhileItLeaves(Understudy node, StandardContext context) throws Exception {
        Browser.Server server = ready(node);
        assertEquals("1 null", browser.get(server, "/bag"));
        context.setUnloadDelay(Await.LIMIT.toMillis());
        CompletableFuture<HttpResponse<String>> leaving = browser.start(server, "/bag?late=1");
        assertTrue(entered.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the servlet has returned");
        Thread reload = new Thread(context::reload, "reload");
        reload.start();
        Await.that("the application waits, or is new", () -> !reload.isAlive() || waits(reload));
        assertFalse(node.readiness().ready(), "it takes no requests any more");
        mayReturn.countDown();
        HttpResponse<String> left = leaving.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals(200, left.statusCode());
        assertFalse(left.headers().firstValue(DEGRADED).isPresent());
        reload.join(Await.LIMIT.toMillis());
        Await.that("the node is ready again", () -> node.readiness().ready());
        assertEquals("3 late", browser.get(server, "/bag"));
    }

    private void reloadedWhenTheLockIsFree(Understudy node, StandardContext context) throws Exception {
        Browser.Server server = ready(node);
        assertEquals("1 null", browser.get(server, "/bag"));
        CompletableFuture<HttpResponse<String>> held = holding(server);
        CompletableFuture<HttpResponse<String>> next = waiting(server, node);
        context.setUnloadDelay(Await.LIMIT.toMillis());
        Thread reload = new Thread(context::reload, "reload");
        reload.start();
        Await.that("the application waits, or is new", () -> !reload.isAlive() || waits(reload));
        mayReturn.countDown();
        assertEquals(200, held.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
        HttpResponse<String> served = next.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals(200, served.statusCode());
        assertTrue(served.body().startsWith("3 "), served::body);
        reload.join(Await.LIMIT.toMillis());
        Await.that("the node is ready again", () -> node.readiness().ready());
    }

    private CompletableFuture<HttpResponse<String>> holding(Browser.Server server) throws InterruptedException {
        CompletableFuture<HttpResponse<String>> held = browser.start(server, "/bag?held=1");
        assertTrue(entered.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the request runs, and has the lock");
        return held;
    }

    private CompletableFuture<HttpResponse<String>> waiting(Browser.Server server, Understudy node) {
        CompletableFuture<HttpResponse<String>> next = browser.start(server, "/bag");
        Await.that(
                "the next one waits", () -> NodeFigures.momentary(node).get("requests_waiting") == 1 || next.isDone());
        return next;
    }

    private void reloadedWhileOneWaits(Understudy node, StandardContext context) throws Exception {
        Browser.Server server = ready(node);
        assertEquals("1 null", browser.get(server, "/bag"));
        CompletableFuture<HttpResponse<String>> held = holding(server);
        CompletableFuture<HttpResponse<String>> next = waiting(server, node);
        context.reload();
        mayReturn.countDown();
        assertEquals(200, held.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
        HttpResponse<String> refused = next.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals(503, refused.statusCode());
        assertTrue(refused.headers().firstValue("Retry-After").isPresent());
        Await.that("the node is ready again", () -> node.readiness().ready());
        assertEquals("2 null", browser.get(server, "/bag"));
    }

    /** Also while Tomcat gives the servlets that time. */
    private static boolean waits(Thread reload) {
        return reload.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(reload.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("stopInternal"));
    }

    private Browser.Server ready(Understudy node) {
        Await.that("the node is ready", () -> node.readiness().ready());
        return path -> URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop" + path);
    }
}
