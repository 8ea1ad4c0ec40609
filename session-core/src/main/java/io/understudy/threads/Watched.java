package io.understudy.threads;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Something of a node that must not stand still, for the {@link Watchdog}.
 *
 * <p>Threads: the watchdog's, once it is watched.
 */
public final class Watched {

    /** Looks without a step after which it stands still. */
    public static final int PATIENCE = 10;

    private final String what;
    private final LongSupplier steps;
    private BooleanSupplier busy = () -> true;
    private BooleanSupplier over = () -> false;
    private Runnable care = () -> {};
    private Runnable end = () -> {};
    private int patience = PATIENCE;
    private int endAfter = Integer.MAX_VALUE;
    private long last;
    private int still;

    /**
     * @param what it does, for people
     * @param steps changes as long as it gets on
     */
    public Watched(String what, LongSupplier steps) {
        this.what = what;
        this.steps = steps;
        this.last = steps.getAsLong();
    }

    /** Only while this holds it has to get on. */
    public Watched whenever(BooleanSupplier condition) {
        busy = condition;
        return this;
    }

    /** When this holds it is watched no more. */
    Watched until(BooleanSupplier condition) {
        over = condition;
        return this;
    }

    /** It may stand still for so many looks. */
    public Watched patience(int looks) {
        patience = looks;
        return this;
    }

    /** What is done with each look to have it get on. */
    public Watched care(Runnable task) {
        care = task;
        return this;
    }

    /** What is done, once, when it did not get on for so many looks. */
    public Watched end(int looks, Runnable task) {
        endAfter = looks;
        end = task;
        return this;
    }

    String what() {
        return what;
    }

    boolean over() {
        return over.getAsBoolean();
    }

    /** Looks whether it got on; to be called once in a second. */
    void look() {
        care.run();
        long now = steps.getAsLong();
        still = now == last && busy.getAsBoolean() ? still + 1 : 0;
        last = now;
        if (still == endAfter) {
            end.run();
        }
    }

    /** For how many looks it has not got on. */
    public int still() {
        return still;
    }

    boolean standsStill() {
        return still >= patience;
    }
}
