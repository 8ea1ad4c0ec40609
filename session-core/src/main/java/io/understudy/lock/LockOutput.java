package io.understudy.lock;

/** What {@link SessionLocks} wants done, in this order. */
public sealed interface LockOutput<M> {

    /** Send a message to another member, in order with earlier ones to it. */
    record Send<M>(M to, LockMessage message) implements LockOutput<M> {}

    /** A claim made here has the lock. Repeated, with the same fence, when it may have been lost. */
    record Granted<M>(long request, long fence) implements LockOutput<M> {}
}
