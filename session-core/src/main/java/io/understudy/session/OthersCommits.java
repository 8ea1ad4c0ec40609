package io.understudy.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.delivery.AckResult;
import io.understudy.session.SessionTimes.IdleTime;
import io.understudy.session.attributes.AttributeChanges;
import io.understudy.session.tickets.RunningTickets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The commits that sent what running requests of a session changed, and were not their own. The outcome of such a request
 * is no better than theirs. What the end of a request does here needs no memory.
 *
 * <p>Threads: any.
 */
final class OthersCommits {

    /** One commit, before it is sent, or if it never is: then the requests have their changes to send. */
    static final class Sending {

        private volatile @Nullable CompletableFuture<AckResult> held;

        /** @param result completes with how many members hold it */
        void sent(CompletableFuture<AckResult> result) {
            held = result;
        }
    }

    /** What others sent for one request. */
    private static final class Request {

        private final long ticket;
        private final List<Sending> commits = new ArrayList<>(1);
        private @Nullable Request next;

        /** The outcome of the first ones. */
        private @Nullable Commit outcome;

        private int decided;

        Request(long ticket, @Nullable Request next) {
            this.ticket = ticket;
            this.next = next;
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
        if (own != 0 && running.size() <= 1) {
            return null; // Of most commits.
        }
        Sending commit = new Sending();
        changes.changers(ticket -> sending(ticket, own, commit));
        if (idleTime != null) {
            sending(idleTime.setter(), own, commit);
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
            request.commits.add(commit);
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

    /** Completes with the worst of how many members hold what others sent for the request; {@code null} if it is nothing. */
    synchronized @Nullable CompletableFuture<AckResult> held(long ticket) {
        Request request = first == null ? null : request(ticket); // Mostly there is none.
        CompletableFuture<AckResult> worst = null;
        for (int i = 0; request != null && i < request.commits.size(); i++) {
            CompletableFuture<AckResult> held = request.commits.get(i).held;
            worst = held == null ? worst : worst == null ? held : worst.thenCombine(held, AckResult::worse);
        }
        return worst;
    }

    /**
     * The outcome of all that; {@code null} if it is nothing. It is one response, so it is one object until another
     * commit sends something.
     *
     * @param awaited makes the outcome
     */
    synchronized @Nullable Commit outcome(long ticket, Function<CompletableFuture<AckResult>, Commit> awaited) {
        CompletableFuture<AckResult> held = held(ticket);
        Request request = held == null ? null : request(ticket);
        if (held == null || request == null) {
            return null;
        }
        if (request.outcome == null || request.decided != request.commits.size()) {
            request.outcome = awaited.apply(held);
            request.decided = request.commits.size();
        }
        return request.outcome;
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
