package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import io.understudy.cluster.Exchange.Reply;
import io.understudy.cluster.Exchange.Round;
import io.understudy.codec.Frame.FindRequest;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.States;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionKey;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
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

    /** Long for a member that is well: another one is asked beside one that takes longer. */
    private static final Duration SOON = Duration.ofMillis(20);

    /** Who owes an answer for so long is not waited for. */
    private static final Duration SILENT = Duration.ofMillis(500);

    /** For a session that a request may change, and that is not here whole. */
    private static final Duration PULL_LIMIT = Duration.ofSeconds(5);

    private final ApplicationGroup group;
    private final ClusterChannel channel;
    private final Reconciler reconciler;

    /** When each member was asked first for what it has not answered since. */
    private final Map<Address, Long> owesSince = new ConcurrentHashMap<>();

    Neighbours(ApplicationGroup group, ClusterChannel channel, Reconciler reconciler) {
        this.group = group;
        this.channel = channel;
        this.reconciler = reconciler;
    }

    /**
     * Fetches a session that this member, which is not ready, may not hold. Each ready member holds all sessions that were
     * announced, so one is asked; the next one beside it when it takes longer than it should, 2 seconds at most for all.
     *
     * @return whether it now knows about the session: it was fetched, or a ready member has none with this id
     */
    boolean fetch(String id) {
        long end = System.nanoTime() + ApplicationGroup.FETCH_LIMIT.toNanos();
        Iterator<Address> members = ready().iterator();
        int open = 0;
        try (Round<States> round = channel.exchange().round(States.class)) {
            while (open > 0 || members.hasNext()) {
                if (members.hasNext() && ask(round, members.next(), id)) {
                    open++;
                }
                if (open == 0) {
                    continue; // It could not be asked.
                }
                long left = end - System.nanoTime();
                Reply<States> reply = round.next(members.hasNext() ? Math.min(SOON.toNanos(), left) : left);
                if (reply != null && reply.response() != null) {
                    take(reply.response());
                    return true;
                }
                open -= reply == null ? 0 : 1;
                if (reply == null
                        && (System.nanoTime() - end >= 0
                                || Thread.currentThread().isInterrupted())) {
                    break;
                }
            }
        }
        group.waitingFor("an answer from one of " + ready() + ", which hold all sessions");
        return group.ready();
    }

    /** Brings a session up to date that this member, which is not ready, may hold in part; 5 seconds at most. */
    void pull(SessionKey key) {
        long end = System.nanoTime() + PULL_LIMIT.toNanos();
        for (Address member : ready()) {
            try {
                reconciler.pull(member, List.of(key), half(end));
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
        long end = System.nanoTime() + nanos;
        boolean answered = true;
        for (Address member : ready()) {
            try {
                if (key == null) {
                    reconciler.find(member, id, half(end));
                } else {
                    reconciler.pull(member, List.of(key), half(end));
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

    private static Duration half(long end) {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()) / 2);
    }

    /**
     * Fetches a session that this member, which holds all it was told of, does not know: another one may not have told of it
     * yet, as it has no attributes. All are asked at once, as nobody knows which; the first that has it is enough.
     */
    void findUnshared(String id) {
        owesSince.keySet().retainAll(channel.members().view());
        Map<Address, Long> open = new HashMap<>(); // Until when each is waited for.
        try (Round<States> round = channel.exchange().round(States.class)) {
            for (Address member : ready()) {
                long now = System.nanoTime();
                long since = owesSince(member, now);
                if (now - since < SILENT.toNanos()) {
                    if (ask(round, member, id)) {
                        open.put(member, since + SILENT.toNanos());
                    } else {
                        owesSince.remove(member, now); // Nor does it owe an answer.
                        channel.metrics().count(Counter.QUESTIONS_UNANSWERED);
                    }
                }
            }
            while (!open.isEmpty() && group.store().header(id) == null) {
                Reply<States> reply = round.next(Collections.max(open.values()) - System.nanoTime());
                if (reply == null) {
                    channel.metrics().count(Counter.QUESTIONS_UNANSWERED, open.size());
                    return;
                }
                open.remove(reply.member());
                if (reply.response() != null) {
                    take(reply.response());
                }
            }
        }
    }

    /** Since when the member owes an answer; {@code now} if it does not. */
    private long owesSince(Address member, long now) {
        Long since = owesSince.compute(
                member,
                (same, before) -> before == null || channel.exchange().answeredSince(member, before)
                        ? Long.valueOf(now)
                        : before);
        return since == null ? now : since;
    }

    private List<Address> ready() {
        return channel.members().others(group.number(), Phase.READY);
    }

    private boolean ask(Round<States> round, Address member, String id) {
        return round.ask(member, number -> new FindRequest(number, group.number(), id));
    }

    private void take(States answer) {
        answer.states().forEach(group.incoming()::pulled);
        if (!answer.states().isEmpty()) {
            channel.metrics().count(Counter.SESSIONS_FETCHED);
        }
    }
}
