package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One login for the applications of a host, which do not replicate logins of their own: {@code persistAuthentication
 * = false}.
 */
@Tag("container")
class SignOnWithoutLoginsIT extends SignOnApplications {

    private static final String SSO_COOKIE = "JSESSIONIDSSO";

    @Override
    void configure(StandardContext context) {
        ((UnderstudyManager) context.getManager()).setPersistAuthentication(false);
    }

    private void logIn() {
        logIn(0);
        everywhere(SIGNED_ON);
    }

    @Test
    void aLogoutIsOneFromAll() {
        logIn();
        browser.get(application("b", 1), "/logout");
        everywhere(LOGIN);
    }

    @Test
    void theEndOfASessionIsALogoutFromAll() {
        for (int node = 0; node < nodes.size(); node++) {
            logIn();
            browser.get(application("a", node), "/invalidate");
            everywhere(LOGIN);
        }
    }

    @Test
    void aSignOnEndsWithTheLastOfItsSessions() {
        logIn();
        String signOn = String.valueOf(browser.cookie(SSO_COOKIE));
        for (String name : List.of("a", "b")) {
            assertTrue(signedOn(signOn), name);
            String session = browser.cookie(name.toUpperCase(Locale.ROOT));
            browser.get(application(name, 1), "/idle");
            Await.that("the session of " + name + " is over", () -> {
                nodes.forEach(node -> node.host().findChild("/shop-" + name).backgroundProcess());
                return nodes.stream().noneMatch(node -> has(node, name, session));
            });
        }
        Await.that("the sign-on is over", () -> !signedOn(signOn));
    }

    private boolean signedOn(String id) {
        return nodes.stream().anyMatch(node -> {
            UnderstudySingleSignOn valve = (UnderstudySingleSignOn)
                    Arrays.stream(node.host().getPipeline().getValves())
                            .filter(UnderstudySingleSignOn.class::isInstance)
                            .findAny()
                            .orElseThrow();
            return valve.knows(id);
        });
    }
}
