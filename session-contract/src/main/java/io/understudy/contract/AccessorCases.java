package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

/** Sessions that are used outside of requests through their accessor (Jakarta Servlet 6.1, {@code HttpSession.Accessor}). */
final class AccessorCases {

    private static final int ROUNDS = 6;

    private AccessorCases() {}

    private static Accessors begin(Client client) {
        return client.ask(request -> {
            request.getSession().setAttribute("list", new ArrayList<>(List.of(0)));
            return Accessors.of(request.getSession());
        });
    }

    private static boolean refused(Accessors accessor) {
        try {
            accessor.access(session -> {});
            return false;
        } catch (IllegalStateException e) {
            return true;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static Cases all() {
        Cases cases = new Cases();
        return Accessors.present() ? promises(cases) : cases;
    }

    private static Cases promises(Cases cases) {
        return cases.add("what is set through an accessor is there", visit -> {
                    Client client = visit.client();
                    Accessors accessor = begin(client);
                    for (int i = 0; i < ROUNDS; i++) {
                        int round = i;
                        accessor.access(session -> session.setAttribute("a", round));
                        client.expect(
                                round, request -> request.getSession(false).getAttribute("a"));
                    }
                })
                .add("what is changed in place through an accessor is there", visit -> {
                    Client client = visit.client();
                    Accessors accessor = begin(client);
                    for (int i = 1; i <= ROUNDS; i++) {
                        int round = i;
                        accessor.access(
                                session -> list(session.getAttribute("list")).add(round));
                        client.expect(
                                round + 1,
                                request -> list(request.getSession(false).getAttribute("list"))
                                        .size());
                    }
                })
                .add("an accessor sees what requests set", visit -> {
                    Client client = visit.client();
                    Accessors accessor = begin(client);
                    for (int i = 0; i < ROUNDS; i++) {
                        int round = i;
                        client.run((request, response) -> request.getSession().setAttribute("a", round));
                        assertTrue(visit.soon(() -> Integer.valueOf(round).equals(accessor.get("a"))));
                    }
                })
                .add("an access is a use", visit -> {
                    Client client = visit.client();
                    Accessors accessor = begin(client);
                    long before = System.currentTimeMillis();
                    accessor.access(session -> {});
                    long used = client.ask(request -> request.getSession(false).getLastAccessedTime());
                    assertTrue(used >= before - visit.touchMillis() - visit.travelMillis(), used + " after " + before);
                })
                .add("a session that ended has no accessor", visit -> {
                    Client client = visit.client();
                    Accessors accessor = begin(client);
                    client.run((request, response) -> request.getSession().invalidate());
                    assertTrue(visit.soon(() -> refused(accessor)));
                })
                .add("through an accessor a session may end", visit -> {
                    Client client = visit.client();
                    Accessors accessor = begin(client);
                    accessor.access(session -> session.invalidate());
                    assertEquals(true, client.ask(request -> request.getSession(false) == null));
                });
    }

    @SuppressWarnings("unchecked")
    private static List<Integer> list(Object attribute) {
        return (List<Integer>) attribute;
    }
}
