package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSession;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sessions that nobody uses end by themselves; others do not. */
final class ExpiryCases {

    /** In use for longer than its interval, in steps far shorter than that. */
    private static final int USES = 12;

    private static final int BETWEEN_USES_MILLIS = 250;

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often a machine may stand still for an interval, so that the session ends rightly. */
    private static final int ATTEMPTS = 20;

    /** Of sessions that end at the same time. */
    private static final int CLIENTS = 20;

    private ExpiryCases() {}

    /** The id of a session with this interval, in seconds. */
    private static String begin(Client client, int interval) {
        return client.ask(request -> {
            request.getSession().setMaxInactiveInterval(interval);
            request.getSession().setAttribute("last", "words");
            return request.getSession().getId();
        });
    }

    /** @param use what requests do, which come far more often than the session's interval */
    private static void staysInUse(Visit visit, Task.Question<?> use) throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Client client = visit.client();
            long used = System.nanoTime();
            String id = begin(client, 1);
            boolean often = true;
            for (int i = 0; often && i < USES; i++) {
                Thread.sleep(BETWEEN_USES_MILLIS);
                long next = System.nanoTime();
                client.run((request, response) -> use.answer(request));
                often = System.nanoTime() - used < INTERVAL_NANOS;
                used = next;
            }
            String last = client.ask(request -> {
                HttpSession session = request.getSession(false);
                return session == null ? "none" : session.getId();
            });
            if (often && System.nanoTime() - used < INTERVAL_NANOS) {
                assertEquals(id, last);
                assertEquals(List.of(), Events.of(id, "destroyed"));
                return;
            }
        }
        throw new AssertionError("between two requests there was always more than a second");
    }

    /** While a listener of one session takes long. */
    private static void othersAreAnswered(Visit visit) {
        Map<String, Client> clients = new LinkedHashMap<>();
        for (int i = 0; i < CLIENTS; i++) {
            Client client = visit.client();
            clients.put(begin(client, 1), client);
        }
        Client last = visit.client();
        String held = begin(last, 1); // When it ends the others are overdue as well.
        CountDownLatch gate = Events.hold(held);
        Events.await(held, "destroyed");
        clients.values().forEach(client -> assertTrue(client.holds(request -> request.getSession(false) == null)));
        boolean found = !last.holds(request -> request.getSession(false) == null);
        gate.countDown();
        assertTrue(visit.mayFindEnding() || !found);
        clients.put(held, last);
        clients.forEach((id, client) -> {
            Events.await(id, "destroyed");
            assertTrue(visit.ended(client));
            assertEquals(List.of("destroyed words"), Events.of(id, "destroyed"));
        });
    }

    static Cases all() {
        return new Cases()
                .add("an idle session ends, and listeners are told once", visit -> {
                    Client client = visit.client();
                    String id = begin(client, 1);
                    Events.await(id, "destroyed");
                    for (int i = 0; i < 3; i++) {
                        assertTrue(visit.ended(client));
                    }
                    assertEquals(List.of("destroyed words"), Events.of(id, "destroyed"));
                    assertNotEquals(
                            id, client.ask(request -> request.getSession().getId()));
                })
                .add(
                        "while the end of one session is told, clients of others are answered",
                        visit -> othersAreAnswered(visit))
                .add("a session whose interval was shortened ends by the new one", visit -> {
                    Client client = visit.client();
                    String id = client.ask(request -> request.getSession().getId());
                    client.run((request, response) -> request.getSession().setMaxInactiveInterval(1));
                    Events.await(id, "destroyed");
                    assertTrue(visit.ended(client));
                })
                .add("a session in use does not end", visit -> staysInUse(visit, request -> request.getSession(false)))
                .add(
                        "a session that only is asked for, and not read, is in use",
                        visit -> staysInUse(visit, request -> true))
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
