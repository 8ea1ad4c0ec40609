package io.understudy.benchmarks.visitors;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What visitors do to a Tomcat and a Jetty of one cluster. There are more sessions than fit the heap, each used on
 * both. Thousands expire at once, and their clients come back. Strangers hold connections and make up ids.
 */
public final class Visitors {

    private static final double MOST_GC_PERCENT = 20;
    private static final int LISTENER_MILLIS = 50;
    private static final double BACK_MILLIS = 50;
    private static final double READY_MILLIS = 100;
    private static final double SLOWER = 2;
    private static final int HALF_OPEN = 1000;

    private Visitors() {}

    public static void run(Trial trial) throws Exception {
        int sessions = trial.whole() ? 100_000 : 10_000;
        String heap =
                trial.whole() ? "256m" : "64m"; // Small: what they took if all objects stayed would not fit, either.
        heap(trial, sessions, heap, trial.round("heap", () -> fill(trial, sessions, heap)));
        int expiring = trial.whole() ? 10_000 : 500;
        expiries(trial, expiring, trial.round("expiries", () -> expire(trial, expiring)));
        strangers(trial, trial.round("strangers", () -> beset(trial, trial.whole() ? 30 : 5)));
    }

    private static void heap(Trial trial, int sessions, String heap, Figures figures) {
        trial.demand(
                sessions + " sessions of 4 KB, each used on both nodes, at -Xmx" + heap + ": all right",
                figures.get("wrong") + " wrong",
                figures.get("wrong") == 0);
        trial.floor(
                "less than " + MOST_GC_PERCENT + " % of the time is garbage collection",
                figures.get("gc_percent_tomcat") + " % on Tomcat, " + figures.get("gc_percent_jetty") + " % on Jetty",
                figures.get("gc_percent_tomcat") < MOST_GC_PERCENT
                        && figures.get("gc_percent_jetty") < MOST_GC_PERCENT);
    }

    private static Figures fill(Trial trial, int sessions, String heap) throws Exception {
        try (Web web = new Web(trial, heap, 0)) {
            String[] cookies = new String[sessions];
            AtomicLong wrong = new AtomicLong();
            web.client().each(sessions, number -> cookies[number] = web.fill(number, 3600));
            for (int round = 1; round <= 2; round++) {
                int turn = round;
                web.client().each(sessions, number -> {
                    String answer = web.use((number + turn) % web.nodes(), number, cookies[number]);
                    wrong.addAndGet(answer.equals(WebPages.RIGHT) ? 0 : 1);
                });
            }
            return Figures.of(Map.of(
                    "wrong", wrong.get(),
                    "gc_percent_tomcat", percent(web.figures(0)),
                    "gc_percent_jetty", percent(web.figures(1))));
        }
    }

    private static double percent(Figures figures) {
        return tenths(100 * figures.get("gc_ms") / figures.get("millis"));
    }

    private static double tenths(double value) {
        return Math.round(10 * value) / 10.0;
    }

    private static void expiries(Trial trial, int sessions, Figures figures) {
        trial.demand(
                sessions + " sessions expire at once, listeners take " + LISTENER_MILLIS + " ms: each is told of once",
                figures.get("told") + " told of, " + figures.get("twice") + " more than once",
                figures.get("told") == sessions && figures.get("twice") == 0);
        trial.demand(
                "clients that come back meanwhile get no session",
                figures.get("served") + " of " + figures.get("back") + " got one",
                figures.get("served") == 0 && figures.get("back") > 0);
        trial.floor(
                "clients whose session is about to expire are answered within " + BACK_MILLIS
                        + " ms (p99), on each node",
                figures.get("back_p99_ms_tomcat") + " ms on Tomcat, " + figures.get("back_p99_ms_jetty")
                        + " ms on Jetty; the longest took " + figures.get("back_max_ms") + " ms",
                figures.get("back_p99_ms_tomcat") <= BACK_MILLIS && figures.get("back_p99_ms_jetty") <= BACK_MILLIS);
    }

    private static Figures expire(Trial trial, int sessions) throws Exception {
        int idleSeconds = trial.whole() ? 30 : 5;
        try (Web web = new Web(trial, "512m", LISTENER_MILLIS)) {
            String[] cookies = new String[sessions];
            web.client().each(sessions, number -> cookies[number] = web.fill(number, idleSeconds));
            return new Returning(web, cookies).whileTheyExpire(idleSeconds);
        }
    }

