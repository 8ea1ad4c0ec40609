package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages of Wicket go on, whichever node answers, if the session has them. */
@Tag("process")
@Timeout(600)
class WicketPagesTest {

    /** What each process printed is there after the test. */
    private static final Path LOGS = Path.of("target", "wicket-pages").toAbsolutePath();

    private static final String LIBRARIES =
            "(wicket-(core|request|util)|openjson|commons-(fileupload2|io|collections4).*)-[0-9].*";

    private static final String CLASSES = "io/understudy/museum/wicket";

    private static final String FILTER = """
              <filter>
                <filter-name>%1$s</filter-name>
                <filter-class>org.apache.wicket.protocol.http.WicketFilter</filter-class>
                <init-param>
                  <param-name>applicationClassName</param-name>
                  <param-value>io.understudy.museum.wicket.%1$s</param-value>
                </init-param>
              </filter>
              <filter-mapping>
                <filter-name>%1$s</filter-name>
                <url-pattern>/%1$s/*</url-pattern>
              </filter-mapping>
            """;

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
              <distributable/>
              <absolute-ordering/>
            %s
            %s
              <servlet>
                <servlet-name>ready</servlet-name>
                <servlet-class>io.understudy.museum.wicket.ReadyServlet</servlet-class>
                <load-on-startup>1</load-on-startup>
              </servlet>
              <servlet-mapping>
                <servlet-name>ready</servlet-name>
                <url-pattern>/*</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    private static final Pattern COUNT = Pattern.compile("<b>([^<]*)</b>");

    /** A link is relative to the application. The first page has the session's id in it. */
    private static final Pattern LINK = Pattern.compile("<a href=\"\\./(?:;jsessionid=[^?]*)?([^\"]*)\"");

    @TempDir
    private static Path directory;

    private static NodePair nodes;

    @BeforeAll
    static void startNodes() throws IOException {
        Path libraries = Files.createDirectories(directory.resolve("WEB-INF/lib"));
        WebApplication.add(LIBRARIES, directory);
        WebApplication.addClasses(CLASSES, directory);
        Files.writeString(
                libraries.resolveSibling("web.xml"),
                WEB_XML.formatted(FILTER.formatted("InSession"), FILTER.formatted("OnDisk")));
        nodes = NodePair.start(Server.TOMCAT, Server.JETTY, directory, Map.of(), LOGS);
    }

    @AfterAll
    static void stopNodes() {
        nodes.close();
    }

    @Test
    void clicksCountOnEachNodeIfTheSessionHasPages() {
        Tab tab = new Tab("/InSession/", nodes.one());
        assertEquals("0", tab.count());
        tab.click(nodes.other());
        assertEquals("1", tab.count());
        tab.click(nodes.one());
        assertEquals("2", tab.count());
        tab.click(nodes.other());
        assertEquals("3", tab.count());
        tab.click(nodes.other());
        assertEquals("4", tab.count());
    }

    /** As Wicket wants it: the test fails when a release of Wicket needs another setting, or none. */
    @Test
    void pagesOnDiskBeginAnewOnTheOtherNode() {
        Tab tab = new Tab("/OnDisk/", nodes.one());
        tab.click(nodes.one());
        tab.click(nodes.one());
        assertEquals("2", tab.count());
        tab.click(nodes.other());
        assertEquals("0", tab.count());
        tab.click(nodes.other());
        assertEquals("1", tab.count());
    }

    /** A tab of a browser of its own that shows a page. */
    private static final class Tab {

        private final Browser browser = new Browser();
        private final String application;
        private String html;

        Tab(String application, ServerProcess node) {
            this.application = application;
            this.html = load(node, "");
        }

        void click(ServerProcess node) {
            html = load(node, first(LINK));
        }

        /** Wicket sends the browser to the page that shows the result. */
        private String load(ServerProcess node, String link) {
            HttpResponse<String> response = browser.send(node, application + link);
            String location = Browser.location(response);
            return browser.get(node, application + location.substring(location.lastIndexOf('/') + 1));
        }

        String count() {
            return first(COUNT);
        }

        private String first(Pattern pattern) {
            Matcher found = pattern.matcher(html);
            if (!found.find()) {
                throw new AssertionError("no " + pattern + " in " + html);
            }
            return found.group(1);
        }
    }
}
