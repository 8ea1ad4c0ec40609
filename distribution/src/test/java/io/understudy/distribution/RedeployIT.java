package io.understudy.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application is deployed again and again while it has visitors: its sessions stay, and its old classes go. */
@Tag("distribution")
class RedeployIT {

    private static final int TIMES = 20;
    private static final Duration LIMIT = Await.LIMIT;
    private static final String TOMCAT_LOADER = "ParallelWebappClassLoader";
    private static final String JETTY_LOADER = "WebAppClassLoader";

    /**
     * Tomcat warns of a memory leak, too, if a request comes in while it stops the application, with and without
     * Understudy: such a request gets no further than to Tomcat's answer.
     */
    private static final Pattern LEAK = Pattern.compile(
            "(?i)(?<!still processing a request that has yet to finish. This is very likely to create a )memory leak"
                    + "|failed to (stop|unregister) it|SEVERE|not stopped|UnderstudyHostValve.pass");

    private static final Pattern SESSIONS = Pattern.compile("\\[[1-9][0-9]*\\] sessions");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"10.1", "11"})
    void onTomcatByItsManager(String line) throws Exception {
        try (Node node = Node.tomcat(line, directory.resolve("node"))) {
            Files.writeString(node.base().resolve("conf/tomcat-users.xml"), """
                    <tomcat-users xmlns="http://tomcat.apache.org/xml">
                      <user username="test" password="test" roles="manager-script"/>
                    </tomcat-users>
                    """);
            Path war = directory.resolve("shop.war");
            CartApplication.write(war);
            node.start("/");
            String deploy = "deploy?path=/shop&update=true&war=file:" + war;
            assertTrue(manager(node, deploy).startsWith("OK"));
            Browser browser = new Browser();
            StringBuilder expected = new StringBuilder("0");
            assertEquals("[0]", browser.get(node, "/shop/cart.jsp?item=0"));
            Visitors visitors = new Visitors(node);
            try {
                for (int i = 1; i <= TIMES; i++) {
                    String answer = manager(node, deploy);
                    assertTrue(answer.startsWith("OK"), answer);
                    expected.append(", ").append(i);
                    assertEquals("[" + expected + "]", browser.get(node, "/shop/cart.jsp?item=" + i));
                }
            } finally {
                visitors.leave();
            }
            String sessions = manager(node, "sessions?path=/shop");
            assertTrue(SESSIONS.matcher(sessions).find(), sessions);
            int applications = applications(node.webapps());
            Await.until(
                    LIMIT,
                    () -> loaders(node, TOMCAT_LOADER) + " loaders of " + applications + " applications",
                    () -> loaders(node, TOMCAT_LOADER) == applications);
            String leaks = manager(node, "findleaks?statusLine=true");
            assertTrue(leaks.startsWith("OK - No memory leaks found"), leaks);
            assertEquals(List.of(), leaks(node));
        }
    }

    private static List<String> leaks(Node node) {
        return node.log().lines().filter(line -> LEAK.matcher(line).find()).toList();
    }

    private static int applications(Path webapps) throws IOException {
        try (Stream<Path> files = Files.list(webapps)) {
            return (int) files.filter(Files::isDirectory).count();
        }
    }

    private static String manager(Node node, String command) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(node.uri("/manager/text/" + command))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("test:test".getBytes(UTF_8)))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    /**
     * Its pages are compiled before: while an application is stopped, Jetty closes jars that the compiler of the next
     * one's JSPs reads.
     */
    @Test
    void onJettyByItsScanner() throws Exception {
        try (Node node = Node.jetty(directory.resolve("node"), "server,http,ee10-deploy,ee10-jsp")) {
            Files.writeString(node.base().resolve("start.d/scan.ini"), "jetty.deploy.scanInterval=1\n");
            Path war = node.webapps().resolve("shop.war");
            CartApplication.writeCompiled(war);
            node.start("/shop/cart.jsp");
            Browser browser = new Browser();
            StringBuilder expected = new StringBuilder("0");
            assertEquals("[0]", browser.get(node, "/shop/cart.jsp?item=0"));
            Instant time = Instant.now();
            Visitors visitors = new Visitors(node);
            try {
                for (int i = 1; i <= TIMES; i++) {
                    String before = browser.get(node, "/shop/deployment.jsp");
                    time = time.plusSeconds(2);
                    Files.setLastModifiedTime(war, FileTime.from(time));
                    Await.until(LIMIT, node::log, () -> isOther(browser, node, before));
                    expected.append(", ").append(i);
                    assertEquals("[" + expected + "]", browser.get(node, "/shop/cart.jsp?item=" + i));
                }
            } finally {
                visitors.leave();
            }
            Await.until(
                    LIMIT,
                    () -> loaders(node, JETTY_LOADER) + " loaders of one application",
                    () -> loaders(node, JETTY_LOADER) == 1);
            assertEquals(List.of(), leaks(node));
        }
    }

    private static boolean isOther(Browser browser, Node node, String before) {
        var answer = browser.send(node, "/shop/deployment.jsp");
        return answer.statusCode() == 200 && !answer.body().equals(before);
    }

    private static int loaders(Node node, String className) {
        try {
            return node.instances(className);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
