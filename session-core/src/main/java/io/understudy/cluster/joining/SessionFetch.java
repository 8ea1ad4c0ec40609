package io.understudy.cluster.joining;

import io.understudy.cluster.convergence.Reconciler;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.cluster.messaging.RequestCorrelator.Reply;
import io.understudy.cluster.messaging.RequestCorrelator.Round;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.States;
import io.understudy.wire.Frame.Update;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * What a request has to ask the other members that are ready.
 *
 * <p>Threads: any; the caller waits.
 */
public final class SessionFetch {

    /** How long a request may wait for a session to be fetched. */
    static final Duration FETCH_LIMIT = Duration.ofSeconds(2);

    /**
     * When a member was asked first for what it has not answered since.
     *
     * @param nanos by {@link System#nanoTime}, as its answers are
     * @param millis by the node's clock
     */
    private record Debt(long nanos, long millis) {}

    /** Long for a member that is well: another one is asked beside one that takes longer. */
    private static final Duration SOON = Duration.ofMillis(20);

    /** Who owes an answer for so long is not waited for; by the node's clock. */
    private static final long SILENT_MILLIS = 500;

    /** For a session that a request may change, and that is not here whole. */
    private static final Duration PULL_LIMIT = Duration.ofSeconds(5);

    private final LocalApplication application;
    private final Members members;
    private final RequestCorrelator exchange;
    private final Reconciler reconciler;
    private final ReplicationMetrics metrics;
    private final Consumer<Update> pulled;

    private final Map<Address, Debt> debts = new ConcurrentHashMap<>();

    /** @param pulled takes each session that an answer brings */
    public SessionFetch(
            LocalApplication application,
            Members members,
            RequestCorrelator exchange,
            Reconciler reconciler,
            ReplicationMetrics metrics,
            Consumer<Update> pulled) {
        this.application = application;
        this.members = members;
        this.exchange = exchange;
        this.reconciler = reconciler;
        this.metrics = metrics;
        this.pulled = pulled;
    }

    /**
     * Fetches a session that this member, which is not ready, may not hold. Each ready member holds all sessions that were
     * announced, so one is asked; the next one beside it when it takes longer than it should, 2 seconds at most for all.
     *
     * @return whether it now knows about the session: it was fetched, or a ready member has none with this id
     */
    public boolean fetch(String id) {
        long end = System.nanoTime() + FETCH_LIMIT.toNanos();
        Iterator<Address> next = ready().iterator();
        int open = 0;
        try (Round<States> round = exchange.round(States.class)) {
            while (open > 0 || next.hasNext()) {
                if (next.hasNext() && ask(round, next.next(), id)) {
                    open++;
                }
                if (open == 0) {
                    continue; // It could not be asked.
                }
                long left = end - System.nanoTime();
                Reply<States> reply = round.next(next.hasNext() ? Math.min(SOON.toNanos(), left) : left);
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
        application.waitingFor("an answer from one of " + ready() + ", which hold all sessions");
        return application.ready();
    }

    /** Brings a session up to date that this member, which is not ready, may hold in part; 5 seconds at most. */
    public void pull(SessionKey key) {
        long end = System.nanoTime() + PULL_LIMIT.toNanos();
        for (Address member : ready()) {
            try {
                reconciler.pull(member, List.of(key), half(end));
                return;
            } catch (NoAnswerException e) {
                application.waitingFor(e.reason());
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
    public boolean catchUp(String id, @Nullable SessionKey key, BooleanSupplier enough, long nanos) {
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
     * Fetches a session that this member, which holds all announced sessions, does not know. Another member may not
     * have announced it yet, as it has no attributes. All are asked at once, as nobody knows which; the first that has
     * it is enough.
     */
    public void findUnshared(String id) {
        debts.keySet().retainAll(members.view());
        Map<Address, Long> open = new HashMap<>(); // Until when each is waited for.
        try (Round<States> round = exchange.round(States.class)) {
            for (Address member : ready()) {
                Debt now = new Debt(System.nanoTime(), application.now());
                long end = debt(member, now).millis() + SILENT_MILLIS;
                if (now.millis() < end) {
                    if (ask(round, member, id)) {
                        open.put(member, end);
                    } else {
                        debts.remove(member, now); // Nor does it owe an answer.
                        metrics.count(Counter.QUESTIONS_UNANSWERED);
                    }
                }
            }
            while (!open.isEmpty() && application.store().header(id) == null) {
                long end = Collections.max(open.values());
                Reply<States> reply = round.next(TimeUnit.MILLISECONDS.toNanos(end - application.now()));
                if (reply != null) {
                    open.remove(reply.member());
                    if (reply.response() != null) {
                        take(reply.response());
                    }
                } else if (application.now() >= end || Thread.currentThread().isInterrupted()) {
                    metrics.count(Counter.QUESTIONS_UNANSWERED, open.size());
                    return;
                }
            }
        }
    }

    /** Since when the member owes an answer; {@code now} if it does not. */
    private Debt debt(Address member, Debt now) {
        Debt since = debts.compute(
                member,
                (same, before) -> before == null || exchange.answeredSince(member, before.nanos()) ? now : before);
        return since == null ? now : since;
    }

    private List<Address> ready() {
        return members.others(application.number(), Phase.READY);
    }

    private boolean ask(Round<States> round, Address member, String id) {
        return round.ask(member, number -> new FindRequest(number, application.number(), id));
    }

    private void take(States answer) {
        answer.states().forEach(pulled);
        if (!answer.states().isEmpty()) {
            metrics.count(Counter.SESSIONS_FETCHED);
        }
    }
}
