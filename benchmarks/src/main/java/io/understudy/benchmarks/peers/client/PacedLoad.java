package io.understudy.benchmarks.peers.client;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Histograms;
import io.understudy.benchmarks.peers.node.ProductNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Changes at a fixed rate. After each response the other node is read until it has the change. */
final class PacedLoad {

    /** After so long a change counts as one that does not arrive. */
    private static final long LONGEST_NANOS = 1_000_000_000;

    private final String address;
    private final String other;
    private final List<ClientSession> sessions;
    private final boolean length;
    private final Histogram answerMicros = Histograms.ofMicros();
    private final Histogram lagMicros = Histograms.ofMicros();
    private final LongAdder stale = new LongAdder();
    private final LongAdder never = new LongAdder();

    /** @param length whether the application is to set Content-Length */
    PacedLoad(String address, String other, List<ClientSession> sessions, boolean length) {
        this.address = address;
        this.other = other;
        this.sessions = sessions;
        this.length = length;
    }

    /**
     * How many changes were {@code written}; how long they took ({@code p50-us}, {@code p99-us}); how long after its
     * response a change was read from the other node ({@code lag-p50-us}, {@code lag-p99-us}); how many first reads
     * were {@code stale}, and how many changes {@code never} arrived.
     */
    Figures run(int seconds, int perSecond) throws Exception {
        long began = System.nanoTime();
        List<Callable<Boolean>> clients = new ArrayList<>();
        for (int i = 0; i < LoadClient.CONNECTIONS; i++) {
            int first = i;
            clients.add(() -> write(first, began, seconds * perSecond, perSecond));
        }
        ExecutorService threads = Executors.newFixedThreadPool(LoadClient.CONNECTIONS);
        try {
            for (Future<Boolean> client : threads.invokeAll(clients)) {
                client.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return Figures.of(Map.of(
                "written", answerMicros.getTotalCount(),
                "p50-us", answerMicros.getValueAtPercentile(50),
                "p99-us", answerMicros.getValueAtPercentile(99),
                "lag-p50-us", lagMicros.getValueAtPercentile(50),
                "lag-p99-us", lagMicros.getValueAtPercentile(99),
                "stale", stale.sum(),
                "never", never.sum()));
    }

    /** The share of one connection: each sixteenth of all changes, which are due one after the other. */
    private boolean write(int first, long began, int count, int perSecond) throws IOException {
        try (HttpConnection node = new HttpConnection(address, ProductNode.HTTP_PORT);
                HttpConnection otherNode = new HttpConnection(other, ProductNode.HTTP_PORT)) {
            int session = first;
            for (int i = first; i < count; i += LoadClient.CONNECTIONS) {
                long due = began + i * 1_000_000_000L / perSecond;
                for (long ahead = due - System.nanoTime(); ahead > 0; ahead = due - System.nanoTime()) {
                    LockSupport.parkNanos(ahead);
                }
                change(node, otherNode, sessions.get(session));
                session += LoadClient.CONNECTIONS;
                session = session < sessions.size() ? session : first;
            }
        }
        return true;
    }

    private void change(HttpConnection node, HttpConnection otherNode, ClientSession session) throws IOException {
        long sent = System.nanoTime();
        session.acknowledge(node.ask(session.change(length)));
        long answered = System.nanoTime();
        Histograms.record(answerMicros, answered - sent);
        boolean first = true;
        while (!session.isLast(otherNode.ask(session.readLast()))) {
            if (first) {
                stale.increment();
            }
            first = false;
            if (System.nanoTime() - answered > LONGEST_NANOS) {
                never.increment();
                break;
            }
        }
        Histograms.record(lagMicros, System.nanoTime() - answered);
    }
}
