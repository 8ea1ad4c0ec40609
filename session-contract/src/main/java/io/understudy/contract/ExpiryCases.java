package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

/** Sessions that nobody uses end by themselves; others do not. */
final class ExpiryCases {

    /** In use for longer than its interval, in steps far shorter than that. */
    private static final int USES = 12;

    private static final int BETWEEN_USES_MILLIS = 250;

    private ExpiryCases() {}

    /** The id of a session with this interval, in seconds. */
    private static String begin(Client client, int interval) {
        return client.ask(request -> {
            request.getSession().setMaxInactiveInterval(interval);
            request.getSession().setAttribute("last", "words");
            return request.getSession().getId();
        });
    }

    static Cases all() {
        return new Cases()
                .add("an idle session ends, and listeners are told once", visit -> {
                    Client client = visit.client();
                    String id = begin(client, 1);
                    Events.await(id, "destroyed");
                    for (int i = 0; i < 3; i++) {
                        assertTrue(client.holds(request -> request.getSession(false) == null));
                    }
                    assertEquals(List.of("destroyed words"), Events.of(id, "destroyed"));
                    assertNotEquals(
                            id, client.ask(request -> request.getSession().getId()));
                })
                .add("a session whose interval was shortened ends by the new one", visit -> {
                    Client client = visit.client();
                    String id = client.ask(request -> request.getSession().getId());
                    client.run((request, response) -> request.getSession().setMaxInactiveInterval(1));
                    Events.await(id, "destroyed");
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                })
                .add("a session in use does not end", visit -> {
                    Client client = visit.client();
                    String id = begin(client, 1);
                    for (int i = 0; i < USES; i++) {
                        client.expect(id, request -> request.getSession(false).getId());
                        Thread.sleep(BETWEEN_USES_MILLIS);
                    }
                    assertEquals(List.of(), Events.of(id, "destroyed"));
                })
                .add("a session that only is asked for, and not read, is in use", visit -> {
                    Client client = visit.client();
                    String id = begin(client, 1);
                    for (int i = 0; i < USES; i++) {
                        client.run((request, response) -> {});
                        Thread.sleep(BETWEEN_USES_MILLIS);
                    }
                    client.expect(id, request -> request.getSession(false).getId());
                })
                .add("a session without an interval does not end when others do", visit -> {
                    Client keeps = visit.client();
                    begin(keeps, -1);
                    String id = begin(visit.client(), 1);
                    Events.await(id, "destroyed");
                    keeps.expect("words", request -> request.getSession(false).getAttribute("last"));
                })
                .add("the attributes of an idle session are unbound", visit -> {
                    Client client = visit.client();
                    String id = client.ask(request -> {
                        request.getSession().setMaxInactiveInterval(1);
                        request.getSession().setAttribute("value", new Bound("v"));
                        return request.getSession().getId();
                    });
                    Events.await(id, "unbound");
                    assertEquals(List.of("unbound v"), Events.of(id, "unbound"));
                });
    }
}
