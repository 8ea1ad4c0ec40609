package io.understudy.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * How long tombstones stay, and what the loss of one means. All times are monotonic milliseconds of this process.
 *
 * <p>A tombstone goes early once it is <em>settled</em>. Then it is past its minimum life, every member here is proven
 * to hold it, and no member that was there during the session's life is missing without a goodbye. Any other goes at
 * the horizon, or before it if there are too many; then it is <em>forgotten</em>, and that is noted.
 *
 * <p>A session that arrives later, although it was created before its sender was cut off from here and is not known
 * here, must have ended: it is refused. This can't be decided for a session that was created shortly before that, as it
 * may never have come here. So tombstones of such sessions stay past the horizon, until that member is back and proven
 * to hold them. Once it is back, no tombstone of its absence is forgotten before that: a member that compares a moment
 * later would miss it, and nothing would refuse the session any more.
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

    /** Counts what lets tombstones go that had to stay. */
    private long news;

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
        List<Long> before = departures;
        List<Long> returnedBefore = returned;
        boolean knowsMore = allKnownSince < this.allKnownSince;
        this.provenBefore = provenBefore;
        this.allKnownSince = allKnownSince;
        returned = departures.stream()
                .filter(at -> !missing.contains(at) && at >= provenBefore)
                .toList();
        List<Long> now = new ArrayList<>(missing);
        now.addAll(returned);
        departures = List.copyOf(now);
        if (knowsMore || !departures.equals(before) || !returned.equals(returnedBefore)) {
            news++;
        }
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

    /** What a tombstone stays for. */
    enum Stay {
        /** Nothing: it goes. */
        OVER,
        /** It may be settled once it is {@linkplain #settleable old enough} and proven to be held by every member. */
        UNTIL_SETTLED,
        /** A member that may have held its session is missing. */
        UNTIL_HORIZON,
        /** Without it, it could not be told whether its session, when it comes back, ended here or never was here. */
        PAST_HORIZON
    }

    /** What this tombstone stays for now. That changes with time, and with {@link #news}. */
    synchronized Stay stay(StoredReplica tombstone, long now) {
        long endedAt = tombstone.endedAt();
        if (endedAt < horizon(now)) {
            if (endedAt >= lastHorizon(now)
                    && (departures.stream().anyMatch(at -> doubtful(tombstone, at))
                            || returned.stream().anyMatch(at -> endedAt >= at - margin()))) {
                return Stay.PAST_HORIZON;
            }
            forget(tombstone);
            return Stay.OVER;
        }
        if (endedAt >= settled(now)) {
            return Stay.UNTIL_SETTLED;
        }
        return tombstone.createdAt() > allKnownSince ? Stay.OVER : Stay.UNTIL_HORIZON;
    }

    /** Those that ended before this are past the horizon. */
    long horizon(long now) {
        return now - horizonMillis;
    }

    /** Those that ended before this go in any case. */
    long lastHorizon(long now) {
        return now - MAX_HORIZONS * horizonMillis;
    }

    /** Those that ended before this may not have to stay {@linkplain Stay#UNTIL_SETTLED until they are settled} any more. */
    synchronized long settleable(long now) {
        return Math.max(settled(now), horizon(now));
    }

    private long settled(long now) {
        return Math.min(provenBefore, now - MINIMUM_LIFE_MILLIS);
    }

    /** Another number each time after which some may go that stayed for {@link Stay#UNTIL_HORIZON} or {@link Stay#PAST_HORIZON}. */
    synchronized long news() {
        return news;
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
