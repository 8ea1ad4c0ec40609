package io.understudy.benchmarks.memory;

import io.understudy.Understudy;
import io.understudy.benchmarks.figures.Figures;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.SessionUse;
import io.understudy.testkit.Await;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A node in a process of its own that gets more sessions than its heap holds, then reads each as a request does, in
 * random order. Prints what it saw as {@link Figures}.
 */
final class FullNode {

    private static final int VALUE_BYTES = 4096;
    private static final Duration READY = Duration.ofSeconds(30);

    private FullNode() {}

    /** @param args the number of sessions, the directory for what does not fit, and the port */
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        UnderstudyConfig config = UnderstudyConfig.builder()
                .set(Setting.SPILL_DIRECTORY, args[1])
                .set(Setting.COHERENCE, "incoherent")
                .set(Setting.START_ALONE, "serve")
                .set(Setting.WARM_UP, "off")
                .bind("127.0.0.1", Integer.parseInt(args[2]))
                .clusterName("full")
                .build();
        long began = System.nanoTime();
        try (Understudy node = Understudy.start(config);
                ReplicatedSessions sessions = node.join("/shop", FullNode.class::getClassLoader)) {
            Await.until(
                    READY,
                    () -> node.readiness().toString(),
                    () -> node.readiness().ready());
            for (int i = 0; i < count; i++) {
                LiveSession session = sessions.create("id-" + i, 3600);
                SessionUse use = session.use();
                use.begin();
                session.attributes().put("cart", value(i));
                Commit commit = use.commit(null);
                use.end();
                if (commit == Commit.NOTHING) {
                    throw new IllegalStateException("session " + i + " was not sent");
                }
            }
            long filled = System.nanoTime();
            long spilled = node.metrics().value(Counter.SESSIONS_SPILLED);
            int wrong = 0;
            for (int i : order(count)) {
                LiveSession session = sessions.find("id-" + i);
                boolean right = session != null
                        && session.attributes().get("cart") instanceof byte[] bytes
                        && Arrays.equals(bytes, value(i));
                wrong += right ? 0 : 1;
            }
            long ended = System.nanoTime();
            Map<String, Long> figures = new HashMap<>();
            figures.put("wrong", (long) wrong);
            figures.put("held", (long) sessions.ids().size());
            figures.put("spilled", spilled);
            figures.put("spill_errors", node.metrics().value(Counter.SPILL_ERRORS));
            figures.put("fill_ms", (filled - began) / 1_000_000);
            figures.put("read_ms", (ended - filled) / 1_000_000);
            figures.put("gc_ms", gcMillis());
            figures.put("max_heap_mb", Runtime.getRuntime().maxMemory() >> 20);
            System.out.println("figures: " + Figures.of(figures));
        }
    }

    private static long gcMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private static byte[] value(int session) {
        byte[] value = new byte[VALUE_BYTES];
        new SplittableRandom(session).nextBytes(value);
        return value;
    }

    private static int[] order(int count) {
        int[] order = new int[count];
        Arrays.setAll(order, i -> i);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = count - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int other = order[j];
            order[j] = order[i];
            order[i] = other;
        }
        return order;
    }
}
