package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What tools such as the Manager web application see of a manager's sessions, and do to them. */
@Tag("container")
class SessionListIT {

    private final AtomicInteger destroyed = new AtomicInteger();
    private final List<Browser> browsers =
            Stream.generate(Browser::new).limit(3).toList();
    private List<TomcatNode> nodes;

    @BeforeEach
    void start() {
        nodes = TomcatNode.start(
                2,
                new Pages()
                        .with(context -> context.addApplicationLifecycleListener(new HttpSessionListener() {
                            @Override
                            public void sessionDestroyed(HttpSessionEvent event) {
                                destroyed.incrementAndGet();
                            }
                        }))
                        .on("/use", (request, response) -> request.getSession().setAttribute("a", System.nanoTime()))
                        .on(
                                "/has",
                                (request, response) -> response.getWriter().print(request.getSession(false) != null)));
        browsers.forEach(browser -> browser.get(nodes.get(0), "/use"));
        browsers.get(0).get(nodes.get(1), "/use");
    }

    @AfterEach
    void stop() {
        nodes.forEach(TomcatNode::close);
    }

    private Set<String> ids(int... indexes) {
        return Arrays.stream(indexes)
                .mapToObj(index -> browsers.get(index).sessionId())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> listed(int node) {
        return Stream.of(nodes.get(node).manager().findSessions())
                .map(Session::getId)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachSessionIsListedByTheNodeThatUsedItLast() {
        assertEquals(ids(1, 2), listed(0));
        assertEquals(ids(0), listed(1));
        assertEquals(browsers.get(0).sessionId(), nodes.get(1).manager().listSessionIds());
        for (TomcatNode node : nodes) {
            assertEquals(ids(0, 1, 2), new TreeSet<>(node.manager().getSessionIdsFull()));
        }
    }

    @Test
    void whoInheritsSessionsListsThem() {
        nodes.get(0).understudy().close();
        Await.that("all are listed", () -> listed(1).equals(ids(0, 1, 2)));
    }

    @Test
    void aSessionThatIsEndedFromTheListIsOverEverywhere() {
        nodes.get(0).understudy().close();
        Await.that("all are listed", () -> listed(1).equals(ids(0, 1, 2)));
        for (Session session : nodes.get(1).manager().findSessions()) {
            session.expire();
        }
        assertEquals(3, destroyed.get());
        assertEquals("false", browsers.get(1).get(nodes.get(1), "/has"));
        assertEquals(Set.of(), listed(1));
    }
}
