package io.understudy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.MetricsText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * {@code GET /ready}: 200 when the node should get traffic, else 503, with the reason as text. {@code GET /metrics}:
 * Prometheus text. No session data.
 */
final class HealthEndpoint implements AutoCloseable {

    /** Requests that may be answered at once; a slow client then does not keep the next probe waiting. */
    private static final int THREADS = 2;

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
        server.createContext(
                "/metrics", exchange -> answer(exchange, 200, MetricsText.of(node.metrics(), node.gauges())));
        server.start();
        return new HealthEndpoint(server, threads);
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
