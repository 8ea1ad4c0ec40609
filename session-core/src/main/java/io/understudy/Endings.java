package io.understudy;

import io.understudy.ExpiryScan.Due;
import io.understudy.cluster.ClusterExpiry;
import io.understudy.expiry.Claim;
import io.understudy.expiry.Verdict;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who ends sessions, in one context of an application.
 *
 * <p>Threads: any, unless said otherwise; requests and those who end sessions wait here, never longer than said.
 */
final class Endings {

    /** How long one who lost waits for the one who ends the session, beyond the votes: its listeners run. */
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    /** No thread begins an expiry while so many ends are at risk: with one more for each thread they stay below 32. */
    private static final int MOST_AT_RISK = 32 - ExpiryThreads.THREADS;

    private final ClusterExpiry expiry;
    private final WaitLimit places;
    private final Duration voteLimit;

    /**
     * @param places for requests that wait for the outcome of a claim
     * @param voteLimit how long members may take to vote on an invalidation, and how long a request waits for the outcome of
     *     a claim: if above the time failure detection takes, members that can't reach each other are on two sides before
     *     both go on without the other's vote
     */
    Endings(ClusterExpiry expiry, WaitLimit places, Duration voteLimit) {
        this.expiry = expiry;
        this.places = places;
        this.voteLimit = voteLimit;
    }

    /**
     * A request for the session arrives.
     *
     * @param mayWait asked if the request has to wait
     * @return false if it may not have it yet
     */
    boolean arrives(StoredReplica stored, BooleanSupplier mayWait) {
        return expiry.arrives(stored, mayWait, voteLimit);
    }

    /**
     * Begins to look for sessions to end.
     *
     * @param due those that may be due; asked for only if this node may claim
     * @param find a session that is alive
     */
    ExpiryScan scan(Supplier<Stream<Due>> due, Function<SessionKey, @Nullable LiveSession> find) {
        return new ExpiryScan(expiry, due, find);
    }

    /**
     * Begins the end of a session for a request. If the request has to wait and {@code maxWaitingRequests} others do, it
     * goes on after 20 ms: without the votes that are missing then, or while another node ends the session.
     *
     * @param waits whether the request waits for the others' votes, or for none
     */
    boolean begin(LiveSession session, boolean waits) {
        long end = System.nanoTime() + voteLimit.plus(END_LIMIT).toNanos();
        boolean decided = true;
        try (WaitLimit.Turn turn = places.turn()) {
            while (decided && session.valid()) {
                Claim claim = session.claim(Claim.Kind.INVALIDATION);
                Verdict verdict = waits ? expiry.begin(claim, turn::mayWait, voteLimit) : expiry.beginSoon(claim);
                if (verdict == Verdict.GRANTED) {
                    return true;
                }
                Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                decided = expiry.awaitEnd(session.key(), verdict == Verdict.ENDED, turn::mayWait, left)
                        && System.nanoTime() < end;
            }
            return false;
        }
    }

    boolean beginExpiry(LiveSession session) {
        if (expiry.begin(session.key())) {
            return true;
        }
        Claim claim = session.claim(Claim.Kind.EXPIRY); // Before it is found to be overdue: see Due.
        return session.valid()
                && session.overdue()
                && expiry.mayExpire()
                && expiry.begin(claim, () -> true, ExpiryScan.VOTE_LIMIT) == Verdict.GRANTED;
    }

    void giveUp(LiveSession session) {
        expiry.giveUp(List.of(session.key()));
    }

    /** @param tombstone on its way to the other members */
    void finish(LiveSession session, Commit tombstone) {
        CompletionStage<?> acknowledged = tombstone.decided();
        try {
            acknowledged = tombstone.outcome();
        } finally {
            expiry.finish(session.key(), acknowledged); // Also without memory for the time limit: the claim would stay.
        }
    }

    /**
     * Waits until fewer than {@value #MOST_AT_RISK} ends are at risk, {@code ackTimeout} at most: tombstones go out without
     * waiting for each other, but an heir should have to repeat few of them.
     */
    void awaitRoom() {
        expiry.awaitEndsAtRisk(MOST_AT_RISK, voteLimit);
    }
}
