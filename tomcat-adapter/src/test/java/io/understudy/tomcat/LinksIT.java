package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.Browser;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links with a session id, for clients without cookies. */
@Tag("container")
class LinksIT {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<TomcatNode> nodes = TomcatNode.start(
            2,
            new Pages()
                    .on("/set", (request, response) -> {
                        request.getSession().setAttribute("name", "ann");
                        response.getWriter().print(response.encodeURL("who"));
                    })
                    .on("/rotate", (request, response) -> response.getWriter().print(request.changeSessionId()))
                    .on("/rotated", (request, response) -> {
                        request.changeSessionId();
                        response.getWriter().print(response.encodeURL("who"));
                    })
                    .on("/link", (request, response) -> {
                        request.getSession();
                        entered.countDown();
                        assertTrue(goOn.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
                        response.getWriter().print(response.encodeURL("who"));
                        response.getWriter().print(response.encodeRedirectURL("who"));
                    }));

    @AfterEach
    void stop() {
        goOn.countDown();
        nodes.forEach(TomcatNode::close);
    }

    private static String id(String link) {
        return link.substring(link.indexOf('=') + 1);
    }

    /** Somebody who planted the id, and holds a request open meanwhile, would be in the session of the user. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aPageWhoseIdALoginReplacesLinksWithoutTheNewOne(int login) throws Exception {
        String id = id(new Browser().get(nodes.get(0), "/set"));
        CompletableFuture<String> planted = Beside.get(() -> new Browser().get(nodes.get(0), "/link;jsessionid=" + id));
        assertTrue(entered.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        String replaced = new Browser().get(nodes.get(login), "/rotate;jsessionid=" + id);
        goOn.countDown();
        String links = planted.join();
        assertTrue(links.startsWith("who"), links);
        assertFalse(links.contains(replaced), links);
    }

    @Test
    void aPageLinksWithTheIdThatItsRequestMakesOrChanges() {
        String first = new Browser().get(nodes.get(0), "/set");
        assertTrue(first.startsWith("who;jsessionid="), first);
        String second = new Browser().get(nodes.get(1), "/rotated;jsessionid=" + id(first));
        assertTrue(second.startsWith("who;jsessionid="), second);
        String third = new Browser().get(nodes.get(0), "/rotate;jsessionid=" + id(second));
        assertEquals(id(second).length(), third.length());
        assertFalse(List.of(id(first), id(second)).contains(third));
    }
}
