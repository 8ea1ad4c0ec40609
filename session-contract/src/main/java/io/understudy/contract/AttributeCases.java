package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Attributes as a map: what is set, replaced and removed. */
final class AttributeCases {

    private static final int MANY = 300;
    private static final int LONG = 1 << 19;

    private AttributeCases() {}

    private static void set(Client client, String name, @Nullable Object value) {
        client.run((request, response) -> request.getSession().setAttribute(name, value));
    }

    private static Object get(Client client, String name) {
        return client.ask(request -> request.getSession(false).getAttribute(name));
    }

    private static Set<String> names(Client client) {
        return client.ask(request ->
                new TreeSet<>(Collections.list(request.getSession(false).getAttributeNames())));
    }

    static Cases all() {
        return new Cases()
                .add("what is set is there in the next requests", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    assertEquals("1", get(client, "a"));
                    assertEquals("1", get(client, "a"));
                })
                .add("what was never set is null", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    assertNull(get(client, "b"));
                })
                .add("the last value counts", visit -> {
                    Client client = visit.client();
                    for (int i = 0; i < 6; i++) {
                        set(client, "a", i);
                        assertEquals(i, get(client, "a"));
                    }
                })
                .add("the last value within a request counts", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> {
                        request.getSession().setAttribute("a", "1");
                        request.getSession().setAttribute("a", "2");
                    });
                    assertEquals("2", get(client, "a"));
                })
                .add("what is removed is gone, the rest stays", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    set(client, "b", "2");
                    client.run((request, response) -> request.getSession().removeAttribute("a"));
                    assertNull(get(client, "a"));
                    assertEquals("2", get(client, "b"));
                })
                .add("to set null is to remove", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    set(client, "a", null);
                    assertNull(get(client, "a"));
                    assertTrue(names(client).isEmpty());
                })
                .add("what is removed can be set again", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    client.run((request, response) -> request.getSession().removeAttribute("a"));
                    set(client, "a", "2");
                    assertEquals("2", get(client, "a"));
                })
                .add("what is set and removed in one request was never there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> {
                        request.getSession().setAttribute("a", "1");
                        request.getSession().removeAttribute("a");
                    });
                    assertNull(get(client, "a"));
                })
                .add("what is removed and set in one request is there", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    client.run((request, response) -> {
                        request.getSession().removeAttribute("a");
                        request.getSession().setAttribute("a", "2");
                    });
                    assertEquals("2", get(client, "a"));
                })
                .add("to remove what is not there changes nothing", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    client.run((request, response) -> request.getSession().removeAttribute("b"));
                    assertEquals(new TreeSet<>(List.of("a")), names(client));
                })
                .add("the names are those of what is there", visit -> {
                    Client client = visit.client();
                    assertTrue(client.holds(
                            request -> !request.getSession().getAttributeNames().hasMoreElements()));
                    set(client, "a", "1");
                    set(client, "b", "2");
                    set(client, "c", "3");
                    client.run((request, response) -> request.getSession().removeAttribute("b"));
                    assertEquals(new TreeSet<>(List.of("a", "c")), names(client));
                })
                .add("attributes may be removed while their names are enumerated", visit -> {
                    Client client = visit.client();
                    set(client, "a", "1");
                    set(client, "b", "2");
                    client.run((request, response) -> {
                        HttpSession session = request.getSession();
                        for (String name : Collections.list(session.getAttributeNames())) {
                            session.removeAttribute(name);
                        }
                    });
                    assertTrue(names(client).isEmpty());
                })
                .add("what a request set it reads, the same object", visit -> {
                    Client client = visit.client();
                    assertTrue(client.holds(request -> {
                        List<String> list = new ArrayList<>();
                        request.getSession().setAttribute("list", list);
                        return request.getSession().getAttribute("list") == list;
                    }));
                    assertTrue(client.holds(request -> {
                        Object first = request.getSession().getAttribute("list");
                        return request.getSession().getAttribute("list") == first;
                    }));
                })
                .add("within an attribute one object stays one", visit -> {
                    Client client = visit.client();
                    List<String> inner = new ArrayList<>(List.of("x"));
                    set(client, "list", new ArrayList<>(List.of(inner, inner)));
                    client.run((request, response) ->
                            first(request.getSession(), 0).add("y"));
                    client.expect(List.of("x", "y"), request -> List.copyOf(first(request.getSession(), 1)));
                })
                .add("names and values may be in any script", visit -> {
                    Client client = visit.client();
                    set(client, "имя \uD83C\uDFAD", "値\u0000\uD83D\uDE00");
                    assertEquals("値\u0000\uD83D\uDE00", get(client, "имя \uD83C\uDFAD"));
                })
                .add("values may be long", visit -> {
                    Client client = visit.client();
                    set(client, "long", "x".repeat(LONG));
                    assertEquals("x".repeat(LONG), get(client, "long"));
                })
                .add("there may be many", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> {
                        for (int i = 0; i < MANY; i++) {
                            request.getSession().setAttribute("name" + i, i);
                        }
                    });
                    assertEquals(MANY, names(client).size());
                    for (int i = 0; i < MANY; i += 50) {
                        assertEquals(i, get(client, "name" + i));
                    }
                })
                .add("a request that only reads changes nothing", visit -> {
                    Client client = visit.client();
                    set(client, "list", new ArrayList<>(List.of("x")));
                    for (int i = 0; i < 4; i++) {
                        assertEquals(List.of("x"), get(client, "list"));
                    }
                })
                .add("a counter counts", visit -> {
                    Client client = visit.client();
                    set(client, "count", 0);
                    for (int i = 1; i <= 50; i++) {
                        int next = client.ask(request -> {
                            HttpSession session = request.getSession(false);
                            session.setAttribute("count", (Integer) session.getAttribute("count") + 1);
                            return (Integer) session.getAttribute("count");
                        });
                        assertEquals(i, next);
                    }
                });
    }

    @SuppressWarnings("unchecked")
    private static List<String> first(HttpSession session, int index) {
        return ((List<List<String>>) session.getAttribute("list")).get(index);
    }
}
