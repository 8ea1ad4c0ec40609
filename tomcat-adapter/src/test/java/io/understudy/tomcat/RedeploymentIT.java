package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The only application of a server that is taken away and deployed again, with the node that its manager started. */
@Tag("container")
class RedeploymentIT {

    @TempDir
    private Path directory;

    private final UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
    private final Browser browser = new Browser();
    private final Tomcat tomcat = new Tomcat();

    @Test
    void sessionsStayUntilItIsBackAndTheNodeEndsWithTheServer() throws Exception {
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
        StandardContext first = deploy();
        tomcat.start();
        assertEquals("1", count());
        Understudy node = Understudy.shared(config);
        node.close(); // One of two uses.
        tomcat.getHost().removeChild(first);
        StandardContext second = deploy();
        assertEquals("2", count());
        assertSame(node, use(), "the same node all the time");
        tomcat.getHost().removeChild(second);
        tomcat.stop();
        tomcat.destroy();
        assertNotSame(node, use(), "closed with the server");
        Understudy.closeReleased();
    }

    /** The shared node, used for as long as it takes to look. */
    private Understudy use() {
        try (Understudy node = Understudy.shared(config)) {
            return node;
        }
    }

    private StandardContext deploy() {
        StandardContext context = new StandardContext();
        context.setName("/shop");
        context.setPath("/shop");
        context.setDocBase(directory.toString());
        context.addLifecycleListener(new Tomcat.FixContextListener());
        context.setManager(new UnderstudyManager(config));
        new Pages()
                .on("/count", (request, response) -> {
                    Object before = request.getSession().getAttribute("count");
                    int count = before == null ? 1 : (int) before + 1;
                    request.getSession().setAttribute("count", count);
                    response.getWriter().print(count);
                })
                .deployOn(context);
        tomcat.getHost().addChild(context);
        return context;
    }

    private String count() {
        String address = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop/count";
        AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
        Await.that("the node is ready", () -> {
            answer.set(browser.send(URI::create, address));
            return answer.get().statusCode() == 200;
        });
        return answer.get().body();
    }
}
