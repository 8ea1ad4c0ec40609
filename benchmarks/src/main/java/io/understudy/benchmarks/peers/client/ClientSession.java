package io.understudy.benchmarks.peers.client;

import io.understudy.benchmarks.peers.node.SessionPages;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A session as its client knows it: its cookie, and what the server has acknowledged. Requests have numbers; number
 * {@code n} changes attribute {@code n % 10}.
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
