package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A browser that sends each request to the node whose turn it is, with tasks that the node runs.
 *
 * <p>Threads: any.
 */
final class Client {

    private static final long ANSWER_SECONDS = 60;

    private final Site site;
    private final Browser browser;
    private final int number;
    private final AtomicInteger requests = new AtomicInteger();

    Client(Site site, Browser browser) {
        this.site = site;
        this.browser = browser;
        this.number = site.number();
    }

    /** Another one with the same cookies. */
    Client twin() {
        return new Client(site, browser.twin());
    }

    /** The value of the session's cookie. */
    @Nullable
    String sessionId() {
        return browser.sessionId();
    }

    /** What the task answers in a request, which must succeed. */
    <T> T ask(Task.Question<T> question) {
        return begin(question).join();
    }

    /** Whether it is so in a request, which must succeed. */
    boolean holds(Task.Question<Boolean> question) {
        return ask(question);
    }

    /** Fails unless the request, which must succeed, answers this. */
    void expect(Object expected, Task.Question<?> question) {
        assertEquals(expected, ask(question));
    }

    /** Runs the task in a request, which must succeed. */
    void run(Task task) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        succeeding(done, (request, response) -> {
                    task.run(request, response);
                    done.complete(true);
                })
                .join();
    }

    /** As {@link #ask}, without waiting for the response. */
    <T> CompletableFuture<T> begin(Task.Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        return succeeding(answer, (request, response) -> answer.complete(question.answer(request)));
    }

    private <T> CompletableFuture<T> succeeding(CompletableFuture<T> outcome, Task task) {
        String page = site.tasks().add((request, response) -> {
            try {
                task.run(request, response);
            } catch (Exception | Error e) {
                outcome.completeExceptionally(e);
                throw e;
            }
        });
        return browser.start(next(), page).handle((response, failure) -> {
            if (outcome.isCompletedExceptionally() || (failure == null && response.statusCode() == 200)) {
                return outcome.join();
            }
            if (failure != null) {
                throw new CompletionException(failure);
            }
            throw new AssertionError(page + " was answered with " + response.statusCode() + ": " + response.body());
        });
    }

    /** The answer to a request that runs the task, whatever it is. */
    HttpResponse<String> send(Task task) {
        return get(site.tasks().add(task));
    }

    /** The answer to a request for this path and query. */
    HttpResponse<String> get(String pathAndQuery) {
        return browser.send(next(), pathAndQuery);
    }

    HttpResponse<String> head(String pathAndQuery) {
        return browser.startHead(next(), pathAndQuery).join();
    }

    HttpResponse<String> post(String pathAndQuery, String form) {
        return browser.post(next(), pathAndQuery, form);
    }

    /** A web socket to the next node; its handshake bears the cookies. */
    Socket socket() {
        return new Socket(browser, next().uri(SocketEndpoint.PATH));
    }

    /** A web socket, one message at a time. */
    final class Socket {

        private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        private final WebSocket socket;

        private Socket(Browser browser, URI uri) {
            socket = browser.socket(URI.create(uri.toString().replaceFirst("http", "ws")), answers::add);
        }

        /** Runs the task, which must succeed. */
        void run(Task.OfSocket task) {
            assertEquals(SocketEndpoint.DONE, answer(task));
        }

        /** What became of the task. */
        @Nullable
        String answer(Task.OfSocket task) {
            socket.sendText(site.tasks().addForSocket(task), true).join();
            try {
                return answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        void close() {
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        }
    }

    private Browser.Server next() {
        return site.server(site.topology().nodeFor(number, requests.getAndIncrement()));
    }
}
