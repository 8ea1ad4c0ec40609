package io.understudy.testkit.member;

import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.SessionRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Many sessions of one attribute, or none, made and checked where they are, as carrying them to and fro would take longer than what
 * is measured. Each value can be told from the session's number.
 *
 * <p>Threads: any.
 */
final class Filling {

    private static final String PREFIX = "fill-";
    private static final String ATTRIBUTE = "content";
    private static final int HEX = 16;

    private Filling() {}

    static boolean made(String id) {
        return id.startsWith(PREFIX);
    }

    static String id(int number) {
        return PREFIX + number;
    }

    static String value(int number, int bytes) {
        SplittableRandom random = new SplittableRandom(number);
        byte[] value = new byte[bytes];
        for (int i = 0; i < bytes; ) {
            for (long bits = random.nextLong(), left = HEX; left > 0 && i < bytes; left--, bits >>>= 4) {
                value[i++] = (byte) ('a' + (bits & (HEX - 1)));
            }
        }
        return new String(value, StandardCharsets.ISO_8859_1);
    }

    /** Makes the sessions of these numbers; how many ended as this node's coherence asks. */
    static long make(ReplicatedSessions sessions, int from, int to, int idleSeconds, int bytes, int threads) {
        AtomicInteger next = new AtomicInteger(from);
        LongAdder done = new LongAdder();
        Thread[] workers = new Thread[threads];
        Arrays.setAll(
                workers,
                index -> new Thread(
                        () -> {
                            for (int n = next.getAndIncrement(); n < to; n = next.getAndIncrement()) {
                                done.add(make(sessions, n, idleSeconds, bytes) ? 1 : 0);
                            }
                        },
                        "fill-" + index));
        for (Thread worker : workers) {
            worker.start();
        }
        try {
            for (Thread worker : workers) {
                worker.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return done.sum();
    }

    private static boolean make(ReplicatedSessions sessions, int number, int idleSeconds, int bytes) {
        LiveSession session = sessions.create(id(number), idleSeconds);
        if (bytes == 0) {
            return SessionRequest.use(session, () -> {}) != Outcome.DEGRADED;
        }
        Outcome outcome = SessionRequest.put(session, ATTRIBUTE, value(number, bytes));
        return outcome == Outcome.ACKNOWLEDGED || outcome == Outcome.SENT;
    }

    /** How many of the sessions are not here, and how many hold something else. Looks without using. */
    static long[] check(ReplicatedSessions sessions, int from, int to, int bytes) {
        long missing = 0;
        long wrong = 0;
        for (int number = from; number < to; number++) {
            LiveSession session = sessions.find(id(number));
            if (session == null) {
                missing++;
            } else if (!value(number, bytes).equals(session.attributes().get(ATTRIBUTE))) {
                wrong++;
            }
        }
        return new long[] {missing, wrong};
    }
}
