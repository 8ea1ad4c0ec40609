package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Logouts of one session on one node while listeners run on another: as many keep a thread as requests may wait. */
public abstract class WaitingLogoutsContract {

    private static final int LOGOUTS = 3;
    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    /** An attribute that takes long when its session ends; nodes of this JVM share the latches. */
    private static final class Slow implements HttpSessionBindingListener, Serializable {

        private static final long serialVersionUID = 1L;
        private static volatile CountDownLatch ending = new CountDownLatch(0);
        private static volatile CountDownLatch mayEnd = new CountDownLatch(0);

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            ending.countDown();
            await(mayEnd);
        }
    }

    private final CountDownLatch inside = new CountDownLatch(LOGOUTS);
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private final Browser browser = new Browser();
    private final Tasks tasks = new Tasks();

    private final String begin =
            tasks.add((request, response) -> request.getSession().setAttribute("slow", new Slow()));
    private final String show =
            tasks.add((request, response) -> response.getWriter().print(request.getSession(false)));
    private final String logout =
            tasks.add((request, response) -> request.getSession(false).invalidate());
    private final String lateLogout = tasks.add((request, response) -> {
        HttpSession session = request.getSession(false);
        inside.countDown();
        await(mayGo);
        session.invalidate();
    });

    protected abstract ContractContainer container();

    @AfterEach
    void stop() {
        mayGo.countDown();
        Slow.mayEnd.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long answered(List<CompletableFuture<HttpResponse<String>>> requests) {
        return requests.stream()
                .filter(request -> request.isDone() && !request.isCompletedExceptionally())
                .count();
    }

    @Test
    void oneAwaitsTheOtherNodeAndTheRestGoOn() throws Exception {
        Map<Setting, String> settings =
                Map.of(Setting.MAX_WAITING_REQUESTS, "1", Setting.ACK_TIMEOUT, "1h", Setting.LOCK_TIMEOUT, "2h");
        try (Servers servers = new Servers(container(), tasks, 2, settings)) {
            Slow.ending = new CountDownLatch(1);
            Slow.mayEnd = new CountDownLatch(1);
            browser.get(servers.server(0), begin);
            List<CompletableFuture<HttpResponse<String>>> late = IntStream.range(0, LOGOUTS)
                    .mapToObj(i -> browser.twin().start(servers.server(0), lateLogout))
                    .toList();
            await(inside);
            CompletableFuture<HttpResponse<String>> first = browser.twin().start(servers.server(1), logout);
            await(Slow.ending);
            mayGo.countDown();
            Await.that("all but one are answered", () -> answered(late) == LOGOUTS - 1);
            assertEquals(1, NodeFigures.of(servers.cluster().node(0)).get("requests_waiting"));
            Slow.mayEnd.countDown();
            first.join();
            late.forEach(request -> assertEquals(200, request.join().statusCode()));
            assertEquals("null", browser.get(servers.server(0), show));
        }
    }
}
