package io.understudy;

import io.understudy.cluster.ClusterExpiry;
import io.understudy.expiry.Claim;
import io.understudy.expiry.Verdict;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** How long members may take to vote on expiries: these can be claimed again. */
    private static final Duration EXPIRY_LIMIT = Duration.ofSeconds(2);

    /** How long one who lost waits for the one who ends the session, beyond the votes: its listeners run. */
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    /** From how long, in milliseconds, before its time a session's arriving requests are noted: longer than they take. */
    private static final long NEARLY_DUE_MILLIS = 5000;

    /**
     * A session that may be due.
     *
     * @param still whether it is. Asked after the claim was made: of a use between the two the claim knows nothing, so the
     *     other members object. The other way round the claim would be made in the knowledge of that use, and none would.
     */
    record Due(LiveSession session, BooleanSupplier still) {}

    private final ClusterExpiry expiry;
    private final Duration voteLimit;

    /**
     * @param voteLimit how long members may take to vote on an invalidation, and how long a request waits for the outcome of
     *     a claim: if above the time failure detection takes, members that can't reach each other are on two sides before
     *     both go on without the other's vote
     */
    Endings(ClusterExpiry expiry, Duration voteLimit) {
        this.expiry = expiry;
        this.voteLimit = voteLimit;
    }

    /**
     * A request for the session arrives.
     *
     * @return false if it may not have it yet
     */
    boolean arrives(StoredReplica stored, long now) {
        SessionKey key = stored.replica().key();
        int seconds = stored.replica().maxInactiveSeconds();
        if (seconds > 0 && now - stored.usedAt() > seconds * 1000L - NEARLY_DUE_MILLIS) {
            expiry.arrives(key); // Before the look at claims, which are noted before arrivals are looked at.
        }
        return expiry.awaitUnclaimed(key, voteLimit);
    }

    /**
     * Claims what is due, and tells what may be ended here. One call at a time.
     *
     * @param due asked only if this node may claim now
     */
    List<LiveSession> expirable(Supplier<Stream<Due>> due, Function<SessionKey, @Nullable LiveSession> find) {
        Map<SessionKey, LiveSession> wanted = new LinkedHashMap<>();
        List<SessionKey> over = new ArrayList<>();
        for (SessionKey key : expiry.granted()) {
            LiveSession left = find.apply(key);
            if (left == null || left.inUse()) {
                over.add(key);
            } else {
                wanted.put(key, left);
            }
        }
        if (!over.isEmpty()) {
            expiry.giveUp(over);
        }
        if (expiry.mayExpire()) {
            Map<SessionKey, Claim> claims = new LinkedHashMap<>();
            for (Claim orphan : expiry.orphans()) {
                LiveSession session = find.apply(orphan.key());
                if (session == null) {
                    expiry.finish(orphan.key());
                } else {
                    session.inherit(orphan);
                    claims.put(orphan.key(), orphan);
                    wanted.put(orphan.key(), session);
                }
            }
            due.get()
                    .filter(found -> !wanted.containsKey(found.session().key()))
                    .forEach(found -> {
                        LiveSession session = found.session();
                        Claim claim = session.claim(Claim.Kind.EXPIRY);
                        if (found.still().getAsBoolean()) {
                            claims.put(session.key(), claim);
                            wanted.put(session.key(), session);
                        }
                    });
            expiry.claim(List.copyOf(claims.values()), EXPIRY_LIMIT);
        }
        List<LiveSession> granted = new ArrayList<>();
        for (SessionKey key : expiry.granted()) {
            LiveSession session = wanted.get(key);
            if (session != null) {
                granted.add(session);
            }
        }
        return granted;
    }

    /** @param waits whether it is for a request that waits for the others, or for none */
    boolean begin(LiveSession session, boolean waits) {
        long end = System.nanoTime() + voteLimit.plus(END_LIMIT).toNanos();
        while (session.valid()) {
            Claim claim = session.claim(Claim.Kind.INVALIDATION);
            Verdict verdict = waits ? expiry.begin(claim, voteLimit) : expiry.beginSoon(claim);
            if (verdict == Verdict.GRANTED) {
                return true;
            }
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            expiry.awaitEnd(session.key(), verdict == Verdict.ENDED, left);
            if (System.nanoTime() >= end) {
                return false;
            }
        }
        return false;
    }

    boolean beginExpiry(LiveSession session) {
        if (expiry.begin(session.key())) {
            return true;
        }
        Claim claim = session.claim(Claim.Kind.EXPIRY); // Before it is found to be overdue: see Due.
        return session.valid()
                && session.overdue()
                && expiry.mayExpire()
                && expiry.begin(claim, EXPIRY_LIMIT) == Verdict.GRANTED;
    }

    void giveUp(LiveSession session) {
        expiry.giveUp(List.of(session.key()));
    }

    void finish(LiveSession session) {
        expiry.finish(session.key());
    }
}
