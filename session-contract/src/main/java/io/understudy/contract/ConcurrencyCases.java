package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Requests of one session, or of many, that run at once. */
final class ConcurrencyCases {

    private static final int AT_ONCE = 8;
    private static final int REQUESTS = 40;

    private ConcurrencyCases() {}

    private static boolean await(CountDownLatch latch) throws InterruptedException {
        return latch.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    static Cases all() {
        return new Cases()
                .add("requests at once that set different attributes lose none", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    for (int round = 0; round < 5; round++) {
                        CountDownLatch inside = new CountDownLatch(AT_ONCE);
                        List<CompletableFuture<Boolean>> running = new ArrayList<>();
                        for (int i = 0; i < AT_ONCE; i++) {
                            String name = round + "-" + i;
                            running.add(client.begin(request -> {
                                inside.countDown();
                                request.getSession(false).setAttribute(name, name);
                                return await(inside);
                            }));
                        }
                        running.forEach(request -> assertTrue(request.join()));
                        for (int i = 0; i < AT_ONCE; i++) {
                            String name = round + "-" + i;
                            client.expect(
                                    name, request -> request.getSession(false).getAttribute(name));
                        }
                    }
                })
                .add("a read that ends after a change undoes nothing", visit -> {
                    Client client = visit.client();
                    client.run((request, response) ->
                            request.getSession().setAttribute("list", new ArrayList<>(List.of("a"))));
                    CountDownLatch inside = new CountDownLatch(1);
                    CountDownLatch changed = new CountDownLatch(1);
                    CompletableFuture<Boolean> reading = client.begin(request -> {
                        request.getSession(false).getAttribute("list");
                        inside.countDown();
                        return await(changed);
                    });
                    assertTrue(await(inside));
                    client.run((request, response) ->
                            list(request.getSession(false).getAttribute("list")).add("b"));
                    changed.countDown();
                    assertTrue(reading.join());
                    for (int i = 0; i < 2; i++) {
                        client.expect(
                                List.of("a", "b"),
                                request -> request.getSession(false).getAttribute("list"));
                    }
                })
                .add("a running request sees what another one set, if it did not look before", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    CountDownLatch inside = new CountDownLatch(1);
                    CountDownLatch changed = new CountDownLatch(1);
                    CompletableFuture<Boolean> reading = client.begin(request -> {
                        request.getSession(false);
                        inside.countDown();
                        assertTrue(await(changed));
                        return visit.soon(() ->
                                Objects.equals(1, request.getSession(false).getAttribute("a")));
                    });
                    assertTrue(await(inside));
                    client.run((request, response) -> request.getSession(false).setAttribute("a", 1));
                    changed.countDown();
                    assertTrue(reading.join());
                })
                .add("clients that begin at once have sessions of their own", visit -> {
                    CountDownLatch inside = new CountDownLatch(AT_ONCE);
                    List<CompletableFuture<String>> beginning = new ArrayList<>();
                    for (int i = 0; i < AT_ONCE; i++) {
                        beginning.add(visit.client().begin(request -> {
                            inside.countDown();
                            assertTrue(await(inside));
                            return request.getSession().getId();
                        }));
                    }
                    Set<String> ids = new HashSet<>();
                    beginning.forEach(request -> ids.add(request.join()));
                    assertEquals(AT_ONCE, ids.size());
                })
                .add("counters of many clients are exact", visit -> {
                    List<CompletableFuture<Integer>> counts = IntStream.range(0, AT_ONCE)
                            .mapToObj(i -> Beside.get(() -> count(visit.client())))
                            .toList();
                    counts.forEach(count -> assertEquals(REQUESTS, count.join()));
                })
                .add("reads at once read the same", visit -> {
                    Client client = visit.client();
                    client.run((request, response) ->
                            request.getSession().setAttribute("list", new ArrayList<>(List.of("a"))));
                    List<CompletableFuture<Object>> reads = IntStream.range(0, AT_ONCE * 5)
                            .mapToObj(i -> client.<Object>begin(request ->
                                    List.copyOf(list(request.getSession(false).getAttribute("list")))))
                            .toList();
                    reads.forEach(read -> assertEquals(List.of("a"), read.join()));
                });
    }

    private static int count(Client client) {
        int count = 0;
        for (int i = 0; i < REQUESTS; i++) {
            count = client.ask(request -> {
                Integer before = (Integer) request.getSession().getAttribute("count");
                request.getSession().setAttribute("count", before == null ? 1 : before + 1);
                return (Integer) request.getSession().getAttribute("count");
            });
        }
        return count;
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(Object attribute) {
        return (List<String>) attribute;
    }
}
