package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.contract.ResponseRows.Change;
import io.understudy.contract.ResponseRows.Row;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.http.HttpSession;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * In coherent mode no client has the whole response before the other members have the changes of its request, in
 * whatever way the response is written. While the other member receives nothing, the end of the response is held.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class AcknowledgementContract {

    /** How long a response must be held: hundreds of times what it takes with an acknowledgement. */
    private static final long HELD_MILLIS = 100;

    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    private final Tasks tasks = new Tasks();
    private final ResponseRows rows = new ResponseRows(tasks);
    private @Nullable Servers servers;

    protected abstract ContractContainer container();

    @BeforeAll
    void start() throws Exception {
        servers = new Servers(container(), tasks, 2, Map.of());
    }

    @AfterAll
    void close() {
        started().close();
    }

    @TestFactory
    Stream<DynamicTest> overHttp1() {
        return tests(Browser::new, Version.HTTP_1_1);
    }

    @TestFactory
    Stream<DynamicTest> overHttp2() {
        return tests(() -> new Browser().overHttp2(), Version.HTTP_2);
    }

    /**
     * A web socket's thread has no response that could wait instead. The session is so new that its node has not
     * announced it.
     */
    @Test
    void invalidateOutsideARequestWaitsForTheOtherNodes() {
        Browser browser = new Browser();
        CompletableFuture<HttpSession> session = new CompletableFuture<>();
        browser.get(started().server(0), tasks.add((request, response) -> request.getSession()));
        browser.get(started().server(1), tasks.add((request, response) -> session.complete(request.getSession(false))));
        try (Fault late = started().cluster().delayMulticasts(Duration.ofMillis(HELD_MILLIS))) {
            session.join().invalidate();
            String page = tasks.add((request, response) -> response.getWriter().print(request.getSession(false)));
            assertEquals("null", browser.get(started().server(0), page), late::toString);
        }
    }

    private Stream<DynamicTest> tests(Supplier<Browser> browsers, Version version) {
        return rows.all().entrySet().stream()
                .map(row -> DynamicTest.dynamicTest(
                        "a response " + row.getKey(), () -> waits(browsers.get(), row.getValue(), version)));
    }

    private Servers started() {
        return Objects.requireNonNull(servers);
    }

    private void waits(Browser browser, Row row, Version version) throws Exception {
        Browser.Server server = started().server(0);
        assertEquals(
                200,
                browser.send(server, tasks.add((request, response) -> request.getSession()))
                        .statusCode());
        Semaphore changed = new Semaphore(0);
        Change change = request -> {
            changed.release(); // First: what is changed outside of the container's threads is waited for at once.
            HttpSession session = request.getSession(false);
            if (session != null) {
                session.setAttribute("changed", System.nanoTime());
            }
        };
        String page = tasks.add((request, response) -> row.page().serve(request, response, change));
        CompletableFuture<HttpResponse<String>> response;
        long degraded = degraded();
        Fault paused = started().cluster().pause(1);
        try {
            response = browser.start(server, page + "?" + Application.ON_ERROR + "=" + rows.donePage());
            assertTrue(changed.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), "the page ran");
            assertHeld(response, degraded);
        } finally {
            paused.close();
        }
        HttpResponse<String> whole = response.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals(version, whole.version());
        assertEquals(row.status(), whole.statusCode(), whole.body());
        if (row.body() != null) {
            assertEquals(row.body(), whole.body());
        }
    }

    private long degraded() {
        return started().cluster().node(0).metrics().value(Counter.RESPONSES_DEGRADED);
    }

    /**
     * If the machine stood still, failure detection may have removed the other member by now: what leaves then is
     * degraded.
     *
     * @param before degraded responses before the request
     */
    private void assertHeld(CompletableFuture<HttpResponse<String>> response, long before) throws Exception {
        try {
            HttpResponse<String> early = response.get(HELD_MILLIS, TimeUnit.MILLISECONDS);
            assertTrue(
                    degraded() > before,
                    () -> "answered before the other member had the change: " + early.statusCode() + " "
                            + early.body());
        } catch (TimeoutException e) {
            // As it should be.
        }
    }
}
