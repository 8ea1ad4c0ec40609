package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spring Security lets each user have one session, by a list in each node's memory. Whether a user can log in again
 * where the last session began, when it ended elsewhere, depends on {@code endEvents}.
 */
@Tag("process")
@Timeout(600)
class SessionLimitTest {

    /** What each process printed is there after the test. */
    private static final Path LOGS = Path.of("target", "session-limit").toAbsolutePath();

    private static final String LIBRARIES =
            "(spring-(core|jcl|beans|aop|context|expression|web)|spring-security-(core|crypto|web|config)|micrometer-.*)"
                    + "-[0-9].*";

    private static final String CLASSES = "io/understudy/museum/login";

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
              <distributable/>
              <absolute-ordering/>
              <context-param>
                <param-name>contextClass</param-name>
                <param-value>org.springframework.web.context.support.AnnotationConfigWebApplicationContext</param-value>
              </context-param>
              <context-param>
                <param-name>contextConfigLocation</param-name>
                <param-value>io.understudy.museum.login.OneSessionEach</param-value>
              </context-param>
              <listener>
                <listener-class>org.springframework.web.context.ContextLoaderListener</listener-class>
              </listener>
              <listener>
                <listener-class>org.springframework.security.web.session.HttpSessionEventPublisher</listener-class>
              </listener>
              <filter>
                <filter-name>springSecurityFilterChain</filter-name>
                <filter-class>org.springframework.web.filter.DelegatingFilterProxy</filter-class>
              </filter>
              <filter-mapping>
                <filter-name>springSecurityFilterChain</filter-name>
                <url-pattern>/*</url-pattern>
              </filter-mapping>
              <servlet>
                <servlet-name>home</servlet-name>
                <servlet-class>io.understudy.museum.login.HomeServlet</servlet-class>
                <load-on-startup>1</load-on-startup>
              </servlet>
              <servlet-mapping>
                <servlet-name>home</servlet-name>
                <url-pattern>/*</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    private static final String IN = "/museum/home";
    private static final String REFUSED = "/museum/login?error";

    @TempDir
    private Path directory;

    private NodePair start(String endEvents) throws IOException {
        Path libraries = Files.createDirectories(directory.resolve("WEB-INF/lib"));
        WebApplication.add(LIBRARIES, directory);
        WebApplication.addClasses(CLASSES, directory);
        Files.writeString(libraries.resolveSibling("web.xml"), WEB_XML);
        Map<String, String> settings = Map.of("endEvents", endEvents);
        return NodePair.start(Server.TOMCAT, Server.JETTY, directory, settings, LOGS.resolve(endEvents));
    }

    @Test
    void everywhereUsersLogInAgainWhereTheyBegan() throws IOException {
        try (NodePair nodes = start("everywhere")) {
            comesAndGoes("ada", nodes.one(), nodes.other());
            comesAndGoes("bob", nodes.other(), nodes.one());
            awaitEnd(nodes.one());
            awaitEnd(nodes.other());
            assertEquals(IN, login(new Browser(), "ada", nodes.one()));
            assertEquals(IN, login(new Browser(), "bob", nodes.other()));
            assertEquals(REFUSED, login(new Browser(), "ada", nodes.one()));
            assertEquals(REFUSED, login(new Browser(), "bob", nodes.other()));
        }
    }

    @Test
    void onceTheNodeOfTheLoginKeepsTheUserOut() throws IOException {
        try (NodePair nodes = start("once")) {
            comesAndGoes("ada", nodes.one(), nodes.other());
            comesAndGoes("bob", nodes.other(), nodes.one());
            assertEquals(0, nodes.one().figure("ends_followed") + nodes.other().figure("ends_followed"));
            assertEquals(REFUSED, login(new Browser(), "ada", nodes.one()));
            assertEquals(REFUSED, login(new Browser(), "bob", nodes.other()));
            assertEquals(IN, login(new Browser(), "ada", nodes.other()));
            assertEquals(IN, login(new Browser(), "bob", nodes.one()));
        }
    }

    /** Logs in on one node, and out on the other one. */
    private static void comesAndGoes(String user, ServerProcess in, ServerProcess out) {
        Browser browser = new Browser();
        assertEquals(IN, login(browser, user, in));
        assertEquals(user, browser.get(in, "/home"));
        assertEquals(user, browser.get(out, "/home"));
        assertEquals("/museum/login?logout", Browser.location(browser.post(out, "/logout", "")));
    }

    /** Waits until the node's listeners know of the session that ended on the other one. */
    private static void awaitEnd(ServerProcess node) {
        Await.until(Await.LIMIT, node::log, () -> node.figure("ends_followed") == 1);
    }

    /** Returns where the answer sends the browser. */
    private static String login(Browser browser, String user, ServerProcess node) {
        return Browser.location(browser.post(node, "/login", "username=" + user + "&password=" + user));
    }
}
