package io.understudy.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * How long tombstones stay, and what the loss of one means. All times are monotonic milliseconds of this process.
 *
 * <p>A tombstone goes early once it is <em>settled</em>: it is past its minimum life, every member here is proven to hold
 * it, and no member that was there during the session's life is missing without a goodbye. Any other goes at the horizon,
 * or before it if there are too many; then it is <em>forgotten</em>, and that is noted. A session that arrives later,
 * although it was created before its sender was cut off from here and is not known here, must have ended: it is refused. Of
 * one created shortly before that this can't be told, as it may never have come here: tombstones of such sessions stay past
 * the horizon, until that member is back and proven to hold them. And once it is back, no tombstone of its absence is
 * forgotten before that: it would be missed by whoever compares a moment later, and by nobody be refused any more.
 *
 * <p>Threads: any.
 */
public final class Tombstones {

    /** The least time, in milliseconds, that a settled tombstone stays: longer than any answer is under way. */
    static final long MINIMUM_LIFE_MILLIS = 10L * 60 * 1000;

    /**
     * How long before a separation was noticed, in milliseconds, it may have begun, and how inexact ages may be: a session
     * younger than this at the separation may never have reached this member.
     */
    static final long MARGIN_MILLIS = 60_000;

    /** So many horizons long a member may be missing for which tombstones stay past theirs. */
    private static final int MAX_HORIZONS = 7;

    private static final long NEVER = Long.MIN_VALUE;

    private final long horizonMillis;
    private final int bound;
    private long provenBefore = NEVER;
    private long allKnownSince = Long.MAX_VALUE;
    private long forgottenEnd = NEVER;
    private long apartSince = NEVER;

    /** When members left without a goodbye that may come back, or are back and not proven to hold the tombstones of before. */
    private List<Long> departures = List.of();

    /** Of these the ones that are back. */
    private List<Long> returned = List.of();

    /**
     * @param horizonMillis the longest time a tombstone stays
     * @param bound how many stay at most
     */
    public Tombstones(long horizonMillis, int bound) {
        this.horizonMillis = horizonMillis;
        this.bound = bound;
    }

    int bound() {
        return bound;
    }

    /**
     * What is known of the other members.
     *
     * @param provenBefore every other member is proven to hold the tombstones of before
     * @param allKnownSince of every session created later, this member knows who can have held it, and none of them left
     *     without a goodbye
     * @param missing when those left without a goodbye that are not back
     */
    public synchronized void settled(long provenBefore, long allKnownSince, Collection<Long> missing) {
        this.provenBefore = provenBefore;
        this.allKnownSince = allKnownSince;
        returned = departures.stream()
                .filter(at -> !missing.contains(at) && at >= provenBefore)
                .toList();
        List<Long> now = new ArrayList<>(missing);
        now.addAll(returned);
        departures = List.copyOf(now);
    }

    /** Members that had been cut off since this time are there again, with what they hold. */
    public synchronized void apart(long since) {
        apartSince = since;
        if (!departures.contains(since)) {
            List<Long> now = new ArrayList<>(departures);
            now.add(since);
            departures = List.copyOf(now); // They were not away for long enough to be told of as missing.
        }
    }

    /** Whether this tombstone need not stay. */
    synchronized boolean over(StoredReplica tombstone, long now) {
        long age = now - tombstone.endedAt();
        if (age > horizonMillis) {
            if (age <= MAX_HORIZONS * horizonMillis
                    && (departures.stream().anyMatch(at -> doubtful(tombstone, at))
                            || returned.stream().anyMatch(at -> tombstone.endedAt() >= at - margin()))) {
                return false;
            }
            forget(tombstone);
            return true;
        }
        return age > MINIMUM_LIFE_MILLIS && tombstone.endedAt() < provenBefore && tombstone.createdAt() > allKnownSince;
    }

    /** Whether a member that left then may have held the session, and this one could not tell that it must have ended. */
    private boolean doubtful(StoredReplica tombstone, long departure) {
        return tombstone.createdAt() >= departure - margin() && tombstone.createdAt() <= departure;
    }

    /** A tombstone goes that somebody may lack. */
    synchronized void forget(StoredReplica tombstone) {
        if (tombstone.replica().invalidated()) {
            forgottenEnd = Math.max(forgottenEnd, tombstone.endedAt());
        }
    }

    /**
     * Whether a session that is not known here, and began at {@code createdAt}, must have ended: it began while nobody was
     * cut off, so this member held it, and an invalidation from after that time was forgotten here.
     */
    synchronized boolean forgotten(long createdAt) {
        return apartSince != NEVER
                && createdAt < apartSince - margin()
                && forgottenEnd != NEVER
                && forgottenEnd >= apartSince - margin();
    }

    private long margin() {
        return Math.min(MARGIN_MILLIS, horizonMillis / 2);
    }
}
