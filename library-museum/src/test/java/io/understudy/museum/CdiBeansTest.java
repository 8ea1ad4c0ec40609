package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
    @CsvSource({"OPEN_WEB_BEANS,TOMCAT", "WELD,JETTY"})
    void beansOutliveTheNodeThatAnswered(CdiLibrary library, Server server) throws Exception {
        outlive(library, server);
    }

    @ParameterizedTest
    @CsvSource({"WELD,TOMCAT", "OPEN_WEB_BEANS,JETTY"})
    @Tag("whole")
    void beansOutliveTheNodeInTheOtherPairs(CdiLibrary library, Server server) throws Exception {
        outlive(library, server);
    }

    private void outlive(CdiLibrary library, Server server) throws Exception {
        Path application = library.unpack(directory);
        Path logs = LOGS.resolve(library + "-" + server);
        try (NodePair nodes = NodePair.start(server, server, application, Map.of(), logs)) {
            ServerProcess one = nodes.one();
            ServerProcess other = nodes.other();
            Browser browser = new Browser();
            assertEquals("pen", browser.get(one, "/add?with=pen"));
            assertEquals("pen ink", browser.get(other, "/add?with=ink"));
            assertEquals("pen ink cup", browser.get(one, "/add?with=cup"));

            String first = browser.get(one, "/begin");
            assertEquals("address of pen ink cup", browser.get(other, "/step?with=address&cid=" + first));
            assertEquals("address card of pen ink cup", browser.get(one, "/step?with=card&cid=" + first));
            String second = browser.get(other, "/begin");
            assertNotEquals(first, second);
            assertEquals("gift of pen ink cup", browser.get(one, "/step?with=gift&cid=" + second));
            assertEquals("pen ink cup tea", browser.get(other, "/add?with=tea"));
            String third = browser.get(one, "/begin");
            stepWithoutEnd(one, browser, first);
            one.kill();

            assertEquals("pen ink cup tea mug", browser.get(other, "/add?with=mug"));
            // Tomcat replicates when a response ends. The kill came before the end of this one.
            String steps = server == Server.JETTY ? "address card paid sent" : "address card sent";
            String all = " of pen ink cup tea mug";
            assertEquals(steps + all, browser.get(other, "/step?with=sent&cid=" + first));
            assertEquals("gift card" + all, browser.get(other, "/step?with=card&cid=" + second));
            assertEquals("new" + all, browser.get(other, "/step?with=new&cid=" + third));
            assertEquals(steps + all, browser.get(other, "/end?cid=" + first));
            assertEquals("no conversation", browser.get(other, "/look?cid=" + first));
            assertEquals("gift card sent" + all, browser.get(other, "/step?with=sent&cid=" + second));
        }
    }

    /** Returns when the head of the response is there: the node has answered, and still has the conversation. */
    private static void stepWithoutEnd(ServerProcess node, Browser browser, String conversation)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(node.uri("/step?forever&with=paid&cid=" + conversation))
                .timeout(Await.LIMIT)
                .header("Cookie", "JSESSIONID=" + browser.sessionId())
                .build();
        int status = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofInputStream())
                .statusCode();
        assertEquals(200, status);
    }
}
