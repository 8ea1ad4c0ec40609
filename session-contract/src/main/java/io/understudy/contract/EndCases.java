package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Sessions that an application ends are over, everywhere and at once. Jakarta Servlet 6.0, section 7.5. */
final class EndCases {

    private EndCases() {}

    private static Client withSession(Visit visit) {
        Client client = visit.client();
        client.run((request, response) -> request.getSession().setAttribute("name", "ann"));
        return client;
    }

    private static HttpSession ended(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        session.invalidate();
        return session;
    }

    private static void end(Client client) {
        client.run((request, response) -> ended(request));
    }

    /** What may not be done with a session that is over. */
    private static Map<String, Consumer<HttpSession>> refused() {
        Map<String, Consumer<HttpSession>> refused = new LinkedHashMap<>();
        refused.put("read an attribute", session -> session.getAttribute("name"));
        refused.put("list attributes", HttpSession::getAttributeNames);
        refused.put("set an attribute", session -> session.setAttribute("name", "bob"));
        refused.put("remove an attribute", session -> session.removeAttribute("name"));
        refused.put("ask for its creation", HttpSession::getCreationTime);
        refused.put("ask for its last use", HttpSession::getLastAccessedTime);
        refused.put("ask whether it is new", HttpSession::isNew);
        refused.put("end it again", HttpSession::invalidate);
        return refused;
    }

    static Cases all() {
        Cases cases = new Cases()
                .add("an ended session is nobody's", visit -> {
                    Client client = withSession(visit);
                    end(client);
                    for (int i = 0; i < 3; i++) {
                        assertTrue(client.holds(request -> request.getSession(false) == null));
                    }
                })
                .add("the id of an ended session is not valid", visit -> {
                    Client client = withSession(visit);
                    assertTrue(client.holds(HttpServletRequest::isRequestedSessionIdValid));
                    end(client);
                    assertFalse(client.holds(HttpServletRequest::isRequestedSessionIdValid));
                    assertFalse(client.holds(HttpServletRequest::isRequestedSessionIdValid));
                })
                .add("the next session has another id, and nothing of the ended one", visit -> {
                    Client client = withSession(visit);
                    String id = client.ask(request -> request.getSession().getId());
                    end(client);
                    assertNotEquals(
                            id, client.ask(request -> request.getSession().getId()));
                    assertNull(client.ask(request -> request.getSession(false).getAttribute("name")));
                })
                .add("in the request that ended it there is none", visit -> {
                    Client client = withSession(visit);
                    assertTrue(client.holds(request -> {
                        ended(request);
                        return request.getSession(false) == null;
                    }));
                })
                .add("the request that ended it may begin another", visit -> {
                    Client client = withSession(visit);
                    String id = client.ask(request -> request.getSession().getId());
                    client.run((request, response) -> {
                        ended(request);
                        request.getSession().setAttribute("name", "bob");
                    });
                    client.expect("bob", request -> request.getSession(false).getAttribute("name"));
                    assertNotEquals(
                            id, client.ask(request -> request.getSession().getId()));
                })
                .add("a session may end in the request that began it", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().invalidate());
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                })
                .add("the end of one session is not that of others", visit -> {
                    Client ann = withSession(visit);
                    Client bob = withSession(visit);
                    end(ann);
                    bob.expect("ann", request -> request.getSession(false).getAttribute("name"));
                })
                .add("an ended session's cookie is worthless for others, too", visit -> {
                    Client client = withSession(visit);
                    Client twin = client.twin();
                    end(client);
                    assertTrue(twin.holds(request -> request.getSession(false) == null));
                    assertTrue(twin.holds(request -> request.getSession(false) == null));
                })
                .add("a request that is still running notices the end", visit -> {
                    Client client = withSession(visit);
                    CountDownLatch inside = new CountDownLatch(1);
                    CountDownLatch over = new CountDownLatch(1);
                    CompletableFuture<Boolean> running = client.begin(request -> {
                        HttpSession session = request.getSession(false);
                        inside.countDown();
                        assertTrue(over.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
                        assertThrows(IllegalStateException.class, () -> session.getAttribute("name"));
                        assertThrows(IllegalStateException.class, () -> session.setAttribute("name", "bob"));
                        return true;
                    });
                    assertTrue(inside.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
                    end(client.twin());
                    over.countDown();
                    running.join();
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                })
                .add("what a request set that runs beyond the end is not kept", visit -> {
                    Client client = withSession(visit);
                    CountDownLatch inside = new CountDownLatch(1);
                    CountDownLatch over = new CountDownLatch(1);
                    CompletableFuture<Boolean> running = client.begin(request -> {
                        request.getSession(false).setAttribute("name", "bob");
                        inside.countDown();
                        return over.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    });
                    assertTrue(inside.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
                    end(client.twin());
                    over.countDown();
                    assertTrue(running.join());
                    for (int i = 0; i < 2; i++) {
                        assertTrue(client.holds(request -> request.getSession(false) == null));
                    }
                })
                .add("an ended session still tells its id", visit -> {
                    Client client = withSession(visit);
                    String id = client.ask(request -> request.getSession().getId());
                    client.expect(id, request -> ended(request).getId());
                });
        refused()
                .forEach((what, use) -> cases.add("it is refused to " + what + " when it is over", visit -> {
                    Client client = withSession(visit);
                    client.run((request, response) -> {
                        HttpSession session = ended(request);
                        assertThrows(IllegalStateException.class, () -> use.accept(session));
                    });
                }));
        return cases;
    }
}
