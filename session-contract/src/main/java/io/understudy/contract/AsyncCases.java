package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpSession;
import java.net.http.HttpResponse;

/** Requests that go on in another thread. Jakarta Servlet 6.0, section 2.3.3.3. */
final class AsyncCases {

    private static final int ROUNDS = 10;

    private AsyncCases() {}

    private static Object get(Client client, String name) {
        return client.ask(request -> request.getSession(false).getAttribute(name));
    }

    static Cases all() {
        return new Cases()
                .add("what is set before the request goes on is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    for (int i = 0; i < ROUNDS; i++) {
                        int round = i;
                        client.send((request, response) -> {
                            request.getSession().setAttribute("a", round);
                            AsyncContext async = request.startAsync();
                            async.start(async::complete);
                        });
                        assertEquals(round, get(client, "a"));
                    }
                })
                .add("what is set in the other thread is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    for (int i = 0; i < ROUNDS; i++) {
                        int round = i;
                        client.send((request, response) -> {
                            HttpSession session = request.getSession();
                            AsyncContext async = request.startAsync();
                            async.start(() -> {
                                session.setAttribute("a", round);
                                async.complete();
                            });
                        });
                        assertEquals(round, get(client, "a"));
                    }
                })
                .add("what is removed in the other thread is gone", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().setAttribute("a", 1));
                    client.send((request, response) -> {
                        HttpSession session = request.getSession();
                        AsyncContext async = request.startAsync();
                        async.start(() -> {
                            session.removeAttribute("a");
                            async.complete();
                        });
                    });
                    assertTrue(client.holds(request -> request.getSession(false).getAttribute("a") == null));
                })
                .add("a session that ends in the other thread is over", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    client.send((request, response) -> {
                        HttpSession session = request.getSession();
                        AsyncContext async = request.startAsync();
                        async.start(() -> {
                            session.invalidate();
                            async.complete();
                        });
                    });
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                })
                .add("what a dispatch from the other thread sets is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    for (int i = 0; i < ROUNDS; i++) {
                        int round = i;
                        String target = visit.page(
                                (request, response) -> request.getSession(false).setAttribute("a", round));
                        client.send((request, response) -> {
                            AsyncContext async = request.startAsync();
                            async.start(() -> async.dispatch(target));
                        });
                        assertEquals(round, get(client, "a"));
                    }
                })
                .add("what is set in the other thread is seen by what it dispatches to", visit -> {
                    Client client = visit.client();
                    String target = visit.page((request, response) ->
                            response.getWriter().print(request.getSession(false).getAttribute("a")));
                    HttpResponse<String> response = client.send((request, answer) -> {
                        HttpSession session = request.getSession();
                        AsyncContext async = request.startAsync();
                        async.start(() -> {
                            session.setAttribute("a", 1);
                            async.dispatch(target);
                        });
                    });
                    assertEquals("1", response.body());
                })
                .add("a session may begin in what it dispatches to", visit -> {
                    Client client = visit.client();
                    String target = visit.page(
                            (request, response) -> request.getSession().setAttribute("a", 1));
                    client.send((request, response) -> {
                        AsyncContext async = request.startAsync();
                        async.start(() -> async.dispatch(target));
                    });
                    assertEquals(1, get(client, "a"));
                })
                .add("what is set when the time is over is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    client.send((request, response) -> {
                        HttpSession session = request.getSession();
                        AsyncContext async = request.startAsync();
                        async.setTimeout(100);
                        async.addListener(new AtTimeout(session));
                    });
                    assertEquals("late", get(client, "a"));
                })
                .add("the other thread writes the response", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().setAttribute("a", "value"));
                    HttpResponse<String> response = client.send((request, answer) -> {
                        HttpSession session = request.getSession();
                        AsyncContext async = request.startAsync();
                        async.start(() -> {
                            try {
                                async.getResponse().getWriter().print(session.getAttribute("a"));
                                async.complete();
                            } catch (java.io.IOException e) {
                                throw new IllegalStateException(e);
                            }
                        });
                    });
                    assertEquals("value", response.body());
                });
    }

    private record AtTimeout(HttpSession session) implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) {
            session.setAttribute("a", "late");
            event.getAsyncContext().complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
