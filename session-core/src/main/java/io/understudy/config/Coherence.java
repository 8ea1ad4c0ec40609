package io.understudy.config;

/** Whether a response waits until the other members hold the changes of its request. */
public enum Coherence {
    /** Wait for the acknowledgement of every member that is ready for the application. */
    COHERENT,
    /** Send and do not wait. */
    INCOHERENT
}
