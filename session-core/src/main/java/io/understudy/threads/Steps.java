package io.understudy.threads;

/**
 * What is done one after the other, all of it: each step as {@link Failures#insist} runs it, and whatever it throws, the
 * next one. The steps are made beforehand, so that taking them needs no memory.
 *
 * <p>Threads: one at a time.
 */
public final class Steps {

    private final String what;
    private final Failures failures;
    private final Runnable[] steps;

    /**
     * @param what the steps do together, for the log
     * @param steps each may be taken again after it was done in part
     */
    public Steps(String what, Failures failures, Runnable... steps) {
        this.what = what;
        this.failures = failures;
        this.steps = steps.clone();
    }

    /** Takes all steps. */
    public void take() {
        for (Runnable step : steps) {
            boolean unused = failures.insist(what, step);
        }
    }
}
