package io.understudy.config.session;

/** What happens to a coherent response whose changes were not acknowledged in time. */
public enum OnDegraded {
    /** The response leaves, marked as degraded. */
    PROCEED,
    /** The client gets 503, if nothing of the response was sent yet. The change stays and is still replicated. */
    REFUSE
}
