package io.understudy.session.attributes;

/**
 * When a value that could not be encoded is tried again: by the next commit, the second one after that, the fourth one and so
 * on, and every 64th commit at least.
 *
 * <p>Threads: guarded by the slot.
 */
final class EncodingTries {

    private static final int MOST_DOUBLED = 6;

    private int failures;

    /** Commits since the last failure. */
    private int passed;

    void failed() {
        failures++;
        passed = 0;
    }

    /** It was encoded, or there is another value. */
    void ended() {
        failures = 0;
    }

    /** To be asked by each commit after a failure. */
    boolean isTurn() {
        passed++;
        return passed >= 1 << Math.min(failures - 1, MOST_DOUBLED);
    }
}
