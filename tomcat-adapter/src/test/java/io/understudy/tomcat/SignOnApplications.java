package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two applications with one single sign-on, on two nodes. */
abstract class SignOnApplications {

    static final String SIGNED_ON = "ada";
    static final String LOGIN = "login page";

    final Browser browser = new Browser();
    List<TomcatNode> nodes;

    /** The settings of each application that a test needs. */
    void configure(StandardContext context) {}

    @BeforeEach
    void start() {
        nodes = TomcatNode.start(2, new Pages());
        for (TomcatNode node : nodes) {
            node.host().getPipeline().addValve(new UnderstudySingleSignOn(node.understudy()));
            node.deploy("/shop-a", "", pages("A"));
            node.deploy("/shop-b", "", pages("B"));
            node.awaitReady();
        }
    }

    @AfterEach
    void stop() {
        nodes.forEach(TomcatNode::close);
    }

    private Pages pages(String name) {
        return new Pages()
                .with(context -> context.setSessionCookieName(name))
                .with(this::configure)
                .with(LoginIT::secure)
                .on("/login", (request, response) -> response.getWriter().print(LOGIN))
                .on("/account", (request, response) -> {
                    request.getSession().setAttribute("seen", System.nanoTime());
                    response.getWriter().print(request.getUserPrincipal().getName());
                })
                .on("/rotate", (request, response) -> request.changeSessionId())
                .on("/idle", (request, response) -> request.getSession().setMaxInactiveInterval(1))
                .on("/logout", (request, response) -> request.logout())
                .on("/invalidate", (request, response) -> request.getSession().invalidate());
    }

    /** The application of that name, on that node. */
    Browser.Server application(String name, int node) {
        return path -> nodes.get(node).uri("/").resolve("/shop-" + name + path);
    }

    String account(String name, int node) {
        return browser.get(application(name, node), "/account");
    }

    /** The first node shows the form; the browser sends it to this one. */
    void logIn(int node) {
        assertEquals(LOGIN, account("a", 0));
        HttpResponse<String> loggedIn =
                browser.send(application("a", node), "/j_security_check?j_username=ada&j_password=secret");
        assertTrue(loggedIn.statusCode() == 302 || loggedIn.statusCode() == 303, loggedIn::toString);
    }

    void everywhere(String expected) {
        for (int node = 0; node < nodes.size(); node++) {
            for (String name : List.of("a", "b")) {
                assertEquals(expected, account(name, node), "/shop-" + name + " on node " + node);
            }
        }
    }

    static boolean has(TomcatNode node, String name, String session) {
        return manager(node, name).getSessionIdsFull().contains(session);
    }

    static UnderstudySession session(TomcatNode node, String name, String id) {
        return (UnderstudySession) manager(node, name).findSession(id);
    }

    private static UnderstudyManager manager(TomcatNode node, String name) {
        Context context = (Context) node.host().findChild("/shop-" + name);
        return (UnderstudyManager) context.getManager();
    }
}
