package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.catalina.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The objects that Tomcat holds of sessions, on a node without room for them. */
@Tag("container")
class SessionObjectsIT {

    private static final int SESSIONS = 300;

    /** As many objects as fit into {@code maxMemory} if there were nothing else. */
    private static final int MOST = (1 << 20) / 10_000;

    @TempDir
    private Path temporary;

    private final Queue<HttpSession> held = new ConcurrentLinkedQueue<>();
    private Cluster cluster;
    private TomcatNode node;

    @BeforeEach
    void start() {
        Pages pages = new Pages()
                .on(
                        "/fill",
                        (request, response) -> request.getSession().setAttribute("values", values(number(request))))
                .on("/sum", (request, response) -> response.getWriter().print(sum(request.getSession(false))))
                .on("/hold", (request, response) -> held.add(request.getSession()))
                .on(
                        "/held",
                        (request, response) -> response.getWriter().print(held.contains(request.getSession(false))));
        cluster = Cluster.of(1, Map.of(Setting.MAX_MEMORY, "1m", Setting.SPILL_DIRECTORY, temporary.toString()));
        node = TomcatNode.start(cluster, 1, pages).get(0);
    }

    @AfterEach
    void stop() {
        node.close();
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
            browsers.get(i).get(node, "/fill?number=" + i);
        }
        return browsers;
    }

    @Test
    void theyGoAndComeBack() {
        List<Browser> browsers = fill();
        int objects = node.manager().getActiveSessions();
        assertTrue(objects <= MOST, objects + " are there");
        assertEquals(SESSIONS, node.manager().getActiveSessionsFull());
        for (int i = 0; i < SESSIONS; i++) {
            int sum = values(i).stream().mapToInt(Integer::intValue).sum();
            assertEquals(String.valueOf(sum), browsers.get(i).get(node, "/sum"));
        }
        assertTrue(node.manager().getActiveSessions() <= MOST);
    }

    @Test
    void theListOfSessionsMakesNoneThatStay() {
        fill();
        assertEquals(SESSIONS, node.manager().findSessions().length);
        fill();
        int objects = node.manager().getActiveSessions();
        assertTrue(objects <= MOST, objects + " are there");
    }

    /** As a web socket keeps it. */
    @Test
    void aSessionThatTheApplicationHoldsIsOneObject() {
        Browser browser = new Browser();
        browser.get(node, "/hold");
        fill();
        HttpSession session = held.element();
        assertEquals("true", browser.get(node, "/held"));
        fill();
        session.setAttribute("values", values(7));
        assertEquals(String.valueOf(sum(session)), browser.get(node, "/sum"));
    }

    @Test
    void anObjectWithANoteOfTheContainerStays() throws Exception {
        Browser browser = new Browser();
        browser.get(node, "/fill?number=1");
        Session session = node.manager().findSession(browser.sessionId());
        session.setNote("note", "of this node");
        fill();
        assertEquals(
                "of this node", node.manager().findSession(browser.sessionId()).getNote("note"));
    }
}
