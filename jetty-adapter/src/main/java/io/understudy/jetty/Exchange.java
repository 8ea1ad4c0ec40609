package io.understudy.jetty;

import io.understudy.Commit;
import io.understudy.Commit.Outcome;
import io.understudy.SessionLock;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the server, and what its response has to wait for: the sessions it uses, in any context,
 * and their commits.
 *
 * <p>Threads: any; a request may go from one to another.
 */
final class Exchange extends Request.Wrapper {

    /** Set to {@code true} when a change of this request is not held by every other member. */
    static final String DEGRADED = "io.understudy.degraded";

    /** The sessions, each with the ticket of this request's use. */
    private final Map<UnderstudySession, Long> sessions = new ConcurrentHashMap<>();

    private volatile boolean over;
    private final Queue<Commit> commits = new ConcurrentLinkedQueue<>();

    private final @Nullable SessionLock lock;

    /** @param lock of its session, closed when the request is over */
    Exchange(Request wrapped, @Nullable SessionLock lock) {
        super(wrapped);
        this.lock = lock;
    }

    static @Nullable Exchange of(@Nullable Request request) {
        return request == null ? null : Request.as(request, Exchange.class);
    }

    void uses(UnderstudySession session) {
        if (!over) {
            sessions.computeIfAbsent(session, used -> used.live().enter());
        }
    }

    /** The request is over, its response has left, and its sessions were released. */
    void over() {
        over = true;
        sessions.forEach((session, ticket) -> session.live().exit(ticket));
        sessions.clear();
        if (lock != null) {
            lock.close();
        }
    }

    void awaits(Commit commit) {
        commits.add(commit);
    }

    /** Commits what changed in its sessions since the response began. */
    void commit() {
        for (UnderstudySession session : sessions.keySet()) {
            awaits(session.commit());
        }
    }

    /** Completes, never exceptionally, with the worst outcome of all commits made so far. */
    CompletableFuture<Outcome> settled() {
        CompletableFuture<Outcome> all = CompletableFuture.completedFuture(Outcome.UNCHANGED);
        for (Commit commit = commits.poll(); commit != null; commit = commits.poll()) {
            CompletableFuture<Outcome> outcome = commit.outcome().toCompletableFuture();
            all = all.thenCombine(outcome, (a, b) -> a == Outcome.DEGRADED ? a : b);
        }
        return all;
    }
}
