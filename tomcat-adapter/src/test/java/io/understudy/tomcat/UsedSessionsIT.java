package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.session.SessionUse;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
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

    @Test
    void eachOfManySessionsHasOneUse() throws Exception {
        try (TomcatNode node = TomcatNode.start(LoopbackCluster.configs(1).get(0), new Pages())) {
            node.awaitReady();
            UsedSessions uses = new UsedSessions(node.manager());
            uses.begin();
            List<UnderstudySession> sessions = new ArrayList<>();
            List<SessionUse> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                UnderstudySession session = (UnderstudySession) node.manager().createSession(null);
                SessionUse use = Objects.requireNonNull(uses.accessed(session));
                use.begin();
                sessions.add(session);
                all.add(use);
            }
            for (int i = 0; i < 40; i++) {
                UnderstudySession session = sessions.get(i);
                assertSame(all.get(i), uses.accessed(session));
                assertEquals(all.get(i).ticket(), uses.ticketOf(session.live()));
                assertTrue(uses.accessEnds(session));
                assertTrue(uses.accessEnds(session));
                assertFalse(uses.accessEnds(session));
            }
            assertEquals(
                    sessions,
                    IntStream.range(0, uses.count()).mapToObj(uses::session).toList());
            uses.end(true);
            for (int i = 0; i < 40; i++) {
                assertEquals(0, all.get(i).ticket());
                assertEquals(0, uses.ticketOf(sessions.get(i).live()));
            }
        }
    }
}
