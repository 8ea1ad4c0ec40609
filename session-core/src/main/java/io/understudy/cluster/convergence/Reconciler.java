package io.understudy.cluster.convergence;

import io.understudy.cluster.delivery.DeltaSize;
import io.understudy.cluster.membership.DepartedMembers;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.cluster.messaging.RequestCorrelator.UnreadableAnswerException;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.store.Comparison;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.Buckets;
import io.understudy.wire.Frame.DigestRequest;
import io.understudy.wire.Frame.Digests;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.StateRequest;
import io.understudy.wire.Frame.States;
import io.understudy.wire.Frame.Update;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Makes this member hold all that another one holds: compares sums by bucket, then digests, and pulls what differs.
 * Joining, repair after a merge, the comparison at intervals and the fetch of a single session are all this.
 *
 * <p>Threads: callers wait; merges are safe beside live traffic.
 */
public final class Reconciler {

    /** How long one answer may take. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    /** The view of which any member has taken over a later one. */
    private static final long LEAVING = 0;

    /** How long, in milliseconds, the news of a change may be under way: what changed later is left out at intervals. */
    private static final long UNDER_WAY_MILLIS = 1000;

    private final LocalApplication application;
    private final RequestCorrelator exchange;
    private final UnreadableSessions unreadable;
    private final Consumer<Update> pulled;
    private final ObjLongConsumer<Address> compared;
    private final LongSupplier viewNumber;

    /**
     * @param pulled takes each session that comes
     * @param compared is called when this member holds all that another one holds, with the time before which that
     *     member is proven to hold all tombstones that are here; {@link DepartedMembers#NONE} if that is not known
     * @param viewNumber the view whose changes are all here, or passed on when they come
     */
    public Reconciler(
            LocalApplication application,
            RequestCorrelator exchange,
            UnreadableSessions unreadable,
            Consumer<Update> pulled,
            ObjLongConsumer<Address> compared,
            LongSupplier viewNumber) {
        this.application = application;
        this.exchange = exchange;
        this.unreadable = unreadable;
        this.pulled = pulled;
        this.compared = compared;
        this.viewNumber = viewNumber;
    }

    /**
     * Pulls every session that {@code member} holds and this one does not hold alike. One that can't be read is left out.
     *
     * @return the number of sessions pulled
     * @throws NoAnswerException if the member left or did not answer; what came before is merged
     */
    public int pullAll(Address member) throws NoAnswerException {
        return compare(member, Long.MAX_VALUE, PullRate.full());
    }

    /** The same, but if it is much, slowly enough for requests to go on beside it. */
    public int pullAllBesideRequests(Address member) throws NoAnswerException {
        return compare(member, Long.MAX_VALUE, PullRate.beside(rest -> LockSupport.parkNanos(rest.toNanos())));
    }

    /** The same, but for what changed here within the last second. */
    public int pullSettled(Address member) throws NoAnswerException {
        return compare(member, application.now() - UNDER_WAY_MILLIS, PullRate.full());
    }

    /**
     * As {@link #pullAll} of a member that is about to leave, whatever view it has taken over. It may lack what others
     * changed after its goodbye, so it stands for no other member.
     */
    public int pullLast(Address member) throws NoAnswerException {
        return compare(member, Long.MAX_VALUE, PullRate.full(), LEAVING);
    }

    private int compare(Address member, long changedBefore, PullRate pace) throws NoAnswerException {
        return compare(member, changedBefore, pace, viewNumber.getAsLong());
    }