    static double quantile(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : tenths(sorted.get((int) Math.ceil(share * sorted.size()) - 1));
    }

    private static void strangers(Trial trial, Figures figures) {
        trial.demand("strangers came", figures.get("strangers") + " requests", figures.get("strangers") > 0);
        trial.floor(
                "they came as often as they should: nine tenths of " + Strangers.PER_SECOND + " requests/s",
                String.format(Locale.ROOT, "%.0f/s", figures.get("per_second")),
                figures.get("per_second") >= 0.9 * Strangers.PER_SECOND);
        trial.floor(
                "'/ready' is answered within " + READY_MILLIS + " ms beside " + HALF_OPEN
                        + " half-open connections of each node",
                figures.get("ready_max_ms") + " ms at most",
                figures.get("ready_max_ms") <= READY_MILLIS);
        trial.floor(
                "users' p99 beside " + Strangers.PER_SECOND + " requests/s with " + Strangers.COOKIES
                        + " unknown ids each <= " + SLOWER + "x that beside as many with other cookies",
                String.format(
                        Locale.ROOT,
                        "%.1f ms, and %.1f ms; %.0f/s came",
                        figures.get("beside_p99_ms"),
                        figures.get("alone_p99_ms"),
                        figures.get("per_second")),
                figures.get("beside_p99_ms") <= SLOWER * figures.get("alone_p99_ms"));
    }

    private static Figures beset(Trial trial, int seconds) throws Exception {
        List<Socket> held = new ArrayList<>();
        try (Web web = new Web(trial, "512m", 0)) {
            String[] cookies = new String[100];
            web.client().each(cookies.length, number -> cookies[number] = web.fill(number, 3600));
            visits(web, cookies, seconds, "OTHERCOOK="); // Until all is compiled.
            Visits alone = visits(web, cookies, seconds, "OTHERCOOK=");
            for (int i = 0; i < HALF_OPEN * web.nodes(); i++) {
                held.add(halfOpen(Web.healthPort(i % web.nodes()), i));
            }
            Visits beside = visits(web, cookies, seconds, "JSESSIONID=");
            return Figures.of(Map.of(
                    "alone_p99_ms", quantile(alone.millis(), 0.99),
                    "beside_p99_ms", quantile(beside.millis(), 0.99),
                    "strangers", beside.strangers(),
                    "per_second", beside.strangers() / seconds,
                    "ready_max_ms", quantile(beside.readyMillis(), 1)));
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    /** One that sends nothing, or a request that has no end. */
    private static Socket halfOpen(int port, int number) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        if (number / 2 % 2 == 1) {
            socket.getOutputStream().write("GET /ready HTTP/1.1\r\nX:".getBytes(US_ASCII));
        }
        return socket;
    }

    /** How long the requests of users took, and those of a load balancer, beside so many of strangers. */
    private record Visits(List<Double> millis, List<Double> readyMillis, long strangers) {}

    private static Visits visits(Web web, String[] cookies, int seconds, String cookie) throws Exception {
        List<Double> millis = new ArrayList<>();
        List<Double> readyMillis = new ArrayList<>();
        try (Strangers strangers = new Strangers(web.nodes(), cookie)) {
            long end = System.nanoTime() + seconds * 1_000_000_000L;
            for (int i = 0; System.nanoTime() < end; i++) {
                long began = System.nanoTime();
                String answer = web.use(i % web.nodes(), i % cookies.length, cookies[i % cookies.length]);
                millis.add((System.nanoTime() - began) / 1e6);
                if (!answer.equals(WebPages.RIGHT)) {
                    throw new IllegalStateException("a user's session is " + answer);
                }
                if (i % 20 == 0) {
                    began = System.nanoTime();
                    boolean ready = web.ready(i / 20 % web.nodes());
                    readyMillis.add(ready ? (System.nanoTime() - began) / 1e6 : Double.MAX_VALUE);
                }
                Thread.sleep(5);
            }
            return new Visits(millis, readyMillis, strangers.came());
        }
    }
}
