package io.understudy.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.delivery.AckResult;
import io.understudy.cluster.delivery.PendingAck;
import io.understudy.session.SessionTimes.IdleTime;
import io.understudy.session.attributes.AttributeChanges;
import io.understudy.session.tickets.RunningTickets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The commits that sent what running requests of a session changed, and were not their own. The outcome of such a request
 * is no better than theirs. What the end of a request does here needs no memory.
 *
 * <p>Threads: any.
 */
final class OthersCommits {

    /** So many commits of a request, before the decided ones are taken out. */
    private static final int MOST = 8;

    /** One commit. If it fails before it is merged here the requests still have their changes to send. */
    static final class Sending {

        private static final CompletableFuture<AckResult> NONE = CompletableFuture.completedFuture(AckResult.NONE);

        private volatile @Nullable CompletableFuture<AckResult> held;

        /** @param outgoing {@code null} if it failed, and was not sent */
        void merged(@Nullable PendingAck outgoing) {
            held = outgoing == null ? NONE : outgoing.held();
        }
    }

    /** What others sent for one request. */
    private static final class Request {

        private final long ticket;

        /** The commits that may be under way. */
        private final List<Sending> commits = new ArrayList<>(1);

        /** The worst of the commits that are decided; {@code null} if there was none. */
        private @Nullable AckResult decided;

        /** How many commits there were in all. */
        private int count;

        private @Nullable Commit outcome;
        private int countOfOutcome;
        private @Nullable Request next;

        Request(long ticket, @Nullable Request next) {
            this.ticket = ticket;
            this.next = next;
        }

        private void fold() {
            for (int i = commits.size() - 1; i >= 0; i--) {
                CompletableFuture<AckResult> held = commits.get(i).held;
                if (held == null || held.isDone()) {
                    decided = held == null ? decided : worse(decided, held.join());
                    commits.remove(i);
                }
            }
        }

        private static AckResult worse(@Nullable AckResult before, AckResult now) {
            return before == null ? now : AckResult.worse(before, now);
        }
    }

    private final RunningTickets running;

    @GuardedBy("this")
    private @Nullable Request first;

    OthersCommits(RunningTickets running) {
        this.running = running;
    }

    /**
     * A commit is about to send what it found.
     *
     * @param own the ticket of its request; 0 if it has none, or is not known
     * @return {@code null} if none of that can be another request's
     */
    @Nullable
    Sending sending(AttributeChanges changes, @Nullable IdleTime idleTime, long own) {
        if (own != 0 && running.size() <= 1 && running.contains(own)) {
            return null; // Of most commits.
        }
        Sending commit = new Sending();
        changes.changers(ticket -> sending(ticket, own, commit));
        for (IdleTime set = idleTime; set != null; set = set.former()) {
            sending(set.setter(), own, commit);
        }
        return commit;
    }

    private void sending(long ticket, long own, Sending commit) {
        if (ticket != own) {
            sending(ticket, commit);
        }
    }

    /** Nothing happens if the request is over. */
    private synchronized void sending(long ticket, Sending commit) {
        if (!running.contains(ticket)) {
            return;
        }
        Request request = request(ticket);
        if (request == null) {
            request = new Request(ticket, first);
            first = request;
        }
        if (request.commits.isEmpty() || request.commits.get(request.commits.size() - 1) != commit) {
            if (request.commits.size() >= MOST) {
                request.fold(); // A request may run for hours.
            }
            request.commits.add(commit);
            request.count++;
        }
    }

    @GuardedBy("this")
    private @Nullable Request request(long ticket) {
        Request request = first;
        while (request != null && request.ticket != ticket) {
            request = request.next;
        }
        return request;
    }

    /**
     * Completes with the worst of how many members hold what others sent for the request; {@code null} if it is nothing, or
     * the request is answered.
     */
    synchronized @Nullable CompletableFuture<AckResult> held(long ticket) {
        Request request = first == null ? null : request(ticket); // Mostly there is none.
        if (request == null || running.isAnswered(ticket)) {
            return null;
        }
        request.fold();
        AckResult decided = request.decided;
        CompletableFuture<AckResult> worst = decided == null ? null : CompletableFuture.completedFuture(decided);
        for (int i = 0; i < request.commits.size(); i++) {
            CompletableFuture<AckResult> held = Objects.requireNonNull(request.commits.get(i).held);
            worst = worst == null ? held : worst.thenCombine(held, AckResult::worse);
        }
        return worst;
    }

    /**
     * The commit of the request if it has nothing to send itself; {@code null} if others sent nothing for it, or its response
     * has the outcome of that already, and waits for what it may have shown since.
     *
     * @param shown what the request waits for, too; {@code null} if nothing
     * @param counted whether this is the outcome that counts for the response
     */
    @Nullable
    Commit outcome(
            long ticket, @Nullable CompletableFuture<AckResult> shown, CommitOutcomes outcomes, boolean counted) {
        CompletableFuture<AckResult> held = held(ticket);
        Commit known = held == null ? null : known(ticket);
        if (held == null || known != null) {
            return shown == null ? known : null;
        }
        CompletableFuture<AckResult> all = shown == null ? held : held.thenCombine(shown, AckResult::worse);
        Commit made = counted ? outcomes.awaited(all) : outcomes.notCounted(all);
        outcome(ticket, made);
        return made;
    }

    private synchronized @Nullable Commit known(long ticket) {
        Request request = request(ticket);
        return request == null || request.countOfOutcome != request.count ? null : request.outcome;
    }

    /** @param outcome has waited for what others sent for the request; {@code null} if none has */
    synchronized void outcome(long ticket, @Nullable Commit outcome) {
        Request request = outcome == null ? null : request(ticket);
        if (request != null) {
            request.outcome = outcome;
            request.countOfOutcome = request.count;
        }
    }

    /** The request is over, and runs no more. */
    synchronized void over(long ticket) {
        Request before = null;
        for (Request request = first; request != null; request = request.next) {
            if (request.ticket != ticket) {
                before = request;
            } else if (before == null) {
                first = request.next;
            } else {
                before.next = request.next;
            }
        }
    }
}
