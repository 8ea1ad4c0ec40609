package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServletResponseWrapper;
import java.net.http.HttpResponse;

/** Forwards, includes, error pages and filters are parts of one request, and have one session. */
final class DispatchCases {

    private DispatchCases() {}

    private static Object get(Client client, String name) {
        return client.ask(request -> request.getSession(false).getAttribute(name));
    }

    private static Task set(String name, Object value) {
        return (request, response) -> request.getSession().setAttribute(name, value);
    }

    private static Task forward(String page) {
        return (request, response) -> request.getRequestDispatcher(page).forward(request, response);
    }

    private static Task include(String page) {
        return (request, response) -> request.getRequestDispatcher(page).include(request, response);
    }

    static Cases all() {
        return new Cases()
                .add("what a forward's target sets is there", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 1));
                    client.run(forward(visit.page(set("b", 2))));
                    assertEquals(1, get(client, "a"));
                    assertEquals(2, get(client, "b"));
                })
                .add("a forward's target has the session as it was left", visit -> {
                    Client client = visit.client();
                    String target = visit.page((request, response) ->
                            response.getWriter().print(request.getSession(false).getAttribute("a")));
                    HttpResponse<String> response = client.send((request, answer) -> {
                        request.getSession().setAttribute("a", 1);
                        request.getRequestDispatcher(target).forward(request, answer);
                    });
                    assertEquals("1", response.body());
                })
                .add("a forward's target may begin the session", visit -> {
                    Client client = visit.client();
                    client.run(forward(visit.page(set("a", 1))));
                    assertEquals(1, get(client, "a"));
                })
                .add("a forward's target may end the session", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 1));
                    client.run(forward(visit.page(
                            (request, response) -> request.getSession(false).invalidate())));
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                })
                .add("a forward's target may rename the session", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 1));
                    client.run(forward(visit.page((request, response) -> request.changeSessionId())));
                    assertEquals(1, get(client, "a"));
                })
                .add("what is set after a forward is there", visit -> {
                    Client client = visit.client();
                    String target = visit.page((request, response) -> {});
                    client.run(set("a", 0));
                    client.send((request, response) -> {
                        request.getSession().setAttribute("a", 1);
                        request.getRequestDispatcher(target).forward(request, response);
                    });
                    assertEquals(1, get(client, "a"));
                })
                .add("a forward with a wrapped response is no different", visit -> {
                    Client client = visit.client();
                    String target = visit.page((request, response) -> {
                        request.getSession().setAttribute("a", 1);
                        response.getWriter().print("body");
                    });
                    HttpResponse<String> response =
                            client.send((request, answer) -> request.getRequestDispatcher(target)
                                    .forward(request, new HttpServletResponseWrapper(answer)));
                    assertEquals("body", response.body());
                    assertEquals(1, get(client, "a"));
                })
                .add("what an included page sets is there", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 1));
                    client.run(include(visit.page(set("b", 2))));
                    assertEquals(2, get(client, "b"));
                })
                .add("what is set around an included page is there", visit -> {
                    Client client = visit.client();
                    String included = visit.page(
                            (request, response) -> response.getWriter().print("included"));
                    HttpResponse<String> response = client.send((request, answer) -> {
                        request.getSession().setAttribute("a", 1);
                        request.getRequestDispatcher(included).include(request, answer);
                        request.getSession().setAttribute("b", 2);
                    });
                    assertEquals("included", response.body());
                    assertEquals(1, get(client, "a"));
                    assertEquals(2, get(client, "b"));
                })
                .add("an included page may begin the session", visit -> {
                    Client client = visit.client();
                    client.run(include(visit.page(set("a", 1))));
                    assertEquals(1, get(client, "a"));
                })
                .add("what is set before an error page is there", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 0));
                    String error = visit.page(
                            (request, response) -> response.getWriter().print("sorry"));
                    String page = visit.page((request, response) -> {
                        request.getSession().setAttribute("a", 1);
                        response.sendError(Application.ERROR_STATUS);
                    });
                    HttpResponse<String> response = client.get(page + "?" + Application.ON_ERROR + "=" + error);
                    assertEquals(Application.ERROR_STATUS, response.statusCode());
                    assertEquals("sorry", response.body());
                    assertEquals(1, get(client, "a"));
                })
                .add("what the error page for a status sets is there", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 0));
                    String page = visit.page((request, response) -> response.sendError(Application.ERROR_STATUS));
                    client.get(page + "?" + Application.ON_ERROR + "=" + visit.page(set("a", 1)));
                    assertEquals(1, get(client, "a"));
                })
                .add("what the error page for an exception sets is there", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 0));
                    String page = visit.page((request, response) -> {
                        request.getSession().setAttribute("b", 2);
                        throw new ExpectedException();
                    });
                    HttpResponse<String> response =
                            client.get(page + "?" + Application.ON_ERROR + "=" + visit.page(set("a", 1)));
                    assertEquals(500, response.statusCode());
                    assertEquals(1, get(client, "a"));
                    assertEquals(2, get(client, "b"));
                })
                .add("what was set before an exception without a page is there", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 0));
                    client.send((request, response) -> {
                        request.getSession().setAttribute("a", 1);
                        response.sendError(500);
                    });
                    assertEquals(1, get(client, "a"));
                })
                .add("what a filter sets when the servlet is done is there", visit -> {
                    Client client = visit.client();
                    client.run(set("a", 0));
                    String page = visit.page(
                            (request, response) -> response.getWriter().print("body"));
                    client.get(page + "?" + Application.AFTERWARDS + "=" + visit.page(set("a", 1)));
                    assertEquals(1, get(client, "a"));
                })
                .add("a filter sees what the servlet set", visit -> {
                    Client client = visit.client();
                    String afterwards = visit.page((request, response) -> request.getSession()
                            .setAttribute("b", request.getSession().getAttribute("a")));
                    client.get(visit.page(set("a", 1)) + "?" + Application.AFTERWARDS + "=" + afterwards);
                    assertEquals(1, get(client, "b"));
                });
    }

    /** Containers log it with its trace, which is short. */
    private static final class ExpectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExpectedException() {
            super("this case throws it", null, false, false);
        }
    }
}
