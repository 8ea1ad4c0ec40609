package io.understudy.cluster.expiry;

import io.understudy.expiry.Claim;
import io.understudy.expiry.Verdict;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that requests on this member end, each by itself: nobody else may take what was granted to one of them.
 *
 * <p>Threads: any; {@link #begin} waits.
 */
final class RequestedEnds {

    /** How long a request waits for a verdict that another thread hands out. */
    private static final Duration HAND_OUT_LIMIT = Duration.ofSeconds(2);

    /** Made once: there may be no memory at the end of a request. */
    private static final BiFunction<SessionKey, Integer, @Nullable Integer> ONE_LESS = RequestedEnds::oneLess;

    /**
     * How long a request waits for votes.
     *
     * @param force takes an invalidation for granted that was not decided in time
     */
    record Patience(Duration limit, Runnable force) {}

    private final EndRules rules;
    private final ClaimVerdicts verdicts;
    private final ReplicationMetrics metrics;
    private final Predicate<SessionKey> begin;
    private final Consumer<List<SessionKey>> giveUp;

    /** How many requests are at the end of a session. */
    private final Map<SessionKey, Integer> requests = new ConcurrentHashMap<>();

    /** @param begin begins what was granted, if it is still */
    RequestedEnds(
            EndRules rules,
            ClaimVerdicts verdicts,
            ReplicationMetrics metrics,
            Predicate<SessionKey> begin,
            Consumer<List<SessionKey>> giveUp) {
        this.rules = rules;
        this.verdicts = verdicts;
        this.metrics = metrics;
        this.begin = begin;
        this.giveUp = giveUp;
    }

    /** Whether a request is about to begin the end of the session. */
    boolean contains(SessionKey key) {
        return requests.containsKey(key);
    }

    /** Whether this node may end the session, and no request is about to: the request that got the grant could not begin. */
    boolean left(SessionKey key) {
        return !contains(key) && rules.ask(ends -> ends.granted(key));
    }

    /**
     * Claims the session, and begins if that is granted.
     *
     * @param slow members whose votes on an invalidation are not waited for
     * @param patience asked for if the request has to wait
     */
    Verdict begin(Claim claim, Set<Address> slow, Supplier<Patience> patience) {
        requests.merge(claim.key(), 1, Integer::sum);
        try {
            Verdict verdict = claim(claim, slow, patience);
            while (verdict != Verdict.GRANTED && verdict != Verdict.OPEN && isUndecided(claim)) {
                verdict = claim(claim, slow, patience); // That was on an earlier claim, or on that of another thread.
            }
            return verdict == Verdict.GRANTED && !begin.test(claim.key()) ? Verdict.OPEN : verdict;
        } finally {
            requests.computeIfPresent(claim.key(), ONE_LESS); // Which takes no memory.
        }
    }

    private boolean isUndecided(Claim claim) {
        return rules.ask(ends -> ends.undecided(claim));
    }

    private static @Nullable Integer oneLess(SessionKey key, Integer count) {
        return count == 1 ? null : Integer.valueOf(count - 1);
    }

    private Verdict claim(Claim claim, Set<Address> slow, Supplier<Patience> patience) {
        CompletableFuture<Verdict> verdict = verdicts.of(claim.key());
        metrics.count(Counter.ENDS_CLAIMED);
        rules.act(ends -> ends.claim(List.of(claim), true, slow));
        if (!verdict.isDone()) {
            await(verdict, claim, patience.get());
        }
        return verdict.getNow(Verdict.OPEN);
    }

    private void await(CompletableFuture<Verdict> verdict, Claim claim, Patience patience) {
        ClaimVerdicts.await(verdict, patience.limit());
        if (verdict.isDone()) {
            return;
        }
        if (claim.kind() == Claim.Kind.INVALIDATION) {
            metrics.count(Counter.ENDS_UNCONFIRMED);
            patience.force().run();
            ClaimVerdicts.await(verdict, HAND_OUT_LIMIT);
        } else {
            giveUp.accept(List.of(claim.key()));
        }
    }
}
