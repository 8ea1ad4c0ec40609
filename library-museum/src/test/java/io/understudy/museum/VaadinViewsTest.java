package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.testkit.Beside;
import io.understudy.testkit.Browser;
import io.understudy.testkit.OwnPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views of Vaadin applications go on, whichever node answers, and outlive the node that answered last. */
@Tag("process")
@Timeout(600)
class VaadinViewsTest {

    /** What each process printed is there after the test. */
    private static final Path LOGS = Path.of("target", "vaadin-views").toAbsolutePath();

    private static final List<String> NONE_OF_THESE =
            List.of("attributes_not_replicated", "attributes_not_decoded", "attributes_kept_changing");

    private static final int CLICKS = 40;
    private static final int LIMIT_SECONDS = 120;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"TOMCAT,TOMCAT", "JETTY,JETTY", "TOMCAT,JETTY"})
    void viewsOutliveTheNodeThatAnswered(Server killed, Server kept) throws IOException {
        Path application = VaadinApplication.unpack(directory);
        Membership members = Membership.take();
        Path logs = LOGS.resolve(killed + "-" + kept);
        try (ServerProcess one = start(killed, application, logs.resolve("one"), members, 0);
                ServerProcess other = start(kept, application, logs.resolve("other"), members, 1)) {
            one.awaitReadyAmong(2, "/");
            other.awaitReadyAmong(2, "/");
            Browser browser = new Browser();
            VaadinTab tab = new VaadinTab(browser, one, other);
            tab.click(one, "button");
            assertEquals("POST count=1 total=1 ", tab.text());
            tab.click(other, "button");
            assertEquals("POST count=2 total=2 ", tab.text());
            tab.type(one, "input", "pen");
            tab.click(other, "button");
            assertEquals("POST count=3 total=3 pen", tab.text());
            VaadinTab second = new VaadinTab(browser, one, other);
            second.click(one, "button");
            assertEquals("POST count=1 total=4 ", second.text());
            logsIn(browser, tab, other);
            tab.click(one, "button");
            assertEquals("POST count=4 total=5 pen", tab.text());
            NONE_OF_THESE.forEach(each -> assertEquals("0 0", one.figure(each) + " " + other.figure(each), each));
            one.kill();
            tab.click(other, "button");
            assertEquals("POST count=5 total=6 pen", tab.text());
            second.click(other, "button");
            assertEquals("POST count=2 total=7 ", second.text());
        }
    }

    /** Vaadin's own lock is one of each node, and all tabs of a session are one attribute. */
    @Test
    void tabsInUseAtOnceLoseNoClickWithTheSessionLock() throws Exception {
        Path application = VaadinApplication.unpack(directory);
        Membership members = Membership.take();
        Path logs = LOGS.resolve("LOCK");
        Map<String, String> lock = Map.of("sessionLock", "on");
        try (ServerProcess one = start(Server.TOMCAT, application, logs.resolve("one"), members, 0, lock);
                ServerProcess other = start(Server.TOMCAT, application, logs.resolve("other"), members, 1, lock)) {
            one.awaitReadyAmong(2, "/");
            other.awaitReadyAmong(2, "/");
            Browser browser = new Browser();
            VaadinTab tab = new VaadinTab(browser, one, other);
            VaadinTab second = new VaadinTab(browser, other, one);
            CompletableFuture<Void> beside = Beside.run(() -> clickOften(second, other, one));
            clickOften(tab, one, other);
            beside.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            tab.click(one, "button");
            assertEquals("POST count=" + (CLICKS + 1) + " total=" + (2 * CLICKS + 1) + " ", tab.text());
        }
    }

    private static void clickOften(VaadinTab tab, ServerProcess one, ServerProcess other) {
        for (int i = 0; i < CLICKS; i++) {
            tab.click(i % 2 == 0 ? one : other, "button");
        }
    }

    private static void logsIn(Browser browser, VaadinTab tab, ServerProcess node) {
        String before = browser.sessionId();
        tab.click(node, "a");
        assertEquals("logged in", tab.text());
        assertNotEquals(before, browser.sessionId());
    }

    private static ServerProcess start(Server server, Path application, Path files, Membership members, int number)
            throws IOException {
        return start(server, application, files, members, number, Map.of());
    }

    private static ServerProcess start(
            Server server, Path application, Path files, Membership members, int number, Map<String, String> more)
            throws IOException {
        List<Integer> own = OwnPorts.take(2);
        String name = files.getFileName().toString();
        Map<String, String> settings = new LinkedHashMap<>(members.settings(name, number, own.get(0)));
        settings.putAll(more);
        return ServerProcess.start(
                server,
                new ServerProcess.Options(Layout.WAR, files, application, own.get(1), settings),
                FacesLibrary.ofContainer(server));
    }
}
