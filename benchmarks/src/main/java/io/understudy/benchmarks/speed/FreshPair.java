package io.understudy.benchmarks.speed;

import io.understudy.Understudy;
import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.process.ProcessUsage;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.SessionRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Two nodes in a process that has just started, and the first changes of the first one. Prints what they took as
 * {@link Figures}.
 */
final class FreshPair {

    private static final int SESSIONS = 16;
    private static final int ATTRIBUTES = 10;
    private static final int VALUE_CHARS = 1000;

    /** Changes of a phase. */
    static final int CHANGES = 2000;

    static final int PHASES = 3;

    private static final Duration READY = Duration.ofSeconds(60);

    private FreshPair() {}

    /** @param args {@code warmUp} of the first node, and {@code coherence} */
    public static void main(String[] args) {
        ProcessUsage usage = new ProcessUsage();
        Map<String, Long> figures = new HashMap<>();
        long began = System.nanoTime();
        List<Understudy> nodes = new ArrayList<>();
        try {
            List<ReplicatedSessions> sessions = new ArrayList<>();
            for (UnderstudyConfig config : LoopbackCluster.configs(2, Map.of(Setting.COHERENCE, args[1]))) {
                String warmUp = nodes.isEmpty() ? args[0] : "off";
                Understudy node = Understudy.start(config.with(Map.of(Setting.WARM_UP.key(), warmUp)));
                nodes.add(node);
                sessions.add(node.join("/shop", FreshPair.class::getClassLoader));
                sessions.get(sessions.size() - 1).bindRequests(SessionRequest::ticketOf);
            }
            for (Understudy node : nodes) {
                Await.until(READY, node::readiness, () -> node.readiness().ready());
            }
            figures.put("ready_ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
            figures.put("ready_cpu_ms", TimeUnit.NANOSECONDS.toMillis(usage.cpuNanos()));
            for (int session = 0; session < SESSIONS; session++) {
                LiveSession made = sessions.get(0).create(id(session), 1800);
                SessionRequest.use(made, () -> {
                    for (int i = 0; i < ATTRIBUTES; i++) {
                        made.attributes().put(name(i), value(i));
                    }
                });
            }
            for (int phase = 1; phase <= PHASES; phase++) {
                long before = usage.cpuNanos();
                for (int i = 0; i < CHANGES; i++) {
                    change(sessions.get(0), phase * CHANGES + i);
                }
                figures.put("cpu_us_" + phase, TimeUnit.NANOSECONDS.toMicros(usage.cpuNanos() - before));
            }
        } finally {
            nodes.forEach(Understudy::close);
        }
        System.out.println("figures: " + Figures.of(figures));
        System.exit(0);
    }

    /** A request that reads an attribute and sets another one. */
    private static void change(ReplicatedSessions sessions, int number) {
        String id = id(number % SESSIONS);
        sessions.admit(id);
        LiveSession session = SessionRequest.find(sessions, id);
        SessionRequest.use(session, () -> {
            Object read = session.attributes().get(name(number + 1));
            session.attributes().put(name(number), read == null ? "" : value(number));
        });
    }

    private static String id(int session) {
        return "session" + session;
    }

    private static String name(int attribute) {
        return "attribute" + attribute % ATTRIBUTES;
    }

    private static String value(int number) {
        return ("value " + number + " ").repeat(VALUE_CHARS).substring(0, VALUE_CHARS);
    }
}
