package io.understudy.rehearsal;

import java.util.Map;

/**
 * How many sessions of other members this node could not take over, by what one round saw. Exact if the round saw all.
 *
 * <p>Threads: one at a time, until it is published.
 */
final class RehearsalEstimate {

    static final RehearsalEstimate NOTHING = new RehearsalEstimate();

    /** By the number of the reason. */
    private final long[] failing = new long[RehearsalReason.values().length + 1];

    /** Live sessions on the node, as far as others know them. */
    private long held;

    private Map<RehearsalReason, Long> remembered = Map.of();
    private long live;
    private long ofOthers;
    private long known;

    /** A live session that is this node's own. */
    void own() {
        live++;
    }

    /** A session of another member that was not rehearsed as it is now. */
    void unknown() {
        live++;
        ofOthers++;
    }

    /**
     * A session of another member.
     *
     * @param outcome the number of the reason, or {@link RehearsalReason#NONE} if the node could take it over
     */
    void known(int outcome) {
        unknown();
        known++;
        failing[outcome]++;
    }

    /**
     * The round is over.
     *
     * @param held live sessions that the round would have seen without its bounds
     * @param remembered failing sessions that are known whatever the round saw, by reason
     * @return whether it found out anything
     */
    boolean complete(boolean sawAll, long held, Map<RehearsalReason, Long> remembered) {
        this.held = sawAll ? live : Math.max(held, live);
        this.remembered = remembered;
        return known > 0 || ofOthers == 0;
    }

    /** All sessions that fail for this reason; at least those that are known to. */
    long failing(RehearsalReason reason) {
        long seen = failing[reason.number()];
        long least = Math.max(seen, remembered.getOrDefault(reason, 0L));
        return seen == 0 ? least : Math.max(least, Math.round(seen * ((double) held / live * ofOthers / known)));
    }
}
