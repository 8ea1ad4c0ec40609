package io.understudy.benchmarks.peers.client;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Histograms;
import io.understudy.benchmarks.peers.node.ProductNode;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * As many requests as 16 connections get answered, each with sessions of its own in turn. One thread serves all
 * connections: 16 would take more processor time, and switches, from the nodes.
 */
final class SaturatingLoad {

    private static final long LAST_ANSWERS_MILLIS = 10_000;

    private final String address;
    private final List<ClientSession> sessions;
    private final Requests requests;
    private final Histogram micros = Histograms.ofMicros();
    private final List<Long> answeredBySecond = new ArrayList<>();
    private long began;
    private long answered;
    private int underWay;
    private int broken;

    /** @param sessions of a shop if they are to be read */
    SaturatingLoad(String address, List<ClientSession> sessions, Requests requests) {
        this.address = address;
        this.sessions = sessions;
        this.requests = requests;
    }

    /** What is sent by one connection. */
    private final class Line {
        private final HttpConnection connection;
        private int session;
        private long sentAt;

        Line(HttpConnection connection, int first) {
            this.connection = connection;
            this.session = first;
        }

        void send() throws IOException {
            sentAt = System.nanoTime();
            connection.send(sessions.get(session).next(requests));
            underWay++;
        }

        /** Whether the answer is there. */
        boolean receive() throws IOException {
            if (!connection.receive()) {
                return false;
            }
            Histograms.record(micros, System.nanoTime() - sentAt);
            sessions.get(session).answered(requests, connection.response());
            session += LoadClient.CONNECTIONS;
            if (session >= sessions.size()) {
                session %= LoadClient.CONNECTIONS;
            }
            count();
            underWay--;
            return true;
        }
    }

    private void count() {
        answered++;
        int second = (int) ((System.nanoTime() - began) / 1_000_000_000);
        while (answeredBySecond.size() <= second) {
            answeredBySecond.add(0L);
        }
        answeredBySecond.set(second, answeredBySecond.get(second) + 1);
    }

    /** By whole second since the load began, how many requests were answered in it. */
    List<Long> answeredBySecond() {
        return answeredBySecond;
    }

    /** Requests {@code answered} in so many {@code seconds}, times in microseconds, and connections that broke. */
    Figures run(double seconds) throws IOException {
        began = System.nanoTime();
        long end = began + (long) (seconds * 1e9);
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < LoadClient.CONNECTIONS; i++) {
                Line line = new Line(new HttpConnection(address, ProductNode.HTTP_PORT), i);
                line.connection.channel().configureBlocking(false);
                line.connection.channel().register(selector, SelectionKey.OP_READ, line);
                line.send();
            }
            long last = end + LAST_ANSWERS_MILLIS * 1_000_000;
            while (underWay > 0 && System.nanoTime() < last) {
                selector.select(key -> serve((Line) key.attachment(), key, end), LAST_ANSWERS_MILLIS);
            }
            double took = (System.nanoTime() - began) / 1e9;
            for (SelectionKey key : selector.keys()) {
                ((Line) key.attachment()).connection.close();
            }
            return Figures.of(Map.of(
                    "answered",
                    answered,
                    "seconds",
                    took,
                    "p50-us",
                    micros.getValueAtPercentile(50),
                    "p99-us",
                    micros.getValueAtPercentile(99),
                    "broken",
                    broken + underWay));
        }
    }

    private void serve(Line line, SelectionKey key, long end) {
        try {
            if (line.receive() && System.nanoTime() < end) {
                line.send();
            }
        } catch (IOException e) {
            System.out.println(e); // To this process's log.
            key.cancel();
            broken++;
            underWay--;
        }
    }
}
