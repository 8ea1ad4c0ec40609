package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.net.URI;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.websocket.server.WsSci;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A user's web socket ends with the session (Jakarta WebSocket 2.1, section 7.2), wherever that ends. */
@Tag("container")
class SocketLogoutIT {

    private final CountDownLatch opened = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What the socket is for. */
    private final class Listening extends Endpoint {

        @Override
        public void onOpen(Session socket, EndpointConfig config) {
            assertEquals("ada", socket.getUserPrincipal().getName());
            opened.countDown();
        }

        @Override
        public void onClose(Session socket, CloseReason reason) {
            closed.countDown();
        }
    }

    private Pages pages() {
        return new Pages()
                .with(LoginIT::secure)
                .with(context -> context.addServletContainerInitializer(new WsSci(), null))
                .with(context -> context.addServletContainerInitializer((classes, servlets) -> open(servlets), null))
                .on("/login", (request, response) -> response.getWriter().print("login page"))
                .on("/account", (request, response) -> response.getWriter().print(request.getRemoteUser()))
                .on("/end", (request, response) -> request.getSession().invalidate())
                .on("/socket", (request, response) -> response.getWriter().print("no web socket"));
    }

    private void open(ServletContext servlets) throws ServletException {
        ServerContainer sockets = (ServerContainer) servlets.getAttribute(ServerContainer.class.getName());
        try {
            sockets.addEndpoint(ServerEndpointConfig.Builder.create(Listening.class, "/socket")
                    .configurator(new ServerEndpointConfig.Configurator() {
                        @Override
                        public <T> T getEndpointInstance(Class<T> type) {
                            return type.cast(new Listening());
                        }
                    })
                    .build());
        } catch (DeploymentException e) {
            throw new ServletException(e);
        }
    }

    @Test
    void itIsClosedWhenTheSessionEndsOnAnotherNode() throws Exception {
        List<TomcatNode> nodes = TomcatNode.start(2, pages());
        try {
            TomcatNode here = nodes.get(0);
            Browser browser = new Browser();
            assertEquals("login page", browser.get(here, "/account"));
            browser.send(here, "/j_security_check?j_username=ada&j_password=secret");
            assertEquals("ada", browser.get(nodes.get(1), "/account"));
            URI page = here.uri("/socket");
            WebSocket socket =
                    browser.socket(URI.create("ws://" + page.getAuthority() + page.getPath()), message -> {});
            assertTrue(opened.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "nothing is open");
            assertEquals("ada", browser.get(nodes.get(1), "/account"), "the session can be replicated");
            browser.get(nodes.get(1), "/end");
            Await.that("it is closed", () -> {
                here.manager().backgroundProcess(); // As Tomcat does every ten seconds.
                return closed.getCount() == 0;
            });
            socket.abort();
        } finally {
            nodes.forEach(TomcatNode::close);
        }
    }
}
