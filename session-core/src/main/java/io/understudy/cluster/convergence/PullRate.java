package io.understudy.cluster.convergence;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How fast sessions are pulled: how many are asked for in one question, and the rest after its answer.
 *
 * <p>At {@link #full} as many as one answer holds, and no rest: somebody waits. A joiner, whom nobody waits for, pulls
 * {@linkplain #beside beside} the requests of those it pulls from. Its answers are small, and so is the work for one, as
 * all else that goes to the joiner, or comes from the same threads, waits behind it. After each answer it rests twice as
 * long as the answer took. So a join has about a third of the time, on a machine of any speed. A rest is short in any case.
 * It interrupts the work of a provider, and does not wait for a slow network twice more. So the rests for a store have an
 * end.
 *
 * <p>Threads: one pull's.
 */
public final class PullRate {

    /** Sessions asked for in one question, at most. */
    static final int MAX_KEYS = 512;

    /** With less to pull a rest is no use: it is over in a tenth of a second. */
    public static final int UNNOTICED_SESSIONS = 1000;

    /** Bytes of sessions that a joiner's answers are to have: half a millisecond of a network of 1 Gbit/s. */
    public static final int BESIDE_BYTES = 64 << 10;

    /** Work for one answer: a millisecond, at the joiner. At the provider it takes about as long. */
    private static final long WORK_NANOS = 1_000_000;

    /** Where an answer takes long to come, as on a slow network, the work for it may take this part of that. */
    private static final int PART_OF_WAY = 4;

    /** Sessions that are asked for however long their work takes, if their bytes allow: so many of 4 KB. */
    private static final int LEAST_KEYS = 16;

    /** The first question of a joiner, which does not know yet how large sessions are. */
    private static final int FIRST_KEYS = 8;

    /** Rest for each time that an answer took. */
    private static final int RESTS = 2;

    /** Longest rest after an answer. 100,000 sessions of 4 KB are 6,700 answers, so the rests of a join of them take 20 s at most. */
    private static final Duration MAX_REST = Duration.ofMillis(3);

    private final boolean resting;
    private final Consumer<Duration> rest;
    private int keys;

    private PullRate(boolean resting, int keys, Consumer<Duration> rest) {
        this.resting = resting;
        this.keys = keys;
        this.rest = rest;
    }

    /** Without rests. */
    static PullRate full() {
        return new PullRate(false, MAX_KEYS, duration -> {});
    }

    /** Of a joiner. {@code rest} waits for so long. */
    static PullRate beside(Consumer<Duration> rest) {
        return new PullRate(true, FIRST_KEYS, rest);
    }

    /** How many sessions to ask for next. */
    int keys() {
        return keys;
    }

    /**
     * An answer came, and is merged.
     *
     * @param came how long after it was asked for
     * @param merged how long that took
     */
    void answered(int sessions, long bytes, Duration came, Duration merged) {
        if (!resting) {
            return;
        }
        if (sessions > 0) {
            long fit = BESIDE_BYTES * (long) sessions / Math.max(1, bytes);
            long work = Math.max(WORK_NANOS, came.toNanos() / PART_OF_WAY);
            fit = Math.min(fit, Math.max(LEAST_KEYS, work * sessions / Math.max(1, merged.toNanos())));
            keys = (int) Math.max(1, Math.min(MAX_KEYS, Math.min(fit, 2L * keys)));
        }
        rest(came.plus(merged));
    }

    /**
     * A page of digests came, and was compared.
     *
     * @param took since they were asked for
     */
    void compared(Duration took) {
        if (resting) {
            rest(took);
        }
    }

    private void rest(Duration took) {
        Duration wanted = took.multipliedBy(RESTS);
        rest.accept(wanted.compareTo(MAX_REST) < 0 ? wanted : MAX_REST);
    }
}
