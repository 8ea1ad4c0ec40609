package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** What listeners are told, once each, on the node where it happens. */
final class ListenerCases {

    private ListenerCases() {}

    private static String begin(Client client) {
        return client.ask(request -> request.getSession().getId());
    }

    private static void set(Client client, String name, Object value) {
        client.run((request, response) -> request.getSession().setAttribute(name, value));
    }

    private static void end(Client client) {
        client.run((request, response) -> request.getSession(false).invalidate());
    }

    static Cases all() {
        return new Cases()
                .add("a session begins once, however many requests use it", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    for (int i = 0; i < 4; i++) {
                        set(client, "a", i);
                    }
                    assertEquals(List.of("created"), Events.of(id, "created"));
                })
                .add("it is told of before its attributes are", visit -> {
                    Client client = visit.client();
                    String id = client.ask(request -> {
                        request.getSession().setAttribute("a", 1);
                        return request.getSession().getId();
                    });
                    assertEquals(List.of("created", "added a=1"), Events.of(id));
                })
                .add("a session ends once, with what it held", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    set(client, "last", "words");
                    end(client);
                    client.run((request, response) -> request.getSession(false));
                    assertEquals(List.of("destroyed words"), Events.of(id, "destroyed"));
                })
                .add("an attribute is added, replaced and removed, each once", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    set(client, "a", "1");
                    set(client, "a", "2");
                    client.run((request, response) -> request.getSession().removeAttribute("a"));
                    client.run((request, response) -> request.getSession().getAttribute("a"));
                    assertEquals(List.of("created", "added a=1", "replaced a=1", "removed a=2"), Events.of(id));
                })
                .add("an attribute set again after it was removed is added", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    set(client, "a", "1");
                    client.run((request, response) -> request.getSession().removeAttribute("a"));
                    set(client, "a", "2");
                    assertEquals(List.of("created", "added a=1", "removed a=1", "added a=2"), Events.of(id));
                })
                .add("nothing is told of what is read", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    set(client, "a", "1");
                    for (int i = 0; i < 4; i++) {
                        client.run((request, response) -> request.getSession().getAttribute("a"));
                    }
                    assertEquals(List.of("created", "added a=1"), Events.of(id));
                })
                .add("nothing is told of a removal of what is not there", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    client.run((request, response) -> request.getSession().removeAttribute("a"));
                    assertEquals(List.of("created"), Events.of(id));
                })
                .add("at the end attributes are removed, after the listeners of the end", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    set(client, "a", "1");
                    end(client);
                    assertEquals(List.of("created", "added a=1", "destroyed null", "removed a=1"), Events.of(id));
                })
                .add("a session may end in the request that began it", visit -> {
                    Client client = visit.client();
                    String id = client.ask(request -> {
                        String begun = request.getSession().getId();
                        request.getSession().invalidate();
                        return begun;
                    });
                    assertEquals(List.of("created", "destroyed null"), Events.of(id));
                })
                .add("two ends of one session are told of once", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    Client twin = client.twin();
                    end(client);
                    twin.run((request, response) -> request.getSession(false));
                    client.run((request, response) -> request.getSession(false));
                    assertEquals(List.of("created", "destroyed null"), Events.of(id));
                });
    }
}
