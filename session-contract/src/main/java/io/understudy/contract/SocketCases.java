package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Web sockets go on using the session of their handshake, outside of any request (Jakarta WebSocket 2.1, section
 * 7.2).
 */
final class SocketCases {

    private static final int ROUNDS = 6;
    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    private SocketCases() {}

    private static @Nullable Object get(Client client, String name) {
        return client.ask(request -> request.getSession(false).getAttribute(name));
    }

    /** Whether the session is over, or the container closed the socket with it. */
    private static boolean refused(Client.Socket socket) {
        String answer = socket.answer(session -> session.getAttribute("a"));
        return answer == null || answer.startsWith("java.lang.IllegalStateException");
    }

    static Cases all() {
        return new Cases()
                .add("what a web socket sets is there", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    Client.Socket socket = client.socket();
                    for (int i = 0; i < ROUNDS; i++) {
                        int round = i;
                        socket.run(session -> session.setAttribute("a", round));
                        assertEquals(round, get(client, "a"));
                    }
                    socket.close();
                })
                .add("what a web socket sets is there while requests of the session run", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    Client.Socket socket = client.socket();
                    CountDownLatch inside = new CountDownLatch(2);
                    CountDownLatch done = new CountDownLatch(1);
                    List<CompletableFuture<Boolean>> running = Stream.generate(() -> client.begin(request -> {
                                request.getSession(false);
                                inside.countDown();
                                return done.await(LIMIT_SECONDS, TimeUnit.SECONDS);
                            }))
                            .limit(2) // One on each node, if there are two.
                            .toList();
                    assertTrue(inside.await(LIMIT_SECONDS, TimeUnit.SECONDS));
                    socket.run(session -> session.setAttribute("a", 1));
                    assertEquals(1, get(client, "a"));
                    assertEquals(1, get(client, "a"));
                    done.countDown();
                    running.forEach(request -> assertTrue(request.join()));
                    socket.close();
                })
                .add("what a web socket removes is gone", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().setAttribute("a", 1));
                    Client.Socket socket = client.socket();
                    socket.run(session -> session.removeAttribute("a"));
                    assertEquals(null, get(client, "a"));
                    socket.close();
                })
                .add("a web socket sees what requests set", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    Client.Socket socket = client.socket();
                    for (int i = 0; i < ROUNDS; i++) {
                        int round = i;
                        client.run((request, response) -> request.getSession().setAttribute("a", round));
                        socket.run(session -> assertTrue(
                                visit.soon(() -> Integer.valueOf(round).equals(session.getAttribute("a")))));
                    }
                    socket.close();
                })
                .add("the idle time that a web socket sets holds", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    Client.Socket socket = client.socket();
                    socket.run(session -> session.setMaxInactiveInterval(77));
                    client.expect(77, request -> request.getSession(false).getMaxInactiveInterval());
                    socket.close();
                })
                .add("a web socket may end the session", visit -> {
                    Client client = visit.client();
                    String id = client.ask(request -> request.getSession().getId());
                    Client.Socket socket = client.socket();
                    socket.answer(session -> session.invalidate());
                    assertTrue(client.holds(request -> request.getSession(false) == null));
                    assertEquals(List.of("destroyed null"), Events.of(id, "destroyed"));
                })
                .add("to a web socket a session that ended is over", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    Client.Socket socket = client.socket();
                    socket.run(session -> assertNotNull(session.getId()));
                    client.run((request, response) -> request.getSession().invalidate());
                    assertTrue(visit.soon(() -> refused(socket)));
                });
    }
}
