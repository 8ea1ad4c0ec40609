package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.eclipse.jetty.ee11.servlet.ServletApiRequest;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Request;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of an asynchronous request that go on when it is over. */
@Tag("container")
@Timeout(300)
final class ReplicatedRequestIT {

    private static final int REQUESTS = 200;
    private static final int FIRST_USES = 20_000;

    private final Queue<UnderstudySession> used = new ConcurrentLinkedQueue<>();
    private final Queue<CompletableFuture<Void>> threads = new ConcurrentLinkedQueue<>();

    @Test
    void whoeverAsksForTheSessionAsTheRequestEndsDoesNotKeepItFromExpiring() throws Exception {
        try (JettyNode node = JettyNode.of(
                        LoopbackCluster.configs(1).get(0), JettyNode.webapp(Map.of("/late", this::late), List.of()))
                .start()) {
            for (int i = 0; i < REQUESTS; i++) {
                assertEquals("late", new Browser().get(node, "/app/late"));
            }
            for (CompletableFuture<Void> thread : threads) {
                thread.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            }
            assertEquals(REQUESTS, used.size());
            Await.that(
                    "none is in use",
                    () -> used.stream().map(UnderstudySession::live).allMatch(live -> !live.valid() || live.overdue()));
        }
    }

    /** The end may look at the uses just before the first one of a session is among them. */
    @Test
    void aFirstUseBesideTheEndOfTheRequestIsNotLeft() throws Exception {
        AtomicReference<JettyNode> started = new AtomicReference<>();
        List<Long> left = new CopyOnWriteArrayList<>();
        ServletContextHandler context = JettyNode.webapp(
                Map.of("/first", (request, response) -> {
                    Request core = ((ServletApiRequest) request).getRequest();
                    UnderstudySession session = (UnderstudySession) core.getSession(true);
                    left.addAll(leftUses(core, session, started.get().factory));
                }),
                List.of());
        try (JettyNode node =
                JettyNode.of(LoopbackCluster.configs(1).get(0), context).start()) {
            started.set(node);
            new Browser().get(node, "/app/first");
            assertEquals(List.of(), left);
        }
    }

    /** Of requests that end while another thread uses the session for the first time: the tickets that stay. */
    private static List<Long> leftUses(Request core, UnderstudySession session, UnderstudySessionFactory factory) {
        List<ReplicatedRequest> requests = IntStream.range(0, FIRST_USES)
                .mapToObj(i -> new ReplicatedRequest(core, factory))
                .toList();
        AtomicInteger begun = new AtomicInteger(-1);
        AtomicInteger used = new AtomicInteger(-1);
        CompletableFuture<Void> uses = Beside.run(() -> {
            for (int i = 0; i < FIRST_USES; i++) {
                awaitTurn(begun, i);
                requests.get(i).uses(session);
                used.set(i);
            }
        });
        for (int i = 0; i < FIRST_USES; i++) {
            begun.set(i);
            for (int wait = i % 64; wait > 0; wait--) {
                begun.get(); // For each place in the other thread's steps.
            }
            requests.get(i).over();
            awaitTurn(used, i);
        }
        uses.join();
        return requests.stream()
                .map(request -> request.ticket(session.live()))
                .filter(ticket -> ticket != 0)
                .toList();
    }

    private static void awaitTurn(AtomicInteger reached, int turn) {
        for (int spins = 0; reached.get() < turn; spins++) {
            if (spins < 10_000) {
                Thread.onSpinWait();
            } else {
                Thread.yield(); // The other thread has no processor.
            }
        }
    }

    /** As a thread is that completes a response. */
    @Test
    void aThreadInWhoseScopeTheContextStopsKeepsNothingOfTheRequest() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicReference<AsyncContext> begun = new AtomicReference<>();
        CompletableFuture<Void> left = new CompletableFuture<>();
        CountDownLatch over = new CountDownLatch(1);
        ServletContextHandler context = JettyNode.webapp(
                Map.of("/begin", (request, response) -> {
                    request.getSession().setAttribute("item", "tea");
                    begun.set(request.startAsync());
                    entered.countDown();
                }),
                List.of());
        try (JettyNode node =
                JettyNode.of(LoopbackCluster.configs(1).get(0), context).start()) {
            var answered = Beside.run(() -> new Browser().send(node, "/app/begin"));
            entered.await();
            Request core = ((ServletApiRequest) begun.get().getRequest()).getRequest();
            WeakReference<ReplicatedRequest> request = new WeakReference<>(ReplicatedRequest.of(core));
            AtomicReference<Request> given = new AtomicReference<>(core);
            core = null;
            CountDownLatch inScope = new CountDownLatch(1);
            var thread = Beside.run(() -> {
                context.getContext()
                        .run(
                                () -> {
                                    inScope.countDown();
                                    awaitQuietly(stopped);
                                },
                                given.getAndSet(null));
                left.complete(null);
                awaitQuietly(over);
                assertNull(ExchangeScope.current());
            });
            inScope.await();
            context.stop();
            stopped.countDown();
            left.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            begun.getAndSet(null).complete();
            answered.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            Await.that("the request is collected", () -> {
                System.gc();
                return request.get() == null;
            });
            over.countDown();
            thread.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void late(HttpServletRequest request, HttpServletResponse response) throws Exception {
        request.getSession().setMaxInactiveInterval(1);
        response.getWriter().write("late");
        Request core = ((ServletApiRequest) request).getRequest();
        ReplicatedRequest exchange = Objects.requireNonNull(ReplicatedRequest.of(core));
        UnderstudySession session = (UnderstudySession) core.getSession(false);
        used.add(session);
        AsyncContext context = request.startAsync();
        CountDownLatch begun = new CountDownLatch(1);
        threads.add(Beside.run(() -> {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            exchange.uses(session);
            begun.countDown();
            while (exchange.ticket(session.live()) != 0 && System.nanoTime() < end) {
                exchange.uses(session);
            }
        }));
        begun.await();
        context.complete();
    }
}
