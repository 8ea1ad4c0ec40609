package io.understudy.benchmarks.peers.client;

import io.understudy.benchmarks.peers.node.SessionPages;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A session as its client knows it: its cookie, and what the server has acknowledged. Requests have numbers; number
 * {@code n} changes attribute {@code n % 10}. A session of a shop is only read.
 *
 * <p>Threads: one at a time.
 */
final class ClientSession {

    private static final int ATTRIBUTES = SessionPages.ATTRIBUTES;
    private static final int OK = 200;

    private String cookie = "";
    private int next;

    /** By attribute the number of its last change; before the first one, one that no change has. */
    private final int[] acknowledged = nothing();

    /** What was acknowledged at the {@link #mark}. */
    private int[] marked = nothing();

    /** The next string to be read. */
    private int string;

    private static int[] nothing() {
        return IntStream.range(-ATTRIBUTES, 0).toArray();
    }

    /** Begins the session on a server, with all attributes. */
    void begin(HttpConnection connection) throws IOException {
        HttpConnection.Response response = connection.ask(HttpConnection.request("POST", "/fill", ""));
        for (next = 0; next < ATTRIBUTES - 1; next++) {
            acknowledged[next] = next;
        }
        acknowledge(response);
    }

    /** Begins a session of a shop on a server. */
    void open(HttpConnection connection) throws IOException {
        HttpConnection.Response response = connection.ask(HttpConnection.request("POST", "/shop", ""));
        expect(response, SessionPages.SHOP);
        cookie = response.cookie();
    }

    /** Whether a node has all of a session of a shop. */
    boolean isOpen(HttpConnection connection) throws IOException {
        boolean cart = connection.ask(next(Requests.CART)).body().equals(SessionPages.COSTS);
        for (int i = 0; cart && i < ATTRIBUTES; i++) {
            HttpConnection.Response value = connection.ask(HttpConnection.request("GET", "/string?of=" + i, cookie));
            cart = value.body().equals(String.valueOf(i));
        }
        return cart;
    }

    /** Whether a node has all that was acknowledged. */
    boolean isWhole(HttpConnection connection) throws IOException {
        return lost(connection.ask(readAll())) == 0;
    }

    /** The next request of this kind; the answer to it goes to {@link #answered}. */
    byte[] next(Requests requests) {
        return switch (requests) {
            case CHANGES -> change(false);
            case CHANGES_LENGTH -> change(true);
            case STRINGS -> HttpConnection.request("GET", "/string?of=" + string, cookie);
            case CART -> HttpConnection.request("GET", "/cart", cookie);
        };
    }

    /** @throws IOException if it is not the answer that the application gives to the last {@link #next} */
    void answered(Requests requests, HttpConnection.Response response) throws IOException {
        switch (requests) {
            case CHANGES, CHANGES_LENGTH -> acknowledge(response);
            case STRINGS -> {
                expect(response, String.valueOf(string));
                string = (string + 1) % ATTRIBUTES;
            }
            case CART -> expect(response, SessionPages.COSTS);
        }
    }

    private static void expect(HttpConnection.Response response, String body) throws IOException {
        if (response.status() != OK || !response.body().equals(body)) {
            throw new IOException("expected " + body + ", was " + response);
        }
    }

    /** The next change; the answer to it goes to {@link #acknowledge}. */
    byte[] change(boolean length) {
        return HttpConnection.request("POST", "/change?n=" + next + (length ? "&length" : ""), cookie);
    }

    /**
     * The answer to the last {@link #change}.
     *
     * @throws IOException if it is not the one that the application gives
     */
    void acknowledge(HttpConnection.Response response) throws IOException {
        if (response.status() != OK || !response.body().equals(String.valueOf(next))) {
            throw new IOException("change " + next + " was answered by " + response);
        }
        // A node may give the session another id.
        cookie = response.cookie().isEmpty() ? cookie : response.cookie();
        acknowledged[next % ATTRIBUTES] = next;
        next++;
    }

    /** Reads the attribute that was changed last. */
    byte[] readLast() {
        return HttpConnection.request("GET", "/value?of=" + (next - 1) % ATTRIBUTES, cookie);
    }

    /** Whether the answer to {@link #readLast} is what was acknowledged last. */
    boolean isLast(HttpConnection.Response response) {
        return response.status() == OK && response.body().equals(String.valueOf(next - 1));
    }

    byte[] readAll() {
        return HttpConnection.request("GET", "/values", cookie);
    }

    /** From now on {@link #lost} counts later changes only. */
    void mark() {
        marked = acknowledged.clone();
    }

    /**
     * How many changes that were acknowledged after the mark the answer to {@link #readAll} lacks, overwritten ones
     * included.
     */
    int lost(HttpConnection.Response response) throws IOException {
        int[] held = held(response);
        return IntStream.range(0, ATTRIBUTES)
                .map(i -> Math.max(0, acknowledged[i] - Math.max(held[i], marked[i])) / ATTRIBUTES)
                .sum();
    }

    /** Whether it lacks a change that was acknowledged before the mark. */
    boolean incomplete(HttpConnection.Response response) throws IOException {
        int[] held = held(response);
        return IntStream.range(0, ATTRIBUTES).anyMatch(i -> held[i] < marked[i]);
    }

    private static int[] held(HttpConnection.Response response) throws IOException {
        if (response.status() != OK) {
            throw new IOException("values were answered by " + response);
        }
        return missing(response)
                ? nothing()
                : Arrays.stream(response.body().split(" ", -1))
                        .mapToInt(Integer::parseInt)
                        .toArray();
    }

    static boolean missing(HttpConnection.Response response) {
        return response.body().equals(SessionPages.NONE);
    }
}
