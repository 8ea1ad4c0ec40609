package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import io.understudy.codec.Frame.Phase;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * What a request has to ask the other members that are ready.
 *
 * <p>Threads: any; the caller waits.
 */
final class Neighbours {

    /** Long for a member that is well: others are asked before one that takes longer is waited for. */
    private static final Duration SOON = Duration.ofMillis(20);

    /** Who owes an answer for so long is not waited for. */
    private static final Duration SILENT = Duration.ofMillis(500);

    private final ApplicationGroup group;
    private final ClusterChannel channel;
    private final Reconciler reconciler;
    private final Map<Address, Long> silentSince = new ConcurrentHashMap<>();

    Neighbours(ApplicationGroup group, ClusterChannel channel, Reconciler reconciler) {
        this.group = group;
        this.channel = channel;
        this.reconciler = reconciler;
    }

    /**
     * Fetches a session that this member, which is not ready, may not hold.
     *
     * @return whether it now knows about the session: it was fetched, or a ready member has none with this id
     */
    boolean fetch(String id) {
        for (Address member : channel.members().others(group.number(), Phase.READY)) {
            try {
                if (reconciler.find(member, id, ApplicationGroup.FETCH_LIMIT)) {
                    channel.metrics().count(Counter.SESSIONS_FETCHED);
                }
                return true;
            } catch (NoAnswerException e) {
                group.waitingFor(e.reason());
            }
        }
        return group.ready();
    }

    /** Brings a session up to date that this member, which is not ready, may hold in part. */
    void pull(SessionKey key) {
        for (Address member : channel.members().others(group.number(), Phase.READY)) {
            try {
                reconciler.pull(member, List.of(key));
                return;
            } catch (NoAnswerException e) {
                group.waitingFor(e.reason());
            }
        }
    }

    /**
     * Fetches what this member lacks of a session: it is under way, or was lost on the way, or with its writer. The first is
     * given half of the time, the next one half of the rest, and so on: one that is frozen takes it from nobody.
     *
     * @param key {@code null} if the session is not known here
     * @return whether all members that are ready answered, or {@code enough} held before
     */
    boolean catchUp(String id, @Nullable SessionKey key, BooleanSupplier enough, long nanos) {
        long deadline = System.nanoTime() + nanos;
        boolean answered = true;
        for (Address member : channel.members().others(group.number(), Phase.READY)) {
            Duration limit = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()) / 2);
            try {
                if (key == null) {
                    reconciler.find(member, id, limit);
                } else {
                    reconciler.pull(member, List.of(key), limit);
                }
            } catch (NoAnswerException e) {
                answered = false;
            }
            if (enough.getAsBoolean()) {
                return true;
            }
        }
        return answered;
    }

    /**
     * Fetches a session that this member, which holds all it was told of, does not know: another one may not have told of it
     * yet, as it has no attributes.
     */
    void findUnshared(String id) {
        List<Address> late = new ArrayList<>();
        for (Address member : channel.members().others(group.number(), Phase.READY)) {
            if (silentNanos(member) > 0 || !answered(member, id, SOON)) {
                late.add(member);
            } else if (group.store().header(id) != null) {
                return;
            }
        }
        for (Address member : late) {
            boolean frozen = silentNanos(member) > SILENT.toNanos();
            if (!frozen && answered(member, id, SILENT) && group.store().header(id) != null) {
                return;
            }
        }
    }

    /** How long it owes an answer; 0 if it does not. */
    private long silentNanos(Address member) {
        Long since = silentSince.get(member);
        return since == null || channel.exchange().answeredSince(member, since) ? 0 : System.nanoTime() - since;
    }

    private boolean answered(Address member, String id, Duration limit) {
        long asked = System.nanoTime();
        try {
            if (reconciler.find(member, id, limit)) {
                channel.metrics().count(Counter.SESSIONS_FETCHED);
            }
            return true;
        } catch (NoAnswerException e) {
            channel.metrics().count(Counter.QUESTIONS_UNANSWERED);
            silentSince.keySet().retainAll(channel.members().view());
            silentSince.compute(
                    member,
                    (same, since) -> since == null || channel.exchange().answeredSince(member, since)
                            ? Long.valueOf(asked)
                            : since);
            return false;
        }
    }
}
