package io.understudy.config.session;

/** Whether a response waits until the other members hold the changes of its request. */
public enum Coherence {
    /**
     * Wait for the acknowledgements of the members that are ready for the application: of all, or as {@link Acks}
     * defines.
     */
    COHERENT,
    /** Send and do not wait. */
    INCOHERENT
}
