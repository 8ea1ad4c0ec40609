package io.understudy.testkit.faultsweep;

/** A cluster, and what it is at when something is thrown in one of its nodes; for one run after the other. Threads: one. */
public interface Swept extends AutoCloseable {

    /** Begins a run. Nothing is thrown yet. */
    void prepare();

    /** What may have something thrown in it. Fails only if that is broken which no fault may break. */
    void act();

    /** Fails if anything is broken, or left, when nothing is thrown any more. */
    void check();

    @Override
    void close();
}
