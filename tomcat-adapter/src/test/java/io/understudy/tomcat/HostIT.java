package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import io.understudy.testkit.LogLines;
import java.util.Arrays;
import java.util.List;
import org.apache.catalina.Host;
import org.apache.catalina.Valve;
import org.apache.catalina.valves.CrawlerSessionManagerValve;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several applications and versions on one host. */
@Tag("container")
class HostIT {

    private final Browser browser = new Browser();
    private List<TomcatNode> nodes;

    @BeforeEach
    void start() {
        nodes = TomcatNode.start(2, version("1"));
    }

    @AfterEach
    void stop() {
        nodes.forEach(TomcatNode::close);
    }

    @Test
    void theHostHasOneValveHoweverManyApplicationsItHas() {
        nodes.get(0).deploy("/other", "", version("1"));
        Host host = (Host) nodes.get(0).manager().getContext().getParent();
        assertEquals(
                1,
                Arrays.stream(host.getPipeline().getValves())
                        .filter(UnderstudyHostValve.class::isInstance)
                        .count());
    }

    @Test
    void aRequestThatEntersTheValveBeforeItIsLinkedIsServed() {
        Host host = (Host) nodes.get(0).manager().getContext().getParent();
        for (Valve valve : host.getPipeline().getValves()) {
            if (valve instanceof UnderstudyHostValve) {
                valve.setNext(null);
            }
        }
        assertEquals("1 new", browser.get(nodes.get(0), "/version"));
        assertEquals("1 known", browser.get(nodes.get(1), "/version"));
    }

    @Test
    void aSessionStaysWithItsVersionOnEveryNode() {
        assertEquals("1 new", browser.get(nodes.get(0), "/version"));
        nodes.forEach(node -> node.deploy("/shop", "2", version("2")));
        nodes.forEach(TomcatNode::awaitReady);
        assertEquals("1 known", browser.get(nodes.get(1), "/version"));
        assertEquals("1 known", browser.get(nodes.get(0), "/version"));
        Browser other = new Browser();
        assertEquals("2 new", other.get(nodes.get(1), "/version"));
        assertEquals("2 known", other.get(nodes.get(0), "/version"));
    }

    /** Tomcat marks such a session with an attribute, which is of no use elsewhere, and can't be replicated. */
    @Test
    void aCrawlerHasOneSessionOnANodeAndNobodyIsWarnedOfIt() {
        CrawlerSessionManagerValve valve = new CrawlerSessionManagerValve();
        valve.setCrawlerUserAgents(".*");
        nodes.get(0).host().getPipeline().addValve(valve);
        try (LogLines log = new LogLines("io.understudy")) {
            assertEquals("1 new", Browser.forgetful().get(nodes.get(0), "/version"));
            assertEquals("1 known", Browser.forgetful().get(nodes.get(0), "/version"));
            assertEquals(List.of(), log.with("WARNING"));
        }
        assertEquals(1, nodes.get(0).manager().getActiveSessionsFull());
    }

    private static Pages version(String name) {
        return new Pages()
                .on(
                        "/version",
                        (request, response) -> response.getWriter()
                                .print(name + (request.getSession().isNew() ? " new" : " known")));
    }
}
