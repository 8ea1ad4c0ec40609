package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** Attributes that want to know when they are bound and unbound. */
final class BindingCases {

    private BindingCases() {}

    private static String begin(Client client, String value) {
        return client.ask(request -> {
            request.getSession().setAttribute("value", new Bound(value));
            return request.getSession().getId();
        });
    }

    private static List<String> told(String id) {
        return Events.of(id).stream().filter(event -> event.contains("bound ")).toList();
    }

    static Cases all() {
        return new Cases()
                .add("what is set is bound, once", visit -> {
                    Client client = visit.client();
                    String id = begin(client, "v");
                    for (int i = 0; i < 3; i++) {
                        client.run((request, response) -> request.getSession().getAttribute("value"));
                    }
                    assertEquals(List.of("bound v"), told(id));
                })
                .add("what is removed is unbound", visit -> {
                    Client client = visit.client();
                    String id = begin(client, "v");
                    client.run((request, response) -> request.getSession().removeAttribute("value"));
                    assertEquals(List.of("bound v", "unbound v"), told(id));
                })
                .add("what is replaced is unbound when the next is bound", visit -> {
                    Client client = visit.client();
                    String id = begin(client, "v");
                    client.run((request, response) -> request.getSession().setAttribute("value", new Bound("w")));
                    assertEquals(
                            List.of("bound v", "bound w", "unbound v"),
                            told(id).stream().sorted().toList());
                })
                .add("what is replaced by something else is unbound", visit -> {
                    Client client = visit.client();
                    String id = begin(client, "v");
                    client.run((request, response) -> request.getSession().setAttribute("value", "text"));
                    assertEquals(List.of("bound v", "unbound v"), told(id));
                })
                .add("to set null unbinds", visit -> {
                    Client client = visit.client();
                    String id = begin(client, "v");
                    client.run((request, response) -> request.getSession().setAttribute("value", null));
                    assertEquals(List.of("bound v", "unbound v"), told(id));
                })
                .add("at the session's end all are unbound, once", visit -> {
                    Client client = visit.client();
                    String id = begin(client, "v");
                    client.run((request, response) -> request.getSession().setAttribute("other", new Bound("w")));
                    client.run((request, response) -> request.getSession(false).invalidate());
                    assertEquals(
                            List.of("bound v", "bound w", "unbound v", "unbound w"),
                            told(id).stream().sorted().toList());
                })
                .add("a new id unbinds nothing", visit -> {
                    Client client = visit.client();
                    String id = begin(client, "v");
                    String renamed = client.ask(request -> request.changeSessionId());
                    assertEquals(List.of("bound v"), told(id));
                    assertEquals(List.of(), told(renamed));
                });
    }
}
