package io.understudy.benchmarks.visitors;

import io.understudy.benchmarks.figures.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Clients that come back when their sessions have expired, but before a listener has been called for them: a node may be
 * about to do that at this moment.
 */
final class Returning {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Requests from one look at the listeners to the next. */
    private static final int REQUESTS = 200;

    private final Web web;
    private final String[] cookies;
    private final List<List<Double>> millis = new ArrayList<>();
    private long served;

    Returning(Web web, String[] cookies) {
        this.web = web;
        this.cookies = cookies;
        for (int node = 0; node < web.nodes(); node++) {
            millis.add(new ArrayList<>());
        }
    }

    Figures whileTheyExpire(int idleSeconds) throws IOException, InterruptedException {
        // Then all are due everywhere: of sessions that another node used last, two touch intervals later.
        Thread.sleep(1000L * idleSeconds + 3000);
        long end = System.nanoTime() + LIMIT.toNanos();
        Map<String, Integer> told = web.told();
        do {
            List<Integer> undecided = undecided(told.keySet());
            for (int i = 0; i < Math.min(REQUESTS, undecided.size()); i++) {
                comeBack(undecided.get(i), i % web.nodes());
            }
            told = web.told();
        } while (told.size() < cookies.length && System.nanoTime() < end);
        Map<String, Number> figures = new HashMap<>();
        figures.put("told", told.size());
        figures.put("twice", told.values().stream().filter(times -> times > 1).count());
        figures.put("served", served);
        figures.put("back", millis.stream().mapToInt(List::size).sum());
        figures.put("back_p99_ms_tomcat", Visitors.quantile(millis.get(0), 0.99));
        figures.put("back_p99_ms_jetty", Visitors.quantile(millis.get(1), 0.99));
        figures.put("back_max_ms", Math.max(Visitors.quantile(millis.get(0), 1), Visitors.quantile(millis.get(1), 1)));
        return Figures.of(figures);
    }

    /** Those of which no listener knows, in a mixed order: nodes end sessions in an order of their own. */
    private List<Integer> undecided(Set<String> told) {
        List<Integer> undecided = new ArrayList<>();
        for (int i = 0; i < cookies.length; i++) {
            int number = (int) (i * 7919L % cookies.length);
            String id = cookies[number].replaceAll("^[^=]*=|[.].*$", "");
            if (!told.contains(id)) {
                undecided.add(number);
            }
        }
        return undecided;
    }

    private void comeBack(int number, int node) throws IOException, InterruptedException {
        long began = System.nanoTime();
        String answer = web.use(node, number, cookies[number]);
        millis.get(node).add((System.nanoTime() - began) / 1e6);
        served += answer.equals(WebPages.NONE) ? 0 : 1;
    }
}
