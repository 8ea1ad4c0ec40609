package io.understudy.testkit.history;

import io.understudy.testkit.history.Write.Kind;
import io.understudy.testkit.history.Write.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Everything that clients did to sessions, with the answers they got, to be compared with what the members hold at the
 * end.
 *
 * <p>Each session carries its name in the attribute {@value #NAME}, and each value the number of the write that set it.
 *
 * <p>Threads: any.
 */
public final class History {

    /** The attribute that holds the name of the session. */
    public static final String NAME = "name";

    private static final char SEPARATOR = '|';

    /**
     * What a client saw.
     *
     * @param value {@code null} if the attribute was absent
     */
    record Read(String session, String attribute, @Nullable String value, String node, long began) {}

    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Queue<Write>> writes = new ConcurrentHashMap<>();
    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
    private final boolean kept;

    public History() {
        this(true);
    }

    private History(boolean kept) {
        this.kept = kept;
    }

    /**
     * A history that only numbers writes, for experiments that measure time and judge nothing: what grows makes the
     * collections of the measuring process long, and they would be taken for the members' time.
     */
    public static History unkept() {
        return new History(false);
    }

    /** The number of the next write. */
    public long number() {
        return numbers.incrementAndGet();
    }

    /** A value that has the number of the write that set it, at least {@code length} characters long. */
    public static String value(long number, int length) {
        String head = Long.toString(number) + SEPARATOR;
        return head + "x".repeat(Math.max(0, length - head.length()));
    }

    /** The number of the write that set this value; -1 if no write of a history did. */
    static long numberOf(String value) {
        int end = value.indexOf(SEPARATOR);
        try {
            return end < 0 ? -1 : Long.parseLong(value.substring(0, end));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public void add(Write write) {
        if (!kept) {
            return;
        }
        writes.computeIfAbsent(write.session(), session -> new ConcurrentLinkedQueue<>())
                .add(write);
    }

    /** A client read an attribute of a coherent cluster. */
    public void read(String session, String attribute, @Nullable String value, String node, long began) {
        if (kept) {
            reads.add(new Read(session, attribute, value, node, began));
        }
    }

    Map<String, Queue<Write>> writes() {
        return writes;
    }

    Queue<Read> reads() {
        return reads;
    }

    /** How many writes had this outcome. */
    public long count(Outcome outcome) {
        return writes.values().stream()
                .flatMap(Queue::stream)
                .filter(write -> write.outcome() == outcome)
                .count();
    }

    /** When writes with this outcome were answered. */
    public List<Long> ends(Outcome outcome) {
        return writes.values().stream()
                .flatMap(Queue::stream)
                .filter(write -> write.outcome() == outcome)
                .map(Write::ended)
                .sorted()
                .toList();
    }

    /** Whether a client asked for the end of this session. */
    public boolean endAsked(String session) {
        return writes.getOrDefault(session, new ConcurrentLinkedQueue<>()).stream()
                .anyMatch(write -> write.kind() == Kind.INVALIDATE);
    }

    /**
     * Compares with what the members hold, by member, id and attribute, when nothing is under way any more.
     *
     * @param promise what was promised about writes
     */
    public Verdict judge(Map<String, Map<String, Map<String, String>>> members, Promise promise) {
        return new Judge(this, promise).judge(members);
    }

    /** The writes of one session that could matter for one attribute. */
    List<Write> of(String session, String attribute) {
        List<Write> found = new ArrayList<>();
        for (Write write : writes.getOrDefault(session, new ConcurrentLinkedQueue<>())) {
            if (write.attribute().equals(attribute)) {
                found.add(write);
            }
        }
        return found;
    }
}
