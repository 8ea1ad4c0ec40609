package io.understudy.sims;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A shop with one fault: to prove that a simulation finds it. It answers like the demo, front door and launcher
 * included, from one map; each of its "nodes" is a port of its own.
 */
final class ForgetfulShop implements AutoCloseable {

    /** What it does wrong. */
    enum Fault {
        NONE,
        /** After the kill one session is forgotten. */
        SESSION,
        /** After the kill one session is as it was before its last write. */
        WRITE,
        /** Like {@link #WRITE}, of an article instead of the counter. */
        ARTICLE,
        /** A node shows a write only at the second look. */
        STALE,
        /** No fault: each login takes longer than the time in which clients write, as on a busy machine. */
        SLOW_LOGIN
    }

    private static final long SLOW_MILLIS = 6000;

    /** How long clients may take to write the state that the shop forgets. The simulation waits longer for a kill. */
    private static final long VICTIM_MILLIS = 10_000;

    private static final long LOOK_AGAIN_MILLIS = 5;

    private static final class State {
        private final String id = UUID.randomUUID().toString();
        private final String user;
        private int counter;
        private int articles;
        private boolean shown;

        State(String user) {
            this.user = user;
        }
    }

    private static final List<String> NODES = List.of("one", "two");

    private final Fault fault;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, State> sessions = new ConcurrentHashMap<>();
    private final Map<String, Boolean> up = new ConcurrentHashMap<>();
    private final Map<String, HttpServer> servers = new HashMap<>();

    ForgetfulShop(Fault fault) throws IOException {
        this.fault = fault;
        for (String node : NODES) {
            up.put(node, true);
            serve(node);
        }
        serve("door");
    }

    URI door() {
        return address("door");
    }

    @Override
    public void close() {
        servers.values().forEach(server -> server.stop(0));
        threads.shutdownNow();
    }

    private void serve(String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(name, exchange);
            }
        });
        server.setExecutor(threads);
        server.start();
        servers.put(name, server);
    }

    private URI address(String name) {
        return URI.create("http://127.0.0.1:" + servers.get(name).getAddress().getPort());
    }

    private void answer(String name, HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        if (path.startsWith("/cluster/api/nodes")) {
            send(exchange, 200, launcher(path));
        } else if (path.equals("/metrics")) {
            send(exchange, 200, "understudy_replication_lag_microseconds_count{peer=\"x\"} 1\n");
        } else {
            shop(name.equals("door") ? firstUp() : name, path, form, exchange);
        }
    }

    private void shop(String node, String path, String form, HttpExchange exchange) throws IOException {
        if (path.equals("/login")) {
            if (fault == Fault.SLOW_LOGIN) {
                sleep(SLOW_MILLIS);
            }
            State state = new State(form.replace("user=", ""));
            sessions.put(state.id, state);
            exchange.getResponseHeaders().add("Set-Cookie", "JSESSIONID=" + state.id + "; Path=/; HttpOnly");
            send(exchange, 200, json(node, state));
            return;
        }
        String cookie = String.valueOf(exchange.getRequestHeaders().getFirst("Cookie"));
        State state = sessions.get(cookie.replaceFirst(".*JSESSIONID=([^;]*).*", "$1"));
        if (state == null) {
            send(exchange, 200, json(node, null));
            return;
        }
        synchronized (state) {
            switch (path) {
                case "/counter" -> state.counter++;
                case "/cart" -> state.articles++;
                default -> {
                    if (fault == Fault.STALE && state.counter > 0 && !state.shown) {
                        state.shown = true;
                        state.counter--;
                        send(exchange, 200, json(node, state));
                        state.counter++;
                        return;
                    }
                }
            }
            send(exchange, 200, json(node, state));
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The nodes; {@code kill} and {@code start} on the way to them. */
    private String launcher(String path) {
        String[] steps = path.substring("/cluster/api/nodes".length()).split("/", -1);
        if (steps.length == 3) {
            up.put(steps[1], steps[2].equals("start"));
            if (steps[2].equals("kill")) {
                forget();
            }
        }
        List<String> nodes = new ArrayList<>();
        for (String node : NODES) {
            nodes.add(String.format(
                    "{\"name\":\"%s\",\"url\":\"%s/\",\"health\":\"%s/ready\",\"state\":\"%s\"}",
                    node, address(node), address(node), up.getOrDefault(node, false) ? "ready" : "dead"));
        }
        return "{\"nodes\":[" + String.join(",", nodes) + "]}";
    }

    private void forget() {
        switch (fault) {
            case SESSION -> sessions.remove(victim(state -> true).id);
            case WRITE -> {
                State state = victim(found -> found.counter > 0);
                synchronized (state) {
                    state.counter--;
                }
            }
            case ARTICLE -> {
                State state = victim(found -> found.articles > 0);
                synchronized (state) {
                    state.articles--;
                }
            }
            case NONE, STALE, SLOW_LOGIN -> {
                // Nothing is forgotten.
            }
        }
    }

    /** Waits for a session with a write: on a machine that stands still, the kill may come before the write. */
    private State victim(Predicate<State> suits) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(VICTIM_MILLIS);
        while (System.nanoTime() < end) {
            Optional<State> found = sessions.values().stream()
                    .filter(state -> {
                        synchronized (state) {
                            return suits.test(state);
                        }
                    })
                    .findAny();
            if (found.isPresent()) {
                return found.get();
            }
            sleep(LOOK_AGAIN_MILLIS);
        }
        throw new IllegalStateException("nothing to forget within " + VICTIM_MILLIS + " ms: " + fault);
    }

    private String firstUp() {
        return NODES.stream().filter(up::get).findFirst().orElseThrow();
    }

    private static String json(String node, State state) {
        if (state == null) {
            return "{\"node\":\"" + node + "\",\"session\":null,\"user\":null,\"counter\":0,\"cart\":[]}";
        }
        return String.format(
                "{\"node\":\"%s\",\"session\":\"%s\",\"user\":\"%s\",\"counter\":%d,\"cart\":[{\"sku\":\"%s\","
                        + "\"quantity\":%d}]}",
                node, state.id, state.user, state.counter, ShopRequests.ARTICLE, state.articles);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
