package io.understudy.threads;

import java.util.function.BiConsumer;

/**
 * What is done one after the other, all of it. What a step throws is reported. It is taken again, at once, {@value
 * Failures#TRIES} times in all, and then the next one. The steps are made beforehand, so that taking them needs no memory.
 *
 * <p>Threads: one at a time.
 */
public final class Steps {

    private final String what;
    private final BiConsumer<String, Throwable> report;
    private final Runnable[] steps;

    /**
     * @param what the steps do together, for the log
     * @param report gets {@code what} and what a step threw; throws nothing
     * @param steps each may be taken again after it was done in part
     */
    public Steps(String what, BiConsumer<String, Throwable> report, Runnable... steps) {
        this.what = what;
        this.report = report;
        this.steps = steps.clone();
    }

    /** Takes all steps. */
    public void take() {
        for (Runnable step : steps) {
            for (int tries = 0; tries < Failures.TRIES && !done(step); tries++) {}
        }
    }

    private boolean done(Runnable step) {
        try {
            step.run();
            return true;
        } catch (Throwable e) {
            report.accept(what, e);
            return false;
        }
    }
}
