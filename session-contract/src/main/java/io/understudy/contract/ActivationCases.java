package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** Attributes that hold what can't be sent, and are told when to let go of it and when to get it again. */
final class ActivationCases {

    private static final int REQUESTS = 6;

    private ActivationCases() {}

    private static Opened value(HttpServletRequest request) {
        return (Opened) request.getSession(false).getAttribute("value");
    }

    private static String begin(Client client) {
        return client.ask(request -> {
            request.getSession().setAttribute("value", new Opened("value"));
            return request.getSession().getId();
        });
    }

    private static void allWell(String id) {
        assertEquals(List.of(), Events.of(id, "wrong"));
    }

    static Cases all() {
        return new Cases()
                .add("what an attribute opens is open in each request", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    for (int i = 0; i < REQUESTS; i++) {
                        client.expect("open 0", request -> value(request).seen());
                    }
                    allWell(id);
                })
                .add("it stays open for the request that changes the attribute, and for those after it", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    for (int i = 1; i <= REQUESTS; i++) {
                        client.run((request, response) -> {
                            value(request).count();
                            response.flushBuffer();
                            Events.tell(
                                    request.getSession(),
                                    "after the head: " + value(request).seen());
                        });
                        client.expect("open " + i, request -> value(request).seen());
                        assertEquals(
                                "after the head: open " + i,
                                Events.of(id, "after").get(i - 1));
                    }
                    allWell(id);
                })
                .add("it is open when it is unbound", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    client.run((request, response) -> request.getSession().removeAttribute("value"));
                    assertEquals(List.of("unbound open 0"), Events.of(id, "unbound"));
                    allWell(id);
                })
                .add("it is open when its session ends", visit -> {
                    Client client = visit.client();
                    String id = begin(client);
                    client.run((request, response) -> request.getSession().invalidate());
                    assertEquals(List.of("unbound open 0"), Events.of(id, "unbound"));
                    allWell(id);
                })
                .add("a new id leaves it open", visit -> {
                    Client client = visit.client();
                    begin(client);
                    String id = client.ask(request -> {
                        request.changeSessionId();
                        return value(request).seen() + request.getSession().getId();
                    });
                    assertEquals("open 0", id.substring(0, 6));
                    client.expect("open 0", request -> value(request).seen());
                    allWell(id.substring(6));
                });
    }
}
