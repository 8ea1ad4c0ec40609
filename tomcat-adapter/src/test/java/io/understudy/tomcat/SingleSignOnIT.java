package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One login for the applications of a host, on all nodes. */
@Tag("container")
class SingleSignOnIT extends SignOnApplications {

    /** The form is shown by one node, and sent to the other. */
    private void logIn() {
        logIn(1);
        assertEquals(SIGNED_ON, account("a", 0));
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

    /** As protection from session fixation changes it. */
    @Test
    void aSessionWithANewIdEndsWithTheOthersAlsoIfNobodyCameBackToIt() {
        logIn(); // Here the session itself has the login, too.
        assertEquals(SIGNED_ON, account("b", 0));
        browser.get(application("a", 1), "/rotate");
        browser.get(application("b", 0), "/invalidate");
        everywhere(LOGIN);
    }

    /** The node that handles the logout knows the new id already. */
    @Test
    void aLogoutWhileASessionGetsANewIdEndsThatSession() {
        logIn();
        assertEquals(SIGNED_ON, account("b", 0));
        UnderstudySession session = session(nodes.get(0), "b", browser.cookie("B"));
        UnderstudySingleSignOn.renamed(session, "new", () -> {
            session.rename("new");
            browser.get(application("a", 1), "/invalidate");
        });
        assertFalse(session.live().valid());
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
            return nodes.stream().noneMatch(node -> has(node, "b", session));
        });
        everywhere(SIGNED_ON);
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
