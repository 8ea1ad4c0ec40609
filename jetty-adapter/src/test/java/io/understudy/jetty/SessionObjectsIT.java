package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.session.DefaultSessionCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The objects that Jetty holds of sessions, on a node without room for them. */
@Tag("container")
class SessionObjectsIT {

    private static final int SESSIONS = 300;

    /** As many objects as fit into {@code maxMemory} if there were nothing else. */
    private static final int MOST = (1 << 20) / 10_000;

    @TempDir
    private Path temporary;

    private final Queue<HttpSession> held = new ConcurrentLinkedQueue<>();
    private JettyCluster cluster;
    private JettyNode node;

    @BeforeEach
    void start() {
        cluster = JettyCluster.of(1)
                .set(Setting.MAX_MEMORY, "1m")
                .set(Setting.SPILL_DIRECTORY, temporary.toString())
                .on(
                        "/fill",
                        (request, response) -> request.getSession().setAttribute("values", values(number(request))))
                .on("/sum", (request, response) -> response.getWriter().print(sum(request.getSession(false))))
                .on("/rename", (request, response) -> request.changeSessionId())
                .on("/hold", (request, response) -> held.add(request.getSession()))
                .on(
                        "/held",
                        (request, response) -> response.getWriter().print(held.contains(request.getSession(false))))
                .start();
        node = cluster.node(0);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static int number(HttpServletRequest request) {
        return Integer.parseInt(request.getParameter("number"));
    }

    private static List<Integer> values(int number) {
        return new ArrayList<>(
                IntStream.range(0, 400).map(i -> number + i).boxed().toList());
    }

    private static int sum(HttpSession session) {
        return ((List<?>) session.getAttribute("values"))
                .stream().mapToInt(Integer.class::cast).sum();
    }

    private List<Browser> fill() {
        List<Browser> browsers = Stream.generate(Browser::new).limit(SESSIONS).toList();
        for (int i = 0; i < SESSIONS; i++) {
            browsers.get(i).get(node, "/app/fill?number=" + i);
        }
        return browsers;
    }

    private long objects() {
        ServletContextHandler context = Objects.requireNonNull(node.server.getDescendant(ServletContextHandler.class));
        return ((DefaultSessionCache) context.getSessionHandler().getSessionCache()).getSessionsCurrent();
    }

    @Test
    void theyGoAndComeBack() {
        List<Browser> browsers = fill();
        assertTrue(objects() <= MOST, objects() + " are there");
        for (int i = 0; i < SESSIONS; i++) {
            int sum = values(i).stream().mapToInt(Integer::intValue).sum();
            assertEquals(String.valueOf(sum), browsers.get(i).get(node, "/app/sum"));
        }
        assertTrue(objects() <= MOST, objects() + " are there");
    }

    /** As a web socket keeps it. */
    @Test
    void aSessionThatTheApplicationHoldsIsOneObject() {
        Browser browser = new Browser();
        browser.get(node, "/app/hold");
        fill();
        HttpSession session = held.element();
        assertEquals("true", browser.get(node, "/app/held"));
        fill();
        session.setAttribute("values", values(7));
        assertEquals(String.valueOf(sum(session)), browser.get(node, "/app/sum"));
    }

    @Test
    void aSessionIsRenamedAndEndedAfterItsObjectWent() {
        Browser browser = new Browser();
        browser.get(node, "/app/fill?number=3");
        browser.get(node, "/app/hold");
        fill();
        browser.get(node, "/app/rename");
        assertEquals("true", browser.get(node, "/app/held"));
        fill();
        held.element().invalidate();
        browser.get(node, "/app/hold");
        assertEquals(2, held.stream().distinct().count());
    }
}
