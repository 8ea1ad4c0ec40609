package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How sessions begin, and for whom. Jakarta Servlet 6.0, section 7. */
final class BeginningCases {

    private BeginningCases() {}

    static Cases all() {
        return new Cases()
                .add("a client has no session before it is asked for", visit -> {
                    Client client = visit.client();
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                    assertNull(client.sessionId());
                })
                .add("a session is new in the request that began it", visit -> {
                    Client client = visit.client();
                    assertTrue(client.holds(request -> request.getSession().isNew()));
                    assertTrue(visit.client()
                            .holds(request -> request.getSession(true).isNew()));
                })
                .add("a session that the client joined is not new", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    for (int i = 0; i < 3; i++) {
                        assertFalse(client.holds(request -> request.getSession().isNew()));
                    }
                })
                .add("a client that keeps no cookies gets a new session each time", visit -> {
                    Client client = visit.forgetfulClient();
                    String first = client.ask(request -> request.getSession().getId());
                    assertNotEquals(
                            first, client.ask(request -> request.getSession().getId()));
                    assertTrue(client.holds(request -> request.getSession().isNew()));
                })
                .add("one request has one session", visit -> {
                    Client client = visit.client();
                    assertTrue(client.holds(request -> request.getSession()
                            .getId()
                            .equals(request.getSession(false).getId())));
                    assertTrue(client.holds(request -> request.getSession()
                            .getId()
                            .equals(request.getSession().getId())));
                })
                .add("the id stays", visit -> {
                    Client client = visit.client();
                    String id = client.ask(request -> request.getSession().getId());
                    for (int i = 0; i < 4; i++) {
                        client.expect(id, request -> request.getSession(false).getId());
                    }
                })
                .add("clients have sessions of their own", visit -> {
                    Client ann = visit.client();
                    Client bob = visit.client();
                    ann.run((request, response) -> request.getSession().setAttribute("name", "ann"));
                    bob.run((request, response) -> request.getSession().setAttribute("name", "bob"));
                    ann.expect("ann", request -> request.getSession().getAttribute("name"));
                    bob.expect("bob", request -> request.getSession().getAttribute("name"));
                })
                .add("an id that nobody gave out is no session's", visit -> {
                    Client client = visit.clientBearing("0123456789ABCDEF0123456789ABCDEF");
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                    assertFalse(client.holds(request -> request.isRequestedSessionIdValid()));
                })
                .add("an id that nobody gave out is not taken over", visit -> {
                    String made = "0123456789ABCDEF0123456789ABCDE0";
                    Client client = visit.clientBearing(made);
                    assertNotEquals(
                            made, client.ask(request -> request.getSession().getId()));
                    assertNotEquals(made, client.sessionId());
                    assertFalse(client.holds(request -> request.getSession().isNew()));
                })
                .add("a request knows the id it brought, and that it is valid", visit -> {
                    Client client = visit.client();
                    assertNull(client.ask(request -> request.getRequestedSessionId()));
                    client.run((request, response) -> request.getSession());
                    client.expect(
                            client.ask(request -> request.getSession().getId()),
                            request -> request.getRequestedSessionId().split("\\.", 2)[0]);
                    assertTrue(client.holds(request -> request.isRequestedSessionIdValid()));
                })
                .add("a session knows its application", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    assertTrue(client.holds(
                            request -> request.getSession().getServletContext().equals(request.getServletContext())));
                });
    }
}
