package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.session.SessionUse;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The uses of a request whose thread goes on when it is over. */
@Tag("container")
class UsedSessionsIT {

    @Test
    void noUseBeginsWhenTheRequestIsOver() throws Exception {
        Pages pages = new Pages().on("/begin", (request, response) -> request.getSession());
        try (TomcatNode node = TomcatNode.start(LoopbackCluster.configs(1).get(0), pages)) {
            node.awaitReady();
            Browser browser = new Browser();
            browser.get(node, "/begin");
            UnderstudySession session =
                    (UnderstudySession) Objects.requireNonNull(node.manager().findSession(browser.sessionId()));
            UsedSessions uses = new UsedSessions(node.manager());
            uses.begin();
            SessionUse use = Objects.requireNonNull(uses.accessed(session));
            use.begin();
            uses.end(true);
            assertEquals(0, use.ticket());
            assertNull(uses.accessed(session), "nobody would end it");
            uses.begin();
            assertNotNull(uses.accessed(session), "of a dispatch");
        }
    }
}