    /** @param view that the member has to have taken over, or it refuses */
    private int compare(Address member, long changedBefore, PullRate pace, long view) throws NoAnswerException {
        Comparison comparison = application.store().comparison();
        long begun = application.now() - UNDER_WAY_MILLIS;
        application.progressed();
        BitSet differing = DifferingBuckets.of(
                comparison,
                () -> exchange.ask(
                                member,
                                number -> new BucketRequest(number, application.number(), view),
                                Buckets.class,
                                ANSWER_LIMIT)
                        .sums());
        Map<SessionKey, Long> unproven = comparison.tombstones(differing, begun);
        int pulled = 0;
        SessionKey after = null;
        boolean more = !differing.isEmpty();
        while (more) {
            SessionKey from = after;
            long asked = System.nanoTime();
            Digests page = exchange.ask(
                    member,
                    number -> new DigestRequest(number, application.number(), differing, from),
                    Digests.class,
                    ANSWER_LIMIT);
            application.progressed();
            for (SessionDigest digest : page.digests()) {
                unproven.remove(digest.key(), digest.hash());
                after = digest.key();
            }
            List<SessionKey> wanted = comparison.toPull(page.digests(), changedBefore);
            boolean unnoticed = pulled + wanted.size() < PullRate.UNNOTICED_SESSIONS;
            pulled += pull(member, wanted, ANSWER_LIMIT, unnoticed ? PullRate.full() : pace);
            more = page.more() && !page.digests().isEmpty();
            if (more && (wanted.isEmpty() || unnoticed)) {
                pace.compared(Duration.ofNanos(System.nanoTime() - asked));
            }
        }
        if (view != LEAVING) {
            compared.accept(member, unproven.isEmpty() ? begun : DepartedMembers.NONE);
        }
        return pulled;
    }

    /** Pulls the sessions with these keys, as far as {@code member} knows them and they can be read. */
    int pull(Address member, List<SessionKey> keys) throws NoAnswerException {
        return pull(member, keys, ANSWER_LIMIT);
    }

    public int pull(Address member, List<SessionKey> keys, Duration limit) throws NoAnswerException {
        return pull(member, keys, limit, PullRate.full());
    }

    private int pull(Address member, List<SessionKey> keys, Duration limit, PullRate pace) throws NoAnswerException {
        int pulled = 0;
        long readable = PullRate.MAX_KEYS;
        Set<SessionKey> rest = new LinkedHashSet<>(keys);
        while (!rest.isEmpty()) {
            List<SessionKey> asked =
                    rest.stream().limit(Math.min(readable, pace.keys())).toList();
            long began = System.nanoTime();
            long bytes = 0;
            States answer = states(member, asked, limit);
            if (answer == null) {
                if (asked.size() == 1) {
                    rest.remove(asked.get(0));
                }
                readable = Math.max(1, asked.size() / 2);
                pace.answered(0, 0, Duration.ofNanos(System.nanoTime() - began), Duration.ZERO);
                continue;
            }
            long came = System.nanoTime();
            readable = Math.min(PullRate.MAX_KEYS, 2 * readable);
            for (Update update : answer.states()) {
                this.pulled.accept(update);
                rest.remove(update.delta().key());
                bytes += DeltaSize.bytes(update.delta());
            }
            pulled += answer.states().size();
            if (!answer.truncated() || answer.states().isEmpty()) {
                asked.forEach(rest::remove);
            }
            pace.answered(
                    answer.states().size(),
                    bytes,
                    Duration.ofNanos(came - began),
                    Duration.ofNanos(System.nanoTime() - came));
        }
        return pulled;
    }

    /** The answer; {@code null} if it can't be read, as one of the sessions can't: if there is only one, it is left out. */
    private @Nullable States states(Address member, List<SessionKey> asked, Duration limit) throws NoAnswerException {
        try {
            return exchange.ask(
                    member, number -> new StateRequest(number, application.number(), asked), States.class, limit);
        } catch (UnreadableAnswerException e) {
            if (asked.size() == 1) {
                unreadable.leftOut("session " + asked.get(0) + " of " + member, e.reason());
            }
            return null;
        }
    }

    /**
     * Pulls the session with this id.
     *
     * @return whether {@code member} has it
     */
    public boolean find(Address member, String id, Duration limit) throws NoAnswerException {
        States answer =
                exchange.ask(member, number -> new FindRequest(number, application.number(), id), States.class, limit);
        answer.states().forEach(pulled);
        return !answer.states().isEmpty();
    }
}
