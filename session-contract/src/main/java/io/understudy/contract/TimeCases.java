package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSession;

/** Times of creation and of use, and the interval. Jakarta Servlet 6.0, sections 7.5 and 7.6. */
final class TimeCases {

    private static final int DEFAULT_INTERVAL = Application.INTERVAL_SECONDS;

    private TimeCases() {}

    private static long created(Client client) {
        return client.ask(request -> request.getSession().getCreationTime());
    }

    private static long used(Client client) {
        return client.ask(request -> request.getSession().getLastAccessedTime());
    }

    private static int interval(Client client) {
        return client.ask(request -> request.getSession().getMaxInactiveInterval());
    }

    private static void interval(Client client, int seconds) {
        client.run((request, response) -> request.getSession().setMaxInactiveInterval(seconds));
    }

    static Cases all() {
        return new Cases()
                .add("a session was created when it began", visit -> {
                    long before = System.currentTimeMillis();
                    long created = created(visit.client());
                    assertTrue(created >= before && created <= System.currentTimeMillis(), () -> "" + created);
                })
                .add("the time of creation stays", visit -> {
                    Client client = visit.client();
                    long created = created(client);
                    for (int i = 0; i < 4; i++) {
                        long now = created(client);
                        assertTrue(Math.abs(now - created) <= visit.travelMillis(), () -> created + " " + now);
                    }
                })
                .add("a new session was last used when it was created", visit -> {
                    assertTrue(visit.client().holds(request -> {
                        HttpSession session = request.getSession();
                        return session.getLastAccessedTime() == session.getCreationTime();
                    }));
                })
                .add("a session was last used by the request before", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    int seen = 0;
                    for (int i = 0; i < 100 && seen < 4; i++) {
                        long before = System.currentTimeMillis();
                        client.run((request, response) -> request.getSession());
                        Thread.sleep(5);
                        long sent = System.currentTimeMillis();
                        long used = used(client);
                        long now = System.currentTimeMillis();
                        assertTrue(
                                used >= before - visit.touchMillis() - visit.travelMillis()
                                        && used <= now + visit.travelMillis(),
                                () -> before + " " + used + " " + now);
                        // A container may note a request's end after its client has sent the next one: then this turn
                        // tells nothing.
                        seen += used <= sent + visit.travelMillis() ? 1 : 0;
                    }
                    assertEquals(4, seen, "requests that were told the time of the one before");
                })
                .add("the interval is the application's", visit -> {
                    Client client = visit.client();
                    assertEquals(DEFAULT_INTERVAL, interval(client));
                    assertEquals(DEFAULT_INTERVAL, interval(client));
                })
                .add("a session's own interval stays its own", visit -> {
                    Client client = visit.client();
                    Client other = visit.client();
                    interval(client, 77);
                    assertEquals(77, interval(client));
                    assertEquals(77, interval(client));
                    assertEquals(DEFAULT_INTERVAL, interval(other));
                })
                .add("the interval can be changed again", visit -> {
                    Client client = visit.client();
                    interval(client, 77);
                    interval(client, 7000);
                    assertEquals(7000, interval(client));
                    assertEquals(7000, interval(client));
                })
                .add("the interval can be none", visit -> {
                    Client client = visit.client();
                    interval(client, -1);
                    assertTrue(interval(client) <= 0);
                    assertTrue(interval(client) <= 0);
                    assertTrue(client.holds(request -> request.getSession(false) != null));
                });
    }
}
