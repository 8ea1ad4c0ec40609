package io.understudy.config.session;

/** How many of the members that are ready for the application a coherent response waits for; the most first. */
public enum Acks {
    /** Every one. */
    ALL,
    /** So many that, with this one, more than half of them hold the change. */
    MAJORITY,
    /** One: with this one, two nodes hold the change. */
    ONE;

    /**
     * How many acknowledgements are asked for.
     *
     * @param others the other members that count
     * @return from 1 to {@code others}; 0 if there is none
     */
    public int of(int others) {
        return switch (this) {
            case ALL -> others;
            case MAJORITY -> (others + 1) / 2;
            case ONE -> Math.min(1, others);
        };
    }
}
