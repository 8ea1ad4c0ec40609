package io.understudy.benchmarks.visitors;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks {@link WebNode}s, by keep-alive connections. Threads: any. */
final class WebClient implements AutoCloseable {

    static final List<String> PATHS = List.of("/fill", "/use", "/told", "/figures");

    private static final int THREADS = 8;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What is done for each of many numbers. */
    interface Task {
        void run(int number) throws Exception;
    }

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** @param session its id; {@code ""} if there is none yet */
    HttpResponse<String> ask(int port, String pathAndQuery, String session) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + pathAndQuery))
                .timeout(LIMIT);
        if (!session.isEmpty()) {
            request.header("Cookie", session);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(pathAndQuery + " at port " + port + " said " + response.statusCode());
        }
        return response;
    }

    /** The session cookie that a response sets. */
    static String cookie(HttpResponse<String> response) {
        return response.headers().allValues("Set-Cookie").stream()
                .map(set -> set.replaceAll(";.*", ""))
                .filter(cookie -> cookie.startsWith("JSESSIONID="))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no session cookie in " + response.headers()));
    }

    /** For each number below {@code count}, by several threads. */
    void each(int count, Task task) throws InterruptedException, ExecutionException {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            done.add(threads.submit(() -> {
                for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                    task.run(number);
                }
                return null;
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
