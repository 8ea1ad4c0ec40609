package io.understudy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.MetricsText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /ready}: 200 when the node should get traffic, else 503, with the reason as text. {@code GET /metrics}:
 * Prometheus text. No session data. {@code POST /drain?seconds=30}, from this machine: {@linkplain Understudy#drain drains}
 * the node, and answers 200 when it can be stopped, 503 when the time was over before.
 */
final class HealthEndpoint implements AutoCloseable {

    /** Requests that may be answered at once; a slow client then does not keep the next probe waiting. */
    private static final int THREADS = 2;

    private static final int DEFAULT_SECONDS = 30;
    private static final Pattern LIMIT = Pattern.compile("seconds=([0-9]{1,4})");

    private final HttpServer server;
    private final ExecutorService threads;

    private HealthEndpoint(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    static HealthEndpoint start(Understudy node) {
        UnderstudyConfig config = node.config();
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(config.bindAddress(), config.healthPort()), 0);
        } catch (IOException e) {
            throw new ConfigException("setting 'healthPort' is '" + config.healthPort() + "', but node '"
                    + config.nodeName() + "' can't listen on it at "
                    + config.bindAddress().getHostAddress() + " (" + e.getMessage()
                    + "): choose another port, or 0 for any");
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "understudy-" + config.nodeName() + "-health");
            thread.setDaemon(true);
            thread.setContextClassLoader(HealthEndpoint.class.getClassLoader());
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/ready", exchange -> {
            Readiness readiness = node.readiness();
            answer(exchange, readiness.ready() ? 200 : 503, readiness.reason() + "\n");
        });
        Semaphore drains = new Semaphore(1);
        server.createContext("/drain", exchange -> drain(node, drains, exchange));
        server.createContext(
                "/metrics", exchange -> answer(exchange, 200, MetricsText.of(node.metrics(), node.gauges())));
        server.start();
        return new HealthEndpoint(server, threads);
    }

    /** One at a time: the threads are few, and probes must be answered meanwhile. */
    private static void drain(Understudy node, Semaphore drains, HttpExchange exchange) throws IOException {
        InetAddress from = exchange.getRemoteAddress().getAddress();
        if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, 405, "POST drains this node\n");
        } else if (!from.isLoopbackAddress() && !from.equals(node.config().bindAddress())) {
            answer(exchange, 403, "a node is drained from its own machine\n");
        } else if (!drains.tryAcquire()) {
            answer(exchange, 409, "this node is being drained already\n");
        } else {
            try {
                DrainReceipt receipt = node.drain(limit(exchange.getRequestURI().getQuery()));
                answer(exchange, receipt.complete() ? 200 : 503, receipt + "\n");
            } catch (IllegalArgumentException e) {
                answer(exchange, 400, e.getMessage() + "\n");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                answer(exchange, 503, "this node is being closed\n");
            } finally {
                drains.release();
            }
        }
    }

    private static Duration limit(@Nullable String query) {
        Matcher matcher = LIMIT.matcher(query == null ? "seconds=" + DEFAULT_SECONDS : query);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected ?seconds= and a number from 0 to 9999, or nothing for "
                    + DEFAULT_SECONDS + ", found ?" + query);
        }
        return Duration.ofSeconds(Integer.parseInt(matcher.group(1)));
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
