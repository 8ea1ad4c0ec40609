package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests with several session cookies, as of applications whose paths are inside each other. The session of one of
 * them is on the first node only, as it has no attributes.
 */
@Tag("container")
class SeveralCookiesIT {

    private final List<TomcatNode> nodes = new ArrayList<>();
    private final Browser browser = new Browser();
    private String id;

    @BeforeEach
    void start() {
        Map<Setting, String> settings = Map.of(Setting.EMPTY_SESSIONS, "local", Setting.COHERENCE, "incoherent");
        for (UnderstudyConfig config : LoopbackCluster.configs(2, settings)) {
            nodes.add(TomcatNode.start(config, pages()));
        }
        nodes.forEach(TomcatNode::awaitReady);
        assertEquals("true", browser.get(nodes.get(0), "/new"));
        id = Objects.requireNonNull(browser.sessionId());
        assertFalse(nodes.get(1).manager().getSessionIdsFull().contains(id), "the other node has it already");
    }

    @AfterEach
    void stop() {
        nodes.forEach(TomcatNode::close);
    }

    private static Pages pages() {
        return new Pages()
                .on(
                        "/new",
                        (request, response) ->
                                response.getWriter().print(request.getSession().isNew()))
                .on("/set", (request, response) -> {
                    response.getWriter().print(request.getSession().isNew());
                    request.getSession().setAttribute("set", true);
                })
                .on(
                        "/id",
                        (request, response) ->
                                response.getWriter().print(request.getSession().getId()));
    }

    private static String begin(TomcatNode node, String path) {
        Browser other = new Browser();
        assertEquals("true", other.get(node, path));
        return Objects.requireNonNull(other.sessionId());
    }

    /** Of another path, and over. */
    private static String old(int number) {
        return "%032X".formatted(number);
    }

    private HttpResponse<String> send(List<String> ids) throws Exception {
        String cookies = ids.stream().map(each -> "JSESSIONID=" + each).collect(Collectors.joining("; "));
        return send("/new", cookies);
    }

    private HttpResponse<String> send(String path, String cookies) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(nodes.get(1).uri(path))
                .header("Cookie", cookies)
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private long lookedUp() {
        return nodes.get(1).understudy().metrics().value(Counter.SESSIONS_LOOKED_UP);
    }

    @Test
    void theSessionThatLivesIsFoundBehindAnOldOne() throws Exception {
        HttpResponse<String> response = send(List.of(old(1), id));
        assertEquals("false", response.body());
        assertFalse(response.headers().firstValue("Set-Cookie").isPresent());
    }

    @Test
    void theSessionThatLivesIsFoundBeforeAnOldOne() throws Exception {
        HttpResponse<String> response = send(List.of(id, old(1)));
        assertEquals("false", response.body());
        assertFalse(response.headers().firstValue("Set-Cookie").isPresent());
        assertEquals(1, lookedUp(), "the first one is enough");
    }

    /** Tomcat has chosen the second one, which is on this node, before this node could ask for the first. */
    @Test
    void ofTwoThatLiveEachNodeTakesTheFirst() throws Exception {
        String everywhere = begin(nodes.get(0), "/set");
        Await.that(
                "the other node has the session",
                () -> nodes.get(1).manager().getSessionIdsFull().contains(everywhere));
        String cookies = "JSESSIONID=" + id + "; JSESSIONID=" + everywhere;
        assertEquals(id, send("/id", cookies).body());
    }

    @Test
    void aRequestAsksForFewIds() throws Exception {
        List<String> old = IntStream.range(0, 8).mapToObj(SeveralCookiesIT::old).toList();
        assertEquals("true", send(old).body());
        assertEquals(3, lookedUp());
        List<String> last = Stream.concat(old.stream(), Stream.of(id)).toList();
        assertEquals("false", browser.get(nodes.get(0), "/new"));
        assertEquals(200, send(last).statusCode());
        assertEquals(3, lookedUp(), "nor by their repetition");
    }
}
