package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** A session gets another id, as at each login, and the old one is worthless. Jakarta Servlet 6.0, section 7.3. */
final class IdCases {

    private IdCases() {}

    private static Client withSession(Visit visit) {
        Client client = visit.client();
        client.run((request, response) -> request.getSession().setAttribute("name", "ann"));
        return client;
    }

    private static String id(Client client) {
        return client.ask(request -> request.getSession(false).getId());
    }

    private static String rename(Client client) {
        return client.ask(HttpServletRequest::changeSessionId);
    }

    static Cases all() {
        return new Cases()
                .add("the client has the new id, and all that was there", visit -> {
                    Client client = withSession(visit);
                    String old = id(client);
                    String renamed = rename(client);
                    assertNotEquals(old, renamed);
                    for (int i = 0; i < 2; i++) {
                        assertEquals(renamed, id(client));
                        client.expect(
                                "ann", request -> request.getSession(false).getAttribute("name"));
                    }
                })
                .add("the old id is nobody's, on any node", visit -> {
                    Client client = withSession(visit);
                    Client thief = client.twin();
                    rename(client);
                    for (int i = 0; i < 4; i++) {
                        assertTrue(thief.holds(request -> request.getSession(false) == null));
                        assertFalse(thief.holds(HttpServletRequest::isRequestedSessionIdValid));
                    }
                })
                .add("the session is the same object in the request that renamed it", visit -> {
                    Client client = withSession(visit);
                    assertTrue(client.holds(request -> {
                        String renamed = request.changeSessionId();
                        return request.getSession().getId().equals(renamed)
                                && request.getSession().getAttribute("name").equals("ann");
                    }));
                })
                .add("what a request changes goes with the new id, before and after", visit -> {
                    Client client = withSession(visit);
                    client.run((request, response) -> {
                        request.getSession().setAttribute("before", "b");
                        request.changeSessionId();
                        request.getSession().setAttribute("after", "a");
                    });
                    client.expect(
                            "ann b a",
                            request -> request.getSession(false).getAttribute("name") + " "
                                    + request.getSession().getAttribute("before") + " "
                                    + request.getSession().getAttribute("after"));
                })
                .add("a session can be renamed again and again", visit -> {
                    Client client = withSession(visit);
                    for (int i = 0; i < 10; i++) {
                        assertEquals(rename(client), id(client));
                    }
                    client.expect("ann", request -> request.getSession(false).getAttribute("name"));
                })
                .add("twice in one request", visit -> {
                    Client client = withSession(visit);
                    String last = client.ask(request -> {
                        request.changeSessionId();
                        return request.changeSessionId();
                    });
                    assertEquals(last, id(client));
                })
                .add("a session may be renamed in the request that began it", visit -> {
                    Client client = visit.client();
                    String renamed = client.ask(request -> {
                        request.getSession().setAttribute("name", "ann");
                        return request.changeSessionId();
                    });
                    assertEquals(renamed, id(client));
                    client.expect("ann", request -> request.getSession(false).getAttribute("name"));
                })
                .add("without a session there is nothing to rename", visit -> {
                    Client client = visit.client();
                    assertTrue(client.holds(request -> {
                        try {
                            request.changeSessionId();
                            return false;
                        } catch (IllegalStateException e) {
                            return true;
                        }
                    }));
                })
                .add("the time of creation and the interval stay", visit -> {
                    Client client = withSession(visit);
                    client.run((request, response) -> request.getSession().setMaxInactiveInterval(77));
                    long created = client.ask(request -> request.getSession().getCreationTime());
                    rename(client);
                    long now = client.ask(request -> request.getSession().getCreationTime());
                    assertTrue(Math.abs(now - created) <= visit.travelMillis(), () -> created + " " + now);
                    client.expect(77, request -> request.getSession().getMaxInactiveInterval());
                })
                .add("listeners are told once, of both ids", visit -> {
                    Client client = withSession(visit);
                    String old = id(client);
                    String renamed = rename(client);
                    id(client);
                    assertEquals(List.of("renamed"), Events.of(old, "renamed"));
                    assertEquals(List.of("renamed from " + old), Events.of(renamed, "renamed"));
                })
                .add("a renamed session ends by its new id", visit -> {
                    Client client = withSession(visit);
                    String renamed = rename(client);
                    client.run((request, response) -> request.getSession(false).invalidate());
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                    assertEquals(1, Events.of(renamed, "destroyed").size());
                });
    }
}
