package io.understudy.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session outlives every node that it was on. */
@Tag("distribution")
class KilledNodesIT {

    private static final List<String> ENVIRONMENTS = List.of("ee8", "ee9", "ee10", "ee11");
    private static final Duration READY = Await.LIMIT;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"10.1", "11"})
    void onTomcat(String line) throws Exception {
        try (Node one = Node.tomcat(line, directory.resolve("one"));
                Node other = Node.tomcat(line, directory.resolve("other"))) {
            outliveKills(shops(one, other), one, other);
        }
    }

    /** One web application of each servlet API, all on the same two nodes. */
    @Test
    void onJettyWithEachEnvironment() throws Exception {
        try (Node one = jetty("one");
                Node other = jetty("other")) {
            List<String> applications =
                    ENVIRONMENTS.stream().map(environment -> "/" + environment).toList();
            one.start("/ee8/cart.jsp");
            other.start("/ee8/cart.jsp");
            outliveKills(applications, one, other);
        }
    }

    private Node jetty(String name) throws Exception {
        String modules = ENVIRONMENTS.stream()
                .map(environment -> "," + environment + "-deploy," + environment + "-jsp")
                .collect(Collectors.joining("", "server,http", ""));
        Node node = Node.jetty(directory.resolve(name), modules);
        for (String environment : ENVIRONMENTS) {
            CartApplication.write(node.webapps().resolve(environment + ".war"));
            Files.writeString(
                    node.webapps().resolve(environment + ".properties"), "environment: " + environment + "\n");
        }
        return node;
    }

    /** The jar for Tomcat has other class names inside than the zip for Jetty. */
    @Test
    void onAMixOfContainers() throws Exception {
        try (Node jetty = Node.jetty(directory.resolve("jetty"), "server,http,ee10-deploy,ee10-jsp");
                Node tomcat10 = Node.tomcat("10.1", directory.resolve("tomcat10"));
                Node tomcat11 = Node.tomcat("11", directory.resolve("tomcat11"))) {
            outliveKills(shops(jetty, tomcat10, tomcat11), jetty, tomcat10, tomcat11);
        }
    }

    private static List<String> shops(Node... nodes) throws Exception {
        for (Node node : nodes) {
            CartApplication.write(node.webapps().resolve("shop.war"));
            node.start("/shop/cart.jsp");
        }
        return List.of("/shop");
    }

    /** Only then every change is on another node before its node is killed. */
    private static void awaitWhole(Node... nodes) {
        for (Node node : nodes) {
            node.awaitReadyAmong(nodes.length);
        }
    }

    /** Each node in turn changes a session of each application and is killed, comes back, and has them. */
    private static void outliveKills(List<String> applications, Node... nodes) throws Exception {
        Map<String, Browser> browsers = new HashMap<>();
        List<Node> served = new ArrayList<>();
        awaitWhole(nodes);
        for (Node node : nodes) {
            served.add(node);
            for (String application : applications) {
                Browser browser = browsers.computeIfAbsent(application, path -> new Browser());
                assertEquals(served.toString(), browser.get(node, application + "/cart.jsp?item=" + node));
            }
            node.kill();
            node.start(applications.get(0) + "/cart.jsp");
            awaitWhole(nodes);
            for (String application : applications) {
                Browser browser = browsers.get(application);
                String cart = application + "/cart.jsp";
                Await.until(READY, node::log, () -> browser.send(node, cart).statusCode() == 200);
                assertEquals(served.toString(), browser.get(node, cart), "after it came back");
            }
        }
    }
}
