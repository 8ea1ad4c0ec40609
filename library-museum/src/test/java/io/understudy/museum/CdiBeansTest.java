package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.testkit.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beans of sessions and of long-running conversations go on, whichever node answers, and outlive the other one. */
@Tag("process")
@Timeout(600)
class CdiBeansTest {

    /** What each process printed is there after the test. */
    private static final Path LOGS = Path.of("target", "cdi-beans").toAbsolutePath();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"WELD,TOMCAT", "OPEN_WEB_BEANS,TOMCAT", "WELD,JETTY", "OPEN_WEB_BEANS,JETTY"})
    void beansOutliveTheNodeThatAnswered(CdiLibrary library, Server server) throws IOException {
        Path application = library.unpack(directory);
        Path logs = LOGS.resolve(library + "-" + server);
        try (NodePair nodes = NodePair.start(server, server, application, Map.of(), logs)) {
            ServerProcess one = nodes.one();
            ServerProcess other = nodes.other();
            Browser browser = new Browser();
            assertEquals("pen", browser.get(one, "/add?flush&with=pen"));
            assertEquals("pen ink", browser.get(other, "/add?flush&with=ink"));
            assertEquals("pen ink cup", browser.get(one, "/add?flush&with=cup"));

            String first = browser.get(one, "/begin?flush");
            assertEquals("address of pen ink cup", browser.get(other, "/step?flush&with=address&cid=" + first));
            assertEquals("address card of pen ink cup", browser.get(one, "/step?flush&with=card&cid=" + first));
            String second = browser.get(other, "/begin?flush");
            assertNotEquals(first, second);
            assertEquals("gift of pen ink cup", browser.get(one, "/step?flush&with=gift&cid=" + second));
            assertEquals("pen ink cup tea", browser.get(other, "/add?flush&with=tea"));
            String third = browser.get(one, "/begin?flush");
            one.kill();

            assertEquals("pen ink cup tea mug", browser.get(other, "/add?flush&with=mug"));
            String all = " of pen ink cup tea mug";
            assertEquals("address card sent" + all, browser.get(other, "/step?with=sent&cid=" + first));
            assertEquals("gift card" + all, browser.get(other, "/step?flush&with=card&cid=" + second));
            assertEquals("new" + all, browser.get(other, "/step?with=new&cid=" + third));
            assertEquals("address card sent" + all, browser.get(other, "/end?cid=" + first));
            assertEquals("gift card sent" + all, browser.get(other, "/step?with=sent&cid=" + second));
        }
    }
}
