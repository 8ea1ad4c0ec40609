package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import io.understudy.codec.Frame.BucketRequest;
import io.understudy.codec.Frame.Buckets;
import io.understudy.codec.Frame.DigestRequest;
import io.understudy.codec.Frame.Digests;
import io.understudy.codec.Frame.FindRequest;
import io.understudy.codec.Frame.StateRequest;
import io.understudy.codec.Frame.States;
import io.understudy.codec.Frame.Update;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.store.Comparison;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;

/**
 * Makes this member hold all that another one holds: compares sums by bucket, then digests, and pulls what differs.
 * Joining, repair after a merge, the comparison at intervals and the fetch of a single session are all this.
 *
 * <p>Threads: callers wait; merges are safe beside live traffic.
 */
final class Reconciler {

    /** How long one answer may take. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    /** Sessions asked for in one question. */
    private static final int KEYS_PER_REQUEST = 512;

    /** How long, in milliseconds, the news of a change may be under way: what changed later is left out at intervals. */
    private static final long UNDER_WAY_MILLIS = 1000;

    private final ApplicationGroup group;
    private final Exchange exchange;

    Reconciler(ApplicationGroup group, Exchange exchange) {
        this.group = group;
        this.exchange = exchange;
    }

    /**
     * Pulls every session that {@code member} holds and this one does not hold alike.
     *
     * @return the number of sessions pulled
     * @throws NoAnswerException if the member left or did not answer; what came before is merged
     */
    int pullAll(Address member) throws NoAnswerException {
        return compare(member, Long.MAX_VALUE);
    }

    /** The same, but for what changed here within the last second. */
    int pullSettled(Address member) throws NoAnswerException {
        return compare(member, group.now() - UNDER_WAY_MILLIS);
    }

    private int compare(Address member, long changedBefore) throws NoAnswerException {
        Comparison comparison = group.store().comparison();
        long begun = group.now() - UNDER_WAY_MILLIS;
        Buckets theirs =
                exchange.ask(member, number -> new BucketRequest(number, group.number()), Buckets.class, ANSWER_LIMIT);
        BitSet differing = comparison.differing(theirs.sums());
        Map<SessionKey, Long> unproven = comparison.tombstones(differing, begun);
        int pulled = 0;
        SessionKey after = null;
        boolean more = !differing.isEmpty();
        while (more) {
            SessionKey from = after;
            Digests page = exchange.ask(
                    member,
                    number -> new DigestRequest(number, group.number(), differing, from),
                    Digests.class,
                    ANSWER_LIMIT);
            for (SessionDigest digest : page.digests()) {
                unproven.remove(digest.key(), digest.hash());
                after = digest.key();
            }
            pulled += pull(member, comparison.toPull(page.digests(), changedBefore));
            more = page.more() && !page.digests().isEmpty();
        }
        group.compared(member, unproven.isEmpty() ? begun : Departures.NONE);
        return pulled;
    }

    /** Pulls the sessions with these keys, as far as {@code member} knows them. */
    int pull(Address member, List<SessionKey> keys) throws NoAnswerException {
        return pull(member, keys, ANSWER_LIMIT);
    }

    int pull(Address member, List<SessionKey> keys, Duration limit) throws NoAnswerException {
        int pulled = 0;
        List<SessionKey> rest = new ArrayList<>(keys);
        while (!rest.isEmpty()) {
            List<SessionKey> asked = List.copyOf(rest.subList(0, Math.min(KEYS_PER_REQUEST, rest.size())));
            States answer = exchange.ask(
                    member, number -> new StateRequest(number, group.number(), asked), States.class, limit);
            for (Update update : answer.states()) {
                group.merged(update);
                rest.remove(update.delta().key());
            }
            pulled += answer.states().size();
            if (!answer.truncated() || answer.states().isEmpty()) {
                rest.removeAll(asked);
            }
        }
        return pulled;
    }

    /**
     * Pulls the session with this id.
     *
     * @return whether {@code member} has it
     */
    boolean find(Address member, String id, Duration limit) throws NoAnswerException {
        States answer =
                exchange.ask(member, number -> new FindRequest(number, group.number(), id), States.class, limit);
        answer.states().forEach(group::merged);
        return !answer.states().isEmpty();
    }
}
