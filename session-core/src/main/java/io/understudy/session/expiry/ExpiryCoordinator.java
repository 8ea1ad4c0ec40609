package io.understudy.session.expiry;

import io.understudy.cluster.expiry.ClusterExpiry;
import io.understudy.expiry.Claim;
import io.understudy.expiry.Verdict;
import io.understudy.replica.SessionKey;
import io.understudy.session.expiry.ExpiryScan.Due;
import io.understudy.session.requests.WaitLimit;
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
 * Coordinates the end of sessions for one deployment of an application: decides which node runs the listeners.
 *
 * <p>Threads: any, unless a method restricts it. Requests, and threads that end sessions, wait here within the limits
 * given.
 *
 * @param <S> a session in use
 */
public final class ExpiryCoordinator<S> {

    /** How long one who lost waits for the one who ends the session, beyond the votes: its listeners run. */
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    /** No thread begins an expiry while so many ends are at risk: with one more for each thread they stay below 32. */
    private static final int MOST_AT_RISK = 32 - ExpiryThreads.THREADS;

    private final ClusterExpiry expiry;
    private final EndableSessions<S> sessions;
    private final WaitLimit places;
    private final Duration voteLimit;

    /**
     * @param places for requests that wait for the outcome of a claim
     * @param voteLimit how long members may take to vote on an invalidation, and how long a request waits for the
     *     outcome of a claim. If it is above the time that failure detection takes, members that can't reach each other
     *     are on two sides before both go on without the other's vote
     */
    public ExpiryCoordinator(ClusterExpiry expiry, EndableSessions<S> sessions, WaitLimit places, Duration voteLimit) {
        this.expiry = expiry;
        this.sessions = sessions;
        this.places = places;
        this.voteLimit = voteLimit;
    }

    /**
     * A request for the session arrives.
     *
     * @param mayWait asked if the request has to wait
     * @return false if it may not have it yet
     */
    public boolean arrives(StoredReplica stored, BooleanSupplier mayWait) {
        return expiry.arrives(stored, mayWait, voteLimit);
    }

    /**
     * Begins to look for sessions to end.
     *
     * @param due those that may be due; asked for only if this node may claim
     * @param find a session that is alive
     */
    ExpiryScan<S> scan(Supplier<Stream<Due<S>>> due, Function<SessionKey, @Nullable S> find) {
        return new ExpiryScan<>(expiry, sessions, due, find);
    }

    /**
     * Begins the end of a session for a request. If the request has to wait and {@code maxWaitingRequests} others do, it
     * goes on after 20 ms: without the votes that are missing then, or while another node ends the session.
     *
     * @param waits whether the request waits for the others' votes, or for none
     */
    public boolean begin(S session, boolean waits) {
        long end = System.nanoTime() + voteLimit.plus(END_LIMIT).toNanos();
        boolean decided = true;
        try (WaitLimit.Turn turn = places.turn()) {
            while (decided && sessions.valid(session)) {
                Claim claim = sessions.claim(session, Claim.Kind.INVALIDATION);
                Verdict verdict = waits ? expiry.begin(claim, turn::mayWait, voteLimit) : expiry.beginSoon(claim);
                if (verdict == Verdict.GRANTED) {
                    return true;
                }
                Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                decided = expiry.awaitEnd(sessions.key(session), verdict == Verdict.ENDED, turn::mayWait, left)
                        && System.nanoTime() < end;
            }
            return false;
        }
    }

    /**
     * Begins the end of a session that is due, and which a scan was granted, or a request has found to be overdue. The
     * request waits for the others' votes, 2 seconds at most. If {@code maxWaitingRequests} others wait, it waits for 20 ms,
     * and the session is left to a scan.
     */
    public boolean beginExpiry(S session) {
        if (expiry.begin(sessions.key(session))) {
            return true;
        }
        Claim claim = sessions.claim(session, Claim.Kind.EXPIRY); // Before it is found to be overdue: see Due.
        try (WaitLimit.Turn turn = places.turn()) {
            return sessions.valid(session)
                    && sessions.overdue(session)
                    && expiry.mayExpire()
                    && expiry.begin(claim, turn::mayWait, ExpiryScan.VOTE_LIMIT) == Verdict.GRANTED;
        }
    }

    public void giveUp(S session) {
        expiry.giveUp(List.of(sessions.key(session)));
    }

    /** @param acknowledged completes when the other members have its tombstone, or are not waited for any more */
    public void finish(SessionKey key, CompletionStage<?> acknowledged) {
        expiry.finish(key, acknowledged);
    }

    /**
     * Waits until fewer than {@value #MOST_AT_RISK} ends are at risk, {@code ackTimeout} at most: tombstones go out without
     * waiting for each other, but an heir should have to repeat few of them.
     */
    void awaitRoom() {
        expiry.awaitEndsAtRisk(MOST_AT_RISK, voteLimit);
    }
}
