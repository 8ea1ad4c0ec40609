package io.understudy.benchmarks.memory;

import io.understudy.Understudy;
import io.understudy.benchmarks.figures.Figures;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.SessionRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Members in one process: the first gets many sessions, of which some are logged out. Then two join it at once, and
 * another one later, while users of the first log out. Prints as {@link Figures} how long that took, and what the threads
 * of members worked for it.
 */
final class ManyMembers {

    /** Before the last one joins. */
    private static final int MEMBERS = 3;

    private static final Duration READY = Duration.ofMinutes(10);
    private static final long WATCHED_MILLIS = 20_000;

    /** How long users log out before the last one joins. */
    private static final Duration ALONE = Duration.ofSeconds(20);

    private ManyMembers() {}

    /** @param args the number of sessions that stay, of those that are logged out, and the first port */
    public static void main(String[] args) throws Exception {
        int sessions = Integer.parseInt(args[0]);
        int tombstones = Integer.parseInt(args[1]);
        int port = Integer.parseInt(args[2]);
        List<AutoCloseable> open = new ArrayList<>();
        try {
            Understudy first = start(0, port, open);
            ReplicatedSessions application = join(first, open);
            awaitReady(first);
            for (int i = 0; i < sessions + tombstones; i++) {
                LiveSession session = application.create("id-" + i, 7200);
                SessionRequest.send(session, () -> session.attributes().put("user", "ada"));
                if (i >= sessions && session.beginEnd()) {
                    session.invalidate();
                }
            }
            Map<String, Number> figures = new HashMap<>();
            long began = System.nanoTime();
            List<Understudy> others = List.of(start(1, port, open), start(2, port, open));
            List<ReplicatedSessions> joined = new ArrayList<>();
            for (Understudy other : others) {
                joined.add(join(other, open));
            }
            others.forEach(ManyMembers::awaitReady);
            figures.put("ready_ms", (System.nanoTime() - began) / 1_000_000);
            figures.put(
                    "held",
                    Math.min(joined.get(0).ids().size(), joined.get(1).ids().size()));
            figures.put("timer_percent", timers());
            figures.putAll(joinBesideLogouts(first, application, port, open));
            System.out.println("figures: " + Figures.of(figures));
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }

    private static Map<String, Number> joinBesideLogouts(
            Understudy first, ReplicatedSessions application, int port, List<AutoCloseable> open) {
        Logouts logouts = new Logouts(first, application);
        logouts.alone(ALONE);
        long answered = answers();
        Understudy last = start(MEMBERS, port, open);
        ReplicatedSessions joining = join(last, open);
        Map<String, Number> figures = new HashMap<>();
        int beside = logouts.beside(() -> !last.readiness().ready());
        figures.put("logouts_beside", beside);
        awaitReady(last);
        figures.put("answer_ms", answers() - answered);
        figures.put("last_held", joining.ids().size());
        figures.putAll(logouts.figures(beside));
        return figures;
    }

    /** What the members that are ready worked for answers to others. */
    private static long answers() {
        long sum = 0;
        for (int i = 0; i < MEMBERS; i++) {
            sum += millis("member" + i, "answer");
        }
        return sum;
    }

    private static Understudy start(int member, int port, List<AutoCloseable> open) {
        UnderstudyConfig.Builder builder = UnderstudyConfig.builder()
                .clusterName("many")
                .nodeName("member" + member)
                .bind("127.0.0.1", port + member)
                .hosts("127.0.0.1:" + port)
                .set(Setting.COHERENCE, "incoherent")
                .set(Setting.MAX_MEMORY, "30%")
                .set(Setting.START_ALONE, member == 0 ? "serve" : "wait 60s")
                .set(Setting.WARM_UP, "off");
        Understudy node = Understudy.start(builder.build());
        open.add(0, node);
        return node;
    }

    private static ReplicatedSessions join(Understudy node, List<AutoCloseable> open) {
        ReplicatedSessions sessions = node.join("/shop", ManyMembers.class::getClassLoader);
        open.add(0, sessions);
        return sessions;
    }

    private static void awaitReady(Understudy node) {
        Await.until(
                READY, () -> node.readiness().toString(), () -> node.readiness().ready());
    }

    /** The largest share of a processor that a member took. */
    private static double timers() throws InterruptedException {
        long[] before = new long[MEMBERS];
        for (int i = 0; i < before.length; i++) {
            before[i] = timers("member" + i);
        }
        Thread.sleep(WATCHED_MILLIS);
        double most = 0;
        for (int i = 0; i < before.length; i++) {
            most = Math.max(most, 100.0 * (timers("member" + i) - before[i]) / WATCHED_MILLIS);
        }
        return most;
    }

    private static long timers(String member) {
        return millis(member, "timer") + millis(member, "prompt-timer");
    }

    /** The time of a processor that the threads of a member with this role took. */
    private static long millis(String member, String role) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("understudy-" + member + "-" + role))
                        .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getId())))
                        .sum()
                / 1_000_000;
    }
}
