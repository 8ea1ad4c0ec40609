package io.understudy;

import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.health.HealthListener;
import io.understudy.health.HealthRequest;
import io.understudy.health.HealthResponse;
import io.understudy.threads.DaemonThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code /ready}: 200 when the node should get traffic, else 503, with the reason as text. {@code /metrics}: Prometheus
 * text. No session data. {@code POST /drain?seconds=30}, with a {@link DrainProof}: {@linkplain Understudy#drain drains}
 * the node, and answers 200 when it can be stopped, 503 when the time was over before. {@code DELETE /drain} takes that
 * back.
 *
 * <p>Threads: {@code /ready} is answered by the listener's, so it waits for nothing. The others have threads of their own.
 */
final class HealthEndpoint implements AutoCloseable {

    private static final Logger LOG = System.getLogger(HealthEndpoint.class.getName());

    /** Where there is no memory for another one. */
    private static final HealthResponse FAILED = new HealthResponse(500, "this failed\n");

    /** Answered at once: two Prometheus servers may scrape at the same moment. Each takes time that grows with the sessions. */
    private static final int SCRAPES = 2;

    private static final int DEFAULT_SECONDS = 30;
    private static final Pattern LIMIT = Pattern.compile("seconds=([0-9]{1,4})");

    private final UnderstudyConfig config;
    private final Supplier<Readiness> readiness;
    private final Supplier<String> metrics;
    private final Drain drain;
    private final Semaphore scrapes = new Semaphore(SCRAPES);
    private final Semaphore drains = new Semaphore(1);
    private final ExecutorService threads;
    private final HealthListener listener;

    /**
     * Listens at {@code healthPort} from now on.
     *
     * @param readiness must not wait
     * @throws ConfigException if the port is taken
     */
    HealthEndpoint(UnderstudyConfig config, Supplier<Readiness> readiness, Supplier<String> metrics, Drain drain) {
        this.config = config;
        this.readiness = readiness;
        this.metrics = metrics;
        this.drain = drain;
        this.threads = Executors.newCachedThreadPool(
                task -> DaemonThreads.of("understudy-" + config.nodeName() + "-health-task", task));
        try {
            this.listener = HealthListener.start(
                    config.nodeName(), new InetSocketAddress(config.bindAddress(), config.healthPort()), this::handle);
        } catch (IOException e) {
            throw new ConfigException("setting 'healthPort' is '" + config.healthPort() + "', but node '"
                    + config.nodeName() + "' can't listen on it at "
                    + config.bindAddress().getHostAddress() + " (" + e.getMessage()
                    + "): choose another port, or 0 for any");
        }
    }

    /** Probes use several methods: {@code GET}, {@code HEAD} or {@code OPTIONS}. What only tells is told to all of them. */
    private void handle(HealthRequest request, Consumer<HealthResponse> answer) {
        switch (request.path()) {
            case "/ready" -> answer.accept(ready());
            case "/metrics" ->
                beside(
                        scrapes,
                        () -> new HealthResponse(200, metrics.get()),
                        new HealthResponse(503, SCRAPES + " scrapes are already running\n"),
                        answer);
            case "/drain" -> drain(request, answer);
            default ->
                answer.accept(
                        new HealthResponse(404, "expected /ready, /metrics or /drain, found " + request.path() + "\n"));
        }
    }

    private HealthResponse ready() {
        Readiness now = readiness.get();
        return new HealthResponse(now.ready() ? 200 : 503, now.reason() + "\n");
    }

    private void drain(HealthRequest request, Consumer<HealthResponse> answer) {
        boolean begins = request.method().equals("POST");
        if (!begins && !request.method().equals("DELETE")) {
            answer.accept(new HealthResponse(
                    405, "POST drains this node, DELETE takes the drain back\n", Map.of("Allow", "POST, DELETE")));
            return;
        }
        String refusal = DrainProof.refusal(request, config.bindAddress());
        if (refusal != null) {
            answer.accept(new HealthResponse(403, refusal + "\n"));
        } else if (begins) {
            begin(request.query(), answer);
        } else {
            drain.takeBack();
            answer.accept(
                    new HealthResponse(200, "not draining: " + readiness.get().reason() + "\n"));
        }
    }

    private void begin(@Nullable String query, Consumer<HealthResponse> answer) {
        Matcher matcher = LIMIT.matcher(query == null ? "seconds=" + DEFAULT_SECONDS : query);
        if (!matcher.matches()) {
            answer.accept(new HealthResponse(
                    400,
                    "expected ?seconds= and a number from 0 to 9999, or nothing for " + DEFAULT_SECONDS + ", found ?"
                            + query + "\n"));
            return;
        }
        Duration limit = Duration.ofSeconds(Integer.parseInt(matcher.group(1)));
        beside(drains, () -> drained(limit), new HealthResponse(409, "a drain is already running\n"), answer);
    }

    private HealthResponse drained(Duration limit) {
        try {
            DrainReceipt receipt = drain.run(limit);
            return new HealthResponse(receipt.complete() ? 200 : 503, receipt + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new HealthResponse(503, "this node is closing\n");
        }
    }

    /** Answers in a thread of its own, or at once when all permits are taken. */
    private void beside(
            Semaphore permits, Supplier<HealthResponse> work, HealthResponse busy, Consumer<HealthResponse> answer) {
        if (!permits.tryAcquire()) {
            answer.accept(busy);
            return;
        }
        boolean begun = false;
        try {
            threads.execute(() -> {
                HealthResponse done = answered(work);
                permits.release(); // Before the answer: who has it may ask again.
                answer.accept(done);
            });
            begun = true;
        } catch (RejectedExecutionException e) {
            answer.accept(new HealthResponse(503, "this node is closing\n"));
        } finally {
            if (!begun) {
                permits.release(); // Also where the system gives no more threads.
            }
        }
    }

    /** Throws nothing. */
    private HealthResponse answered(Supplier<HealthResponse> work) {
        try {
            return work.get();
        } catch (Throwable e) {
            return failed(e);
        }
    }

    private HealthResponse failed(Throwable cause) {
        try {
            LOG.log(Level.WARNING, config.nodeName() + " - could not answer a request at healthPort", cause);
            return new HealthResponse(500, "this request failed: " + cause + "\n");
        } catch (Throwable e) {
            return FAILED;
        }
    }

    int port() {
        return listener.port();
    }

    @Override
    public void close() {
        listener.close();
        threads.shutdownNow();
    }
}
