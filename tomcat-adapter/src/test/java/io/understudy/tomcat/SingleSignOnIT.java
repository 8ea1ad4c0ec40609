package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.util.List;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One login for the applications of a host, on all nodes. */
@Tag("container")
class SingleSignOnIT {

    private static final String SIGNED_ON = "ada";
    private static final String LOGIN = "login page";

    private final Browser browser = new Browser();
    private List<TomcatNode> nodes;

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

    private static Pages pages(String name) {
        return new Pages()
                .with(context -> context.setSessionCookieName(name))
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
    private Browser.Server application(String name, int node) {
        return path -> nodes.get(node).uri("/").resolve("/shop-" + name + path);
    }

    private String account(String name, int node) {
        return browser.get(application(name, node), "/account");
    }

    /** The form is shown by one node, and sent to the other. */
    private void logIn() {
        assertEquals(LOGIN, account("a", 0));
        HttpResponse<String> loggedIn =
                browser.send(application("a", 1), "/j_security_check?j_username=ada&j_password=secret");
        assertTrue(loggedIn.statusCode() == 302 || loggedIn.statusCode() == 303, loggedIn::toString);
        assertEquals(SIGNED_ON, account("a", 0));
    }

    private void everywhere(String expected) {
        for (int node = 0; node < nodes.size(); node++) {
            for (String name : List.of("a", "b")) {
                assertEquals(expected, account(name, node), "/shop-" + name + " on node " + node);
            }
        }
    }

    @Test
    void aLoginToOneIsALoginToAllOnEveryNode() {
        logIn();
        everywhere(SIGNED_ON);
    }

    @Test
    void whoIsNotSignedOnIsAsked() {
        everywhere(LOGIN);
    }

    @Test
    void aLogoutFromOneIsALogoutFromAll() {
        logIn();
        everywhere(SIGNED_ON);
        browser.get(application("b", 1), "/logout");
        everywhere(LOGIN);
    }

    @Test
    void theEndOfASessionIsALogoutFromAllOnANodeThatNeverSawTheLogin() {
        logIn();
        assertEquals(SIGNED_ON, account("b", 0));
        browser.get(application("a", 0), "/invalidate");
        everywhere(LOGIN);
    }

    @Test
    void aSessionWithANewIdIsOneOfItStill() {
        logIn();
        assertEquals(SIGNED_ON, account("b", 0));
        browser.get(application("b", 1), "/rotate");
        assertEquals(SIGNED_ON, account("b", 0));
        browser.get(application("a", 0), "/invalidate");
        everywhere(LOGIN);
    }

    @Test
    void aSessionThatExpiresLeavesTheOthersSignedOn() {
        logIn();
        assertEquals(SIGNED_ON, account("b", 0));
        String session = browser.cookie("B");
        browser.get(application("b", 1), "/idle");
        Await.that("the session is over", () -> {
            nodes.forEach(node -> node.host().findChild("/shop-b").backgroundProcess());
            return nodes.stream().noneMatch(node -> has(node, session));
        });
        everywhere(SIGNED_ON);
    }

    private static boolean has(TomcatNode node, String session) {
        var context = (org.apache.catalina.Context) node.host().findChild("/shop-b");
        return ((UnderstudyManager) context.getManager()).getSessionIdsFull().contains(session);
    }

    @Test
    void itOutlivesTheNodeOfTheLogin() {
        logIn();
        nodes.remove(1).close();
        everywhere(SIGNED_ON);
    }

    @Test
    void aSignOnThatNeedsPasswordsIsRefused() {
        UnderstudySingleSignOn valve = new UnderstudySingleSignOn(nodes.get(0).understudy());
        valve.setRequireReauthentication(true);
        valve.setContainer(nodes.get(0).host());
        LifecycleException refused = assertThrows(LifecycleException.class, valve::start);
        assertTrue(refused.toString().contains("requireReauthentication = true"), refused::toString);
    }
}
