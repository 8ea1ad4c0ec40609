package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.session.LiveSession;
import io.understudy.session.LoginName;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.SessionRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.SessionHandler;
import org.eclipse.jetty.ee11.servlet.security.ConstraintMapping;
import org.eclipse.jetty.ee11.servlet.security.ConstraintSecurityHandler;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.FormAuthenticator;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.security.Password;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jetty's own logins by form, with each request on another node. */
@Tag("container")
@Timeout(300)
class LoginIT {

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private JettyCluster cluster(boolean dispatch) {
        return JettyCluster.of(2)
                .tune(context -> secure(context, dispatch))
                .on("/login", (request, response) -> response.getWriter().print("login page"))
                .on(
                        "/account",
                        (request, response) -> response.getWriter()
                                .print(request.getUserPrincipal().getName() + " " + request.isUserInRole("user") + " "
                                        + request.getAuthType() + " " + request.getParameter("tab")))
                .on(
                        "/who",
                        (request, response) -> response.getWriter()
                                .print(request.getAttribute(LoginName.ATTRIBUTE) + " " + request.getRemoteUser()))
                .on("/logout", (request, response) -> request.logout())
                .on("/stream", (request, response) -> {
                    assertEquals("ada", request.getRemoteUser());
                    inside.countDown();
                    mayEnd.await();
                })
                .start();
    }

    private static Handler secure(ServletContextHandler context, boolean dispatch) {
        UserStore users = new UserStore();
        users.addUser("ada", new Password("secret"), new String[] {"user"});
        HashLoginService logins = new HashLoginService("shop");
        logins.setUserStore(users);
        ConstraintMapping accounts = new ConstraintMapping();
        accounts.setPathSpec("/account");
        accounts.setConstraint(Constraint.from("user"));
        ConstraintSecurityHandler security = new ConstraintSecurityHandler();
        security.setLoginService(logins);
        security.setAuthenticator(new FormAuthenticator("/login", "/login", dispatch));
        security.addConstraintMapping(accounts);
        context.setSecurityHandler(security);
        return context;
    }

    private static Browser logIn(JettyCluster cluster) {
        Browser browser = new Browser();
        HttpResponse<String> asked = browser.send(cluster.node(0), "/app/account?tab=orders");
        if (asked.statusCode() != 200) {
            assertEquals("/app/login", Browser.location(asked));
        }
        HttpResponse<String> loggedIn =
                browser.send(cluster.node(1), "/app/j_security_check?j_username=ada&j_password=secret");
        assertEquals("/app/account?tab=orders", Browser.location(loggedIn), loggedIn::toString);
        assertEquals("ada true FORM orders", browser.get(cluster.node(0), "/app/account?tab=orders"));
        return browser;
    }

    @ParameterizedTest(name = "dispatch {0}")
    @ValueSource(booleans = {false, true})
    void aLoginIsBegunHereEndedThereAndHoldsEverywhere(boolean dispatch) {
        try (JettyCluster cluster = cluster(dispatch)) {
            for (int i = 0; i < 50; i++) {
                Browser browser = logIn(cluster);
                assertEquals("ada true FORM null", browser.get(cluster.node(1), "/app/account"));
            }
        }
    }

    @Test
    void itOutlivesTheNode() {
        try (JettyCluster cluster = cluster(false)) {
            Browser browser = logIn(cluster);
            cluster.nodes().remove(1).close();
            assertEquals("ada true FORM null", browser.get(cluster.node(0), "/app/account"));
        }
    }

    /** Without the worker's name. */
    private static String id(Browser browser) {
        return String.valueOf(browser.sessionId()).replaceFirst("[.].*", "");
    }

    private static ReplicatedSessions sessions(JettyNode node) {
        SessionHandler sessions =
                node.server.getDescendant(ServletContextHandler.class).getSessionHandler();
        return ((UnderstudySessionDataStore) sessions.getSessionCache().getSessionDataStore()).sessions();
    }

    @Test
    void containersOfOtherKindsHearWhoIsLoggedIn() {
        try (JettyCluster cluster = cluster(false)) {
            Browser browser = logIn(cluster);
            LiveSession session = SessionRequest.find(sessions(cluster.node(1)), id(browser));
            assertEquals("ada", LoginName.of(session));
            browser.get(cluster.node(0), "/app/logout");
            assertNull(LoginName.of(session));
        }
    }

    @Test
    void theApplicationHearsWhoIsLoggedInByAContainerOfAnotherKind() {
        try (JettyCluster cluster = cluster(false)) {
            LiveSession foreign = sessions(cluster.node(1)).create("foreign", 1800);
            SessionRequest.use(foreign, () -> LoginName.keep(foreign, "grace"));
            assertEquals("grace null", Browser.bearing("foreign").get(cluster.node(0), "/app/who"));
            assertEquals("null ada", logIn(cluster).get(cluster.node(1), "/app/who"));
        }
    }

    @Test
    void aLogoutHoldsEverywhere() {
        try (JettyCluster cluster = cluster(false)) {
            Browser browser = logIn(cluster);
            browser.get(cluster.node(1), "/app/logout");
            assertTrue(Browser.location(browser.send(cluster.node(0), "/app/account"))
                    .startsWith("/app/login"));
            assertTrue(Browser.location(browser.send(cluster.node(1), "/app/account"))
                    .startsWith("/app/login"));
        }
    }

    /** Jetty looks up who is logged in with each request. */
    @Test
    void aLogoutHoldsWhileARequestRunsOnAnotherNode() throws Exception {
        try (JettyCluster cluster = cluster(false)) {
            Browser browser = logIn(cluster);
            CompletableFuture<HttpResponse<String>> stream = browser.start(cluster.node(0), "/app/stream");
            try {
                Await.that("it runs", () -> inside.getCount() == 0 || stream.isDone());
                browser.get(cluster.node(1), "/app/logout");
                assertTrue(Browser.location(browser.send(cluster.node(0), "/app/account"))
                        .startsWith("/app/login"));
            } finally {
                mayEnd.countDown();
            }
            assertEquals(
                    200, stream.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
            assertTrue(Browser.location(browser.send(cluster.node(0), "/app/account"))
                    .startsWith("/app/login"));
        }
    }
}
