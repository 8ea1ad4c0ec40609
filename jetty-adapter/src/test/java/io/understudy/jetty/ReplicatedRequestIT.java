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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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

    /** The end looks at the uses before the first one of the session is among them. */
    @Test
    void aFirstUseBesideTheEndOfTheRequestIsNotLeft() throws Exception {
        AtomicReference<JettyNode> started = new AtomicReference<>();
        ServletContextHandler context = JettyNode.webapp(
                Map.of("/first", (request, response) -> {
                    Request core = ((ServletApiRequest) request).getRequest();
                    UnderstudySession session = (UnderstudySession) core.getSession(true);
                    ReplicatedRequest ending = new ReplicatedRequest(core, started.get().factory);
                    ending.uses(session, ended -> {
                        ending.over();
                        return ended.live().use();
                    });
                    response.getWriter().print(ending.ticket(session.live()));
                }),
                List.of());
        try (JettyNode node =
                JettyNode.of(LoopbackCluster.configs(1).get(0), context).start()) {
            started.set(node);
            assertEquals("0", new Browser().get(node, "/app/first"));
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
