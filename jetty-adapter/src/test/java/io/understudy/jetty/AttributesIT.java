package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How attributes are decoded, and what happens to those that can't travel. */
@Tag("container")
@Timeout(300)
final class AttributesIT {

    /** Holds a thread: nothing that can be encoded. */
    static final class Handle {
        final Thread thread = Thread.currentThread();
    }

    /** A web application's loader that knows which of its own classes were asked for. */
    private static final class WebappLoader extends URLClassLoader {

        final Set<String> found = ConcurrentHashMap.newKeySet();

        WebappLoader(Path classes) throws IOException {
            super(new URL[] {classes.toUri().toURL()}, AttributesIT.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> type = super.findClass(name);
            found.add(name);
            return type;
        }
    }

    @Test
    void anAttributeIsDecodedWhenItIsReadAndWithTheLoaderOfTheWebApplication(@TempDir Path classes) throws Exception {
        Path source = Files.createDirectories(classes.resolve("shop")).resolve("Item.java");
        Files.writeString(
                source,
                "package shop; public class Item implements java.io.Serializable {"
                        + " private static final long serialVersionUID = 1L;"
                        + " public String name = \"pear\"; public String toString() { return name; } }");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(0, compiler.run(null, null, null, "-d", classes.toString(), source.toString()));
        List<WebappLoader> loaders = new ArrayList<>();
        try (JettyCluster cluster = JettyCluster.of(2)
                .on("/set", (request, response) -> {
                    ClassLoader loader = Thread.currentThread().getContextClassLoader();
                    request.getSession()
                            .setAttribute(
                                    "item",
                                    loader.loadClass("shop.Item")
                                            .getConstructor()
                                            .newInstance());
                    request.getSession().setAttribute("text", "plain");
                })
                .on("/get", (request, response) -> {
                    HttpSession session = request.getSession(false);
                    assertNotNull(session);
                    Object value = session.getAttribute(request.getParameter("name"));
                    ClassLoader own = Thread.currentThread().getContextClassLoader();
                    print(response, value + " " + (value.getClass().getClassLoader() == own));
                })
                .tune(context -> {
                    try {
                        WebappLoader loader = new WebappLoader(classes);
                        loaders.add(loader);
                        context.setClassLoader(loader);
                        return context;
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .start()) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set");
            assertEquals("plain false", browser.get(cluster.node(1), "/app/get?name=text"));
            assertFalse(loaders.get(1).found.contains("shop.Item"), "an attribute that nobody read stays encoded");
            assertEquals("pear true", browser.get(cluster.node(1), "/app/get?name=item"));
            assertEquals("pear true", browser.get(cluster.node(0), "/app/get?name=item"));
        }
        for (WebappLoader loader : loaders) {
            loader.close();
        }
    }

    @Test
    void anAttributeThatCanNotBeEncodedStaysOnItsNodeAndTheRestReplicates() {
        try (JettyCluster cluster = JettyCluster.of(2)
                .on("/set", (request, response) -> {
                    request.getSession().setAttribute("before", "1");
                    request.getSession().setAttribute("handle", new Handle());
                    request.getSession().setAttribute("after", "2");
                })
                .on("/get", (request, response) -> {
                    HttpSession session = request.getSession(false);
                    assertNotNull(session);
                    print(
                            response,
                            session.getAttribute("before") + " " + session.getAttribute("after") + " "
                                    + (session.getAttribute("handle") instanceof Handle));
                })
                .start()) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set");
            assertEquals("1 2 false", browser.get(cluster.node(1), "/app/get"));
            assertEquals("1 2 true", browser.get(cluster.node(0), "/app/get"));
        }
    }

    @Test
    void aChangeThroughAnAccessorOutsideARequestReplicatesAndTheSessionStaysUsable() throws Exception {
        Map<String, HttpSession.Accessor> accessors = new ConcurrentHashMap<>();
        try (JettyCluster cluster = JettyCluster.of(2)
                .on(
                        "/open",
                        (request, response) ->
                                accessors.put("socket", request.getSession().getAccessor()))
                .on("/get", (request, response) -> {
                    HttpSession session = request.getSession(false);
                    print(response, session == null ? "no session" : session.getAttribute("a"));
                })
                .start()) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/open");
            CountDownLatch done = new CountDownLatch(1);
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 5; i++) {
                    String value = "message " + i;
                    accessors.get("socket").access(session -> session.setAttribute("a", value));
                }
                done.countDown();
            });
            thread.start();
            assertTrue(done.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            Await.that(
                    "the change is on the other node",
                    () -> browser.get(cluster.node(1), "/app/get").equals("message 4"));
            assertEquals("message 4", browser.get(cluster.node(0), "/app/get"));
        }
    }

    @Test
    void sessionsThatLeaveMemoryWithEachRequestKeepTheirAttributes() {
        try (JettyCluster cluster = JettyCluster.of(2)
                .evict(org.eclipse.jetty.session.SessionCache.EVICT_ON_SESSION_EXIT)
                .on("/count", (request, response) -> {
                    HttpSession session = request.getSession();
                    Integer count = (Integer) session.getAttribute("count");
                    session.setAttribute("count", count == null ? 1 : count + 1);
                    print(response, session.getAttribute("count"));
                })
                .start()) {
            Browser browser = new Browser();
            for (int i = 1; i <= 100; i++) {
                assertEquals("" + i, browser.get(cluster.node(i / 3 % 2), "/app/count"));
            }
        }
    }

    private static void print(HttpServletResponse response, Object value) throws IOException {
        response.getWriter().print(value);
    }
}
