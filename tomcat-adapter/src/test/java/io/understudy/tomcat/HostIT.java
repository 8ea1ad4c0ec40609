package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Host;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.CrawlerSessionManagerValve;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Requests to 127.0.0.1 are for the second host, those to localhost for the default one. */
    @Test
    void hostsShareNoSessionAlsoIfTheirPathsAreEqual() throws Exception {
        TomcatNode node = nodes.get(0);
        StandardHost other = new StandardHost();
        other.setName("127.0.0.1");
        node.host().getParent().addChild(other);
        node.deploy(other, "/shop", "", version("other"));
        node.awaitReady();
        URI second = node.uri("/version");
        URI first = new URI("http", null, "localhost", second.getPort(), second.getPath(), null, null);
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<String> began = client.send(HttpRequest.newBuilder(first).build(), BodyHandlers.ofString());
        assertEquals("1 new", began.body());
        String cookie = began.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
        assertEquals("1 known", body(client, first, cookie));
        assertEquals("other new", body(client, second, cookie));
        assertEquals("1 known", body(client, nodes.get(1).uri("/version"), cookie), "the default host has no name");
    }

    private static String body(HttpClient client, URI uri, String cookie) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("Cookie", cookie).build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    /** Tomcat 10.1 closed the response, as it is wrapped: the client had the page. */
    @Test
    void whatFailsAfterAForwardIsAnError() {
        Pages pages = new Pages()
                .on("/page", (request, response) -> response.getWriter().print("page"))
                .on("/forward", (request, response) -> {
                    request.getRequestDispatcher("/page").forward(request, response);
                    throw new IllegalStateException("after the forward, on purpose");
                });
        try (TomcatNode node = TomcatNode.start(1, pages).get(0)) {
            assertEquals(500, browser.send(node, "/forward").statusCode());
        }
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

    /** Valves of server.xml are outside of ours, which the first application that starts appends to the host's. */
    @ParameterizedTest
    @ValueSource(strings = {"engine", "host", "crawler"})
    void aValveThatAsksFirstDoesNotOpenTheBarrier(String where) {
        Pages pages = counting();
        try (TomcatNode first = valved(0, pages, where);
                TomcatNode second = valved(1, pages, where)) {
            first.awaitReady();
            second.awaitReady();
            countsInTurn(first, second, "/count");
        }
    }

    /** The request has the session from then on, and tells nobody that it uses it again. */
    @Test
    void aThreadThatAsksBeforeItDispatchesDoesNotOpenTheBarrier() {
        Pages pages = counting().on("/later", (request, response) -> {
            AsyncContext later = request.startAsync();
            later.start(() -> {
                request.getSession(false).getAttribute("slow");
                later.dispatch("/count");
            });
        });
        List<TomcatNode> pair = TomcatNode.start(2, pages.with(HostIT::withoutAuthenticator));
        try {
            countsInTurn(pair.get(0), pair.get(1), "/later");
        } finally {
            pair.forEach(TomcatNode::close);
        }
    }

    private static Pages counting() {
        return new Pages()
                .on("/begin", (request, response) -> request.getSession().setAttribute("slow", new Slow()))
                .on("/count", (request, response) -> {
                    Slow slow = (Slow) request.getSession(false).getAttribute("slow");
                    slow.count++;
                    response.getWriter().print(slow.count);
                })
                .on(
                        "/show",
                        (request, response) -> response.getWriter()
                                .print(((Slow) request.getSession(false).getAttribute("slow")).count));
    }

    private void countsInTurn(TomcatNode first, TomcatNode second, String page) {
        browser.get(first, "/begin");
        for (int count = 1; count <= 4; count++) {
            TomcatNode one = count % 2 == 0 ? first : second;
            TomcatNode other = count % 2 == 0 ? second : first;
            assertEquals("" + count, browser.get(one, page));
            assertEquals("" + count, browser.get(other, "/show"));
        }
    }

    private final List<UnderstudyConfig> pair = LoopbackCluster.configs(2);

    private TomcatNode valved(int number, Pages pages, String where) {
        return TomcatNode.start(pair.get(number), pages.with(context -> {
            withoutAuthenticator(context);
            Container host = context.getParent();
            Container outside = where.equals("host") ? host : host.getParent();
            outside.getPipeline()
                    .addValve(where.equals("crawler") ? new CrawlerSessionManagerValve() : new AsksFirst());
        }));
    }

    /** It would ask for the session inside. */
    private static void withoutAuthenticator(Context context) {
        context.setLoginConfig(new LoginConfig());
    }

    /** As an authentication, a tenant or a crawler's valve does. */
    private static final class AsksFirst extends ValveBase {

        AsksFirst() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            if (request.getSession(false) != null) {
                request.getSession(false).getAttribute("slow");
            }
            getNext().invoke(request, response);
        }
    }

    /** So slow to encode that a response which does not wait is there before. */
    private static final class Slow implements Serializable {

        private static final long serialVersionUID = 1;

        private int count;

        private void writeObject(ObjectOutputStream out) throws IOException {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
            out.defaultWriteObject();
        }
    }

    private static Pages version(String name) {
        return new Pages()
                .on(
                        "/version",
                        (request, response) -> response.getWriter()
                                .print(name + (request.getSession().isNew() ? " new" : " known")));
    }
}
