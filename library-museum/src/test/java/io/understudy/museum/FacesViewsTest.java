package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import io.understudy.testkit.OwnPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views of Faces applications go on, whichever node answers, and outlive the node that answered last. */
@Tag("process")
@Timeout(600)
class FacesViewsTest {

    /** What each process printed is there after the test. */
    private static final Path LOGS = Path.of("target", "faces-views").toAbsolutePath();

    private static final String PAGE = "/order.xhtml";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"MOJARRA,TOMCAT", "MYFACES,JETTY"})
    void viewsOutliveTheNodeThatAnswered(FacesLibrary library, Server server) throws IOException {
        outlive(library, server, library.unpack(directory), LOGS.resolve(library + "-" + server));
    }

    @ParameterizedTest
    @CsvSource({"MYFACES,TOMCAT", "MOJARRA,JETTY"})
    @Tag("whole")
    void viewsOutliveTheNodeInTheOtherPairs(FacesLibrary library, Server server) throws IOException {
        outlive(library, server, library.unpack(directory), LOGS.resolve(library + "-" + server));
    }

    /** Then a view has the state of each component, not only of those that changed. */
    @ParameterizedTest
    @CsvSource({"MOJARRA,TOMCAT", "MYFACES,JETTY"})
    @Tag("whole")
    void viewsWithTheirWholeStateOutliveTheNode(FacesLibrary library, Server server) throws IOException {
        Path application = library.unpack(directory);
        FacesLibrary.saveWholeState(application);
        outlive(library, server, application, LOGS.resolve(library + "-" + server + "-whole"));
    }

    private static void outlive(FacesLibrary library, Server server, Path application, Path logs) throws IOException {
        Membership members = Membership.take();
        try (ServerProcess one = start(server, application, logs.resolve("one"), members, 0);
                ServerProcess other = start(server, application, logs.resolve("other"), members, 1)) {
            one.awaitReadyAmong(2, PAGE);
            other.awaitReadyAmong(2, PAGE);
            Browser browser = new Browser();
            FacesTab tab = new FacesTab(browser, one, PAGE);
            tab.click(other, "click", Map.of("note", "blue", "draft", "pen"));
            assertShows(tab, "click 1", 1, 1);
            tab.click(one, "grow", Map.of());
            assertShows(tab, "grown to 1", 1, 1);
            FacesTab second = new FacesTab(browser, other, PAGE);
            second.click(one, "click", Map.of("note", "red", "draft", "ink"));
            tab.click(other, "click", Map.of());
            assertShows(tab, "click 2", 2, 3);
            tab.click(one, "grow", Map.of());
            assertShows(tab, "grown to 2", 2, 3);
            sendsOverARedirect(new FacesTab(browser, other, PAGE), library, server, one, other);
            tab.click(one, "grow", Map.of());
            assertShows(tab, "grown to 3", 2, 4);
            one.kill();
            tab.click(other, "click", Map.of());
            assertShows(tab, "click 3", 3, 5);
            assertEquals("5 5 5 blue pen", shown(tab, "made0", "made1", "made2", "noted", "drafted"));
            second.click(other, "click", Map.of());
            assertShows(second, "click 2", 2, 6);
            assertEquals("none red ink", shown(second, "made0", "noted", "drafted"));
        }
    }

    /** One node counts a click, the other one answers with a redirect, and the first shows the page. */
    private static void sendsOverARedirect(
            FacesTab tab, FacesLibrary library, Server server, ServerProcess one, ServerProcess other) {
        tab.click(one, "click", Map.of("note", "green"));
        tab.clickAndFollow(other, "send", one);
        assertEquals("4", tab.text("items"), tab::html);
        // Jetty sends a redirect at once, and MyFaces gives the flash to the next request after that: it may be late.
        if (library.keepsFlashInSession() && server == Server.TOMCAT) {
            assertEquals("green was sent", tab.text("receipt"), tab::html);
            assertEquals("sent", tab.text("messages"), tab::html);
        }
    }

    private static ServerProcess start(Server server, Path application, Path files, Membership members, int number)
            throws IOException {
        List<Integer> own = OwnPorts.take(2);
        String name = files.getFileName().toString();
        return ServerProcess.start(
                server,
                new ServerProcess.Options(
                        Layout.WAR, files, application, own.get(1), members.settings(name, number, own.get(0))),
                FacesLibrary.ofContainer(server));
    }

    private static void assertShows(FacesTab tab, String message, int clicks, int items) {
        assertEquals(message + " " + clicks + " " + items, shown(tab, "messages", "clicks", "items"), tab::html);
    }

    private static String shown(FacesTab tab, String... ids) {
        return String.join(" ", List.of(ids).stream().map(tab::text).toList());
    }
}
