package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import java.io.Serializable;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.session.SessionHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jetty's own session handler, without any servlet environment, replicates too. */
@Tag("container")
@Timeout(300)
final class CoreSessionsIT {

    /** Counts, and completes the response on a thread of its own, as asynchronous handlers do. */
    private static final class Counter extends Handler.Abstract.NonBlocking {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Session session = request.getSession(true);
            request.getComponents().getExecutor().execute(() -> {
                Integer count = (Integer) session.getAttribute("count");
                session.setAttribute("count", count == null ? 1 : count + 1);
                Content.Sink.write(response, true, String.valueOf(session.getAttribute("count")), callback);
            });
            return true;
        }
    }

    /** An attribute that Jetty tells of its session. */
    private static final class Listening implements Session.ValueListener, Serializable {
        private static final long serialVersionUID = 1L;

        private transient boolean told;

        @Override
        public void onSessionActivation(Session session) {
            told = session.getAttribute("value") == this;
        }

        @Override
        public void onSessionPassivation(Session session) {
            told = false;
        }
    }

    /** Says whether the attribute was told of the session it is in. */
    private static final class Telling extends Handler.Abstract {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Session session = request.getSession(true);
            if (session.getAttribute("value") == null) {
                session.setAttribute("value", new Listening());
            }
            Content.Sink.write(response, true, "" + ((Listening) session.getAttribute("value")).told, callback);
            return true;
        }
    }

    @Test
    void anAttributeThatListensIsToldOfTheSessionItComesUpIn() {
        try (JettyCluster cluster = JettyCluster.of(2).start(config -> {
            SessionHandler sessions = new SessionHandler();
            sessions.setHandler(new Telling());
            return JettyNode.of(config, new ContextHandler(sessions, "/app"));
        })) {
            Browser browser = new Browser();
            assertEquals("false", browser.get(cluster.node(0), "/app/"));
            for (int i = 1; i <= 4; i++) {
                assertEquals("true", browser.get(cluster.node(i % 2), "/app/"), "request " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCoreSessionGoesOnOnTheOtherNodes(boolean inContext) {
        try (JettyCluster cluster = JettyCluster.of(3).start(config -> {
            SessionHandler sessions = new SessionHandler();
            sessions.setHandler(new Counter());
            return JettyNode.of(config, inContext ? new ContextHandler(sessions, "/app") : sessions);
        })) {
            Browser browser = new Browser();
            for (int i = 1; i <= 60; i++) {
                assertEquals("" + i, browser.get(cluster.node(i % 3), "/app/"));
            }
        }
    }
}
