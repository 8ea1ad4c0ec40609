package io.understudy.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.junit.comparison.Ignored;
import io.understudy.junit.samples.CleanMeeting;
import io.understudy.junit.samples.CleanStreams;
import io.understudy.junit.samples.SampleWar;
import io.understudy.junit.servers.Application;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Tests that send a request while another one is under way. */
@Tag("container")
class OverlappingRequestsIT {

    /** A test method. */
    private interface Scenario {

        /** @param run of the test, from 0 on */
        void run(Browser browser, int run) throws Exception;
    }

    /** A client that can send a request before it has the response to another one. */
    private static final class Browser {

        private final FailoverServer server;
        private final HttpClient http;

        Browser(FailoverServer server) {
            this.server = server;
            this.http =
                    HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        }

        Browser other() {
            return new Browser(server);
        }

        String page(String path) throws Exception {
            return http.send(HttpRequest.newBuilder(server.uri(path)).build(), BodyHandlers.ofString())
                    .body()
                    .strip();
        }

        CompletableFuture<String> begin(String path, String... headers) {
            HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return http.sendAsync(request.build(), BodyHandlers.ofString())
                    .thenApply(response -> response.body().strip());
        }

        InputStream stream(String path) throws Exception {
            HttpResponse<InputStream> response =
                    http.send(HttpRequest.newBuilder(server.uri(path)).build(), BodyHandlers.ofInputStream());
            return response.body();
        }
    }

    private static BufferedReader lines(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** What the runs reported. */
    private record Report(List<String> failures, List<String> notes) {}

    private static Report run(Class<?> servlet, List<FailoverPlan> plans, Scenario test) throws Throwable {
        Application application = Application.ofWar(SampleWar.of(servlet).toString(), List.of(), "");
        FailoverRuns runs = new FailoverRuns(application, plans, Map.of(), Ignored.of(List.of(), List.of()));
        List<String> failures = new ArrayList<>();
        for (int number = 0; number < runs.count() && runs.necessary(number); number++) {
            try (FailoverRun run = runs.begin(number)) {
                test.run(new Browser(run.server()), number);
                run.end(null);
            } catch (AssertionFailedError | TestAbortedException e) { // One that is aborted would count as not run.
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        return new Report(failures, runs.notes());
    }

    /** Two requests of a session, whose order is another one in each run. */
    private static void meet(Browser browser, int run) throws Exception {
        assertEquals("items []", browser.page("/"));
        String[] none = {};
        String[] first = {"First", "yes"};
        CompletableFuture<String> tea = browser.begin("/meet?item=tea", run % 2 == 0 ? first : none);
        CompletableFuture<String> cup = browser.begin("/meet?item=cup", run % 2 == 0 ? none : first);
        assertTrue(tea.get().startsWith("items ["), tea.get());
        assertTrue(cup.get().startsWith("items ["), cup.get());
        assertEquals(run % 2 == 0 ? "items [tea, cup]" : "items [cup, tea]", browser.page("/"));
    }

    @Test
    void parallelRequestsOfASessionRaiseNoAlarm() throws Throwable {
        Report report = run(CleanMeeting.class, List.of(FailoverPlan.SWITCH), OverlappingRequestsIT::meet);
        assertEquals(List.of(), report.failures());
        String notes = String.join("\n", report.notes());
        assertTrue(
                notes.contains("their order counts") && notes.contains("/meet?item=tea") && notes.contains("item=cup"),
                notes);
        assertTrue(notes.contains("request 4, GET /: the session is not the same after requests that over"), notes);
        assertEquals(2, report.notes().size(), notes);
    }

    @Test
    void theOtherSessionsAreComparedStill() throws Throwable {
        Report report = run(CleanMeeting.class, List.of(FailoverPlan.SWITCH), (browser, run) -> {
            meet(browser, run);
            Browser other = browser.other();
            String unused = other.page("/count");
            unused = other.page("/count");
        });
        assertEquals(1, report.failures().size(), report::toString);
        String failure = report.failures().get(0);
        assertTrue(failure.startsWith("body: expected 'count 2 ' as on one node, actual 'count 1"), failure);
        assertTrue(failure.contains("not compared: "), failure);
    }

    /** Waits until the application waits. */
    private static void awaitPoll() throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!(System.getProperties().get("io.understudy.junit.samples/poll") instanceof Semaphore broker)
                || !broker.hasQueuedThreads()) {
            assertTrue(System.nanoTime() < end, "the poll did not begin");
            Thread.sleep(1);
        }
    }

    @Test
    void streamsAndPollsAreForwardedAsTheyCome() throws Throwable {
        Report report = run(CleanStreams.class, List.of(FailoverPlan.values()), (browser, run) -> {
            String unused = browser.page("/");
            try (BufferedReader events = lines(browser.stream("/events"))) {
                assertEquals("data: first", events.readLine());
                assertEquals("page of ann", browser.page("/?ends=/events"));
                assertEquals("|data: last|", events.lines().collect(Collectors.joining("|")));
            }
            CompletableFuture<String> poll = browser.begin("/poll");
            awaitPoll();
            assertEquals("page of ann", browser.page("/?ends=/poll"));
            assertEquals("polled", poll.get());
            assertEquals("page of ann", browser.page("/"));
            assertEquals("page of ann", browser.page("/"));
        });
        assertEquals(List.of(), report.failures());
        assertEquals(List.of(), report.notes());
    }

    @Test
    void aResponseWithoutAnEndIsNotWaitedFor() throws Throwable {
        List<InputStream> open = new ArrayList<>();
        Report report = run(CleanStreams.class, List.of(FailoverPlan.SWITCH), (browser, run) -> {
            String unused = browser.page("/");
            InputStream stream = browser.stream("/endless");
            open.add(stream);
            assertEquals("data: first", lines(stream).readLine());
            assertEquals("page of ann", browser.page("/"));
        });
        assertEquals(List.of(), report.failures());
        assertEquals(1, report.notes().size(), report::toString);
        assertTrue(report.notes().get(0).contains("request 2, GET /endless: the body had no end"), report::toString);
        for (InputStream each : open) {
            each.close();
        }
    }
}
