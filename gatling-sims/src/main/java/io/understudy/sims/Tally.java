package io.understudy.sims;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What all clients together saw. Threads: any. */
final class Tally {

    /** How many findings are kept word for word; all are counted. */
    private static final int KEPT_FINDINGS = 50;

    private static final double NANOS_PER_MILLI = 1e6;

    private final LongAdder loggedIn = new LongAdder();
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder degraded = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder interrupted = new LongAdder();
    private final AtomicLong longestWaitNanos = new AtomicLong();
    private final Map<String, LongAdder> answersByNode = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final Map<SessionHistory.Finding, LongAdder> findings = new ConcurrentHashMap<>();
    private final Queue<String> details = new ConcurrentLinkedQueue<>();
    private final long began = System.nanoTime();

    void loggedIn(String node) {
        loggedIn.increment();
        answered(node);
    }

    void acknowledged(String node) {
        acknowledged.increment();
        answered(node);
    }

    void degraded(String node) {
        degraded.increment();
        answered(node);
    }

    void read(String node) {
        reads.increment();
        answered(node);
    }

    /** A request without an answer of the shop: for a write, it is not known whether it happened. */
    void failed(String what, Answer answer) {
        String cause = what + ": " + (answer.status() == 0 ? "no answer" : "status " + answer.status());
        failures.computeIfAbsent(cause, name -> new LongAdder()).increment();
    }

    /**
     * A client got an answer.
     *
     * @param nanos since it sent its first request without answer, or this one
     * @param again whether there was such a one before
     */
    void waited(long nanos, boolean again) {
        if (again) {
            interrupted.increment();
        }
        longestWaitNanos.accumulateAndGet(nanos, Math::max);
    }

    void found(SessionHistory.Finding finding, String detail) {
        LongAdder count = findings.computeIfAbsent(finding, name -> new LongAdder());
        count.increment();
        if (count.sum() <= KEPT_FINDINGS) {
            details.add(String.format("%7.1f s  %s  %s", (System.nanoTime() - began) / 1e9, finding, detail));
        }
    }

    long sessions() {
        return loggedIn.sum();
    }

    long acknowledgedWrites() {
        return acknowledged.sum();
    }

    long count(SessionHistory.Finding finding) {
        LongAdder count = findings.get(finding);
        return count == null ? 0 : count.sum();
    }

    /** How many answers each node gave so far. */
    Map<String, Long> answersByNode() {
        Map<String, Long> counts = new TreeMap<>();
        answersByNode.forEach((node, count) -> counts.put(node, count.sum()));
        return counts;
    }

    /** The findings, oldest first, each with the time since the beginning. */
    List<String> details() {
        return List.copyOf(details);
    }

    /** For people, some lines. */
    String report() {
        StringBuilder text = new StringBuilder();
        line(text, "sessions", sessions());
        line(text, "acknowledged writes", acknowledged.sum());
        line(text, "degraded writes", degraded.sum());
        line(text, "reads", reads.sum());
        line(text, "answers by node", answersByNode());
        line(text, "requests without answer", new TreeMap<>(failures));
        line(
                text,
                "interruptions, longest",
                String.format("%d, %.0f ms", interrupted.sum(), longestWaitNanos.get() / NANOS_PER_MILLI));
        line(text, "lost sessions", count(SessionHistory.Finding.LOST_SESSION));
        line(text, "lost acknowledged writes", count(SessionHistory.Finding.LOST_WRITE));
        line(text, "repeated writes", count(SessionHistory.Finding.REPEATED_WRITE));
        line(text, "errors of nodes", count(SessionHistory.Finding.NODE_ERROR));
        line(text, "stalls", count(SessionHistory.Finding.STALL));
        details.forEach(detail -> text.append("  ").append(detail).append('\n'));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, Object value) {
        text.append(String.format("  %-26s %s%n", name, value));
    }

    private void answered(String node) {
        answersByNode.computeIfAbsent(node, name -> new LongAdder()).increment();
    }
}
