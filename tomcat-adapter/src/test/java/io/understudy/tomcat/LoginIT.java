package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.session.LiveSession;
import io.understudy.session.LoginName;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.SessionRequest;
import io.understudy.tomcat.container.SessionIds;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.authenticator.FormAuthenticator;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.filters.CsrfPreventionFilter;
import org.apache.catalina.realm.GenericPrincipal;
import org.apache.catalina.realm.RealmBase;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.apache.tomcat.util.descriptor.web.SecurityCollection;
import org.apache.tomcat.util.descriptor.web.SecurityConstraint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tomcat's own logins by form and nonces against forged requests, with each request on another node. */
@Tag("container")
class LoginIT {

    private final Browser browser = new Browser();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private List<TomcatNode> nodes;

    @BeforeEach
    void start() {
        nodes = TomcatNode.start(2, pages());
    }

    @AfterEach
    void stop() {
        mayEnd.countDown();
        nodes.forEach(TomcatNode::close);
    }

    private void logIn() {
        assertEquals("login page", browser.get(nodes.get(0), "/account?tab=orders"));
        HttpResponse<String> loggedIn =
                browser.send(nodes.get(1), "/j_security_check?j_username=ada&j_password=secret");
        assertTrue(loggedIn.statusCode() == 302 || loggedIn.statusCode() == 303, loggedIn::toString);
        assertEquals("/shop/account?tab=orders", Browser.location(loggedIn));
        assertEquals("ada true FORM orders []", browser.get(nodes.get(0), "/account?tab=orders"));
    }

    @Test
    void aLoginIsBegunHereEndedThereAndHoldsEverywhere() {
        logIn();
        assertEquals("ada true FORM null []", browser.get(nodes.get(1), "/account"));
        assertEquals("ada true FORM null []", browser.get(nodes.get(0), "/account"));
    }

    @Test
    void itOutlivesTheNode() {
        logIn();
        nodes.remove(1).close();
        assertEquals("ada true FORM null []", browser.get(nodes.get(0), "/account"));
    }

    @Test
    void aLogoutHoldsEverywhere() {
        logIn();
        browser.get(nodes.get(1), "/logout");
        assertEquals("login page", browser.get(nodes.get(0), "/account"));
        assertEquals("login page", browser.get(nodes.get(1), "/account"));
    }

    /** The container looks up who is logged in with each request. */
    @Test
    void aLogoutHoldsWhileARequestRunsOnAnotherNode() throws Exception {
        logIn();
        CompletableFuture<HttpResponse<String>> stream = browser.start(nodes.get(0), "/stream");
        Await.that("it runs", () -> inside.getCount() == 0 || stream.isDone());
        browser.get(nodes.get(1), "/logout");
        assertEquals("login page", browser.get(nodes.get(0), "/account"));
        mayEnd.countDown();
        assertEquals(200, stream.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals("login page", browser.get(nodes.get(0), "/account"));
    }

    @Test
    void withoutPersistAuthenticationALoginStaysOnItsNode() {
        nodes.forEach(node -> node.manager().setPersistAuthentication(false));
        assertEquals("login page", browser.get(nodes.get(0), "/account"));
        browser.send(nodes.get(0), "/j_security_check?j_username=ada&j_password=secret");
        assertEquals("ada true FORM null []", browser.get(nodes.get(0), "/account"));
        assertEquals("login page", browser.get(nodes.get(1), "/account"));
    }

    @Test
    void containersOfOtherKindsHearWhoIsLoggedIn() {
        logIn();
        ReplicatedSessions elsewhere = nodes.get(1).manager().replicated();
        LiveSession session = SessionRequest.find(elsewhere, SessionIds.bare(browser.sessionId()));
        assertEquals("ada", LoginName.of(session));
        browser.get(nodes.get(0), "/logout");
        assertNull(LoginName.of(session));
    }

    @Test
    void theApplicationHearsWhoIsLoggedInByAContainerOfAnotherKind() {
        LiveSession foreign = nodes.get(1).manager().replicated().create("foreign", 1800);
        SessionRequest.use(foreign, () -> LoginName.keep(foreign, "grace"));
        assertEquals("grace null", Browser.bearing("foreign").get(nodes.get(0), "/who"));
        logIn();
        assertEquals("null ada", browser.get(nodes.get(1), "/who"));
    }

    @Test
    void aNonceOfOneNodeIsTakenByAnother() {
        String act = browser.get(nodes.get(0), "/form").substring("/shop".length());
        for (int i = 0; i < 4; i++) {
            assertEquals("done", browser.get(nodes.get(i % 2), act), "request " + i);
        }
        assertEquals(403, browser.send(nodes.get(1), "/act").statusCode());
    }

    private Pages pages() {
        return new Pages()
                .with(LoginIT::secure)
                .with(LoginIT::protect)
                .on("/login", (request, response) -> response.getWriter().print("login page"))
                .on(
                        "/account",
                        (request, response) -> response.getWriter()
                                .print(request.getUserPrincipal().getName() + " " + request.isUserInRole("user") + " "
                                        + request.getAuthType() + " " + request.getParameter("tab") + " "
                                        + Collections.list(request.getSession().getAttributeNames())))
                .on(
                        "/who",
                        (request, response) -> response.getWriter()
                                .print(request.getAttribute(LoginName.ATTRIBUTE) + " " + request.getRemoteUser()))
                .on("/logout", (request, response) -> request.logout())
                .on("/stream", (request, response) -> {
                    inside.countDown();
                    mayEnd.await();
                })
                .on("/form", (request, response) -> {
                    request.getSession();
                    response.getWriter().print(response.encodeURL(request.getContextPath() + "/act"));
                })
                .on("/act", (request, response) -> response.getWriter().print("done"));
    }

    /** Asks who wants to see {@code /account} or {@code /secured} to log in. */
    static void secure(StandardContext context) {
        SecurityCollection accounts = new SecurityCollection();
        accounts.addPattern("/account");
        accounts.addPattern("/secured");
        SecurityConstraint constraint = new SecurityConstraint();
        constraint.addCollection(accounts);
        constraint.addAuthRole("user");
        context.addSecurityRole("user");
        context.addConstraint(constraint);
        context.setLoginConfig(new LoginConfig("FORM", null, "/login", "/login"));
        context.setRealm(new Users());
        context.getPipeline().addValve(new FormAuthenticator());
    }

    private static void protect(StandardContext context) {
        FilterDef filter = new FilterDef();
        filter.setFilterName("csrf");
        filter.setFilterClass(CsrfPreventionFilter.class.getName());
        filter.setFilter(new CsrfPreventionFilter());
        filter.addInitParameter("entryPoints", "/form");
        filter.setAsyncSupported("true");
        FilterMap map = new FilterMap();
        map.setFilterName("csrf");
        map.addURLPattern("/form");
        map.addURLPattern("/act");
        context.addFilterDef(filter);
        context.addFilterMap(map);
    }

    /** One user. */
    private static final class Users extends RealmBase {

        @Override
        protected String getPassword(String name) {
            return name.equals("ada") ? "secret" : null;
        }

        @Override
        protected Principal getPrincipal(String name) {
            return new GenericPrincipal(name, List.of("user"));
        }
    }
}
