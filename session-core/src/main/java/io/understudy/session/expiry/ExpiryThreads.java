package io.understudy.session.expiry;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.replica.SessionKey;
import io.understudy.threads.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends sessions, some at once, in threads of its own, which are daemons, hold no application's class loader, and go when
 * there is nothing to do. A listener that takes long holds up one of them.
 *
 * <p>Threads: any.
 *
 * @param <S> a session in use
 */
final class ExpiryThreads<S> implements AutoCloseable {

    /** Sessions whose listeners run at the same time, at most. */
    static final int THREADS = 8;

    private static final Logger LOG = System.getLogger(ExpiryThreads.class.getName());

    /** How long a container's thread waits for what it asked for; the rest goes on without it. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long IDLE_SECONDS = 5;

    private final String label;
    private final EndableSessions<S> sessions;
    private final Supplier<ExpiryScan<S>> scanOfAll;
    private final Function<Set<SessionKey>, ExpiryScan<S>> scanOfSome;
    private final Runnable room;
    private final ThreadPoolExecutor threads;

    /** Claimed and not begun. */
    private final Queue<S> due = new ConcurrentLinkedQueue<>();

    /** Found overdue by requests, and not looked at since. */
    private final Set<SessionKey> found = ConcurrentHashMap.newKeySet();

    /** Held by whoever claims, which takes as long as others take to vote, or begins or ends a thread's work. */
    private final ReentrantLock claiming = new ReentrantLock();

    @GuardedBy("claiming")
    private @Nullable ExpiryScan<S> scan;

    @GuardedBy("claiming")
    private int working;

    /** Completes when no thread works. */
    @GuardedBy("claiming")
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);

    private volatile boolean closed;

    /**
     * @param label how log lines begin
     * @param scanOfAll begins to look for all that is due
     * @param scanOfSome begins to look at these sessions, whether they are due
     * @param room returns when not too many ends are on their way to the other members
     */
    ExpiryThreads(
            String label,
            EndableSessions<S> sessions,
            Supplier<ExpiryScan<S>> scanOfAll,
            Function<Set<SessionKey>, ExpiryScan<S>> scanOfSome,
            Runnable room) {
        this.label = label;
        this.sessions = sessions;
        this.scanOfAll = scanOfAll;
        this.scanOfSome = scanOfSome;
        this.room = room;
        this.threads = new ThreadPoolExecutor(
                0,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                DaemonThreads.numbered("understudy-" + label + "-expiry"));
    }

    /**
     * Begins to end all that is due, unless an earlier call's work goes on, and waits until that is done, 1 second at most
     * beyond what members take to vote.
     *
     * @param end tells a session's listeners, and ends it
     */
    void endAll(Consumer<S> end) {
        if (!claiming.tryLock()) {
            return; // Others are at it.
        }
        CompletableFuture<Void> work;
        try {
            if (due.isEmpty() && working < THREADS && (scan == null || scan.over())) {
                claim(scanOfAll, end);
            } else if (working == 0) {
                startThreads(due.size() + 1, end); // What there was no thread for before.
            }
            work = done;
        } finally {
            claiming.unlock();
        }
        startIfFound(end);
        await(work);
    }

    /** The same for one session that a request found overdue. Does not wait. */
    void endSoon(SessionKey key, Consumer<S> end) {
        if (found.add(key)) {
            startIfFound(end);
        }
    }

    /** Whoever holds the lock meanwhile looks again when it has released it. */
    private void startIfFound(Consumer<S> end) {
        if (!found.isEmpty() && claiming.tryLock()) {
            try {
                startThreads(1, end);
            } finally {
                claiming.unlock();
            }
        }
    }

    @GuardedBy("claiming")
    private void claim(Supplier<ExpiryScan<S>> begin, Consumer<S> end) {
        try {
            ExpiryScan<S> begun = begin.get();
            scan = begun;
            due.addAll(begun.next());
            startThreads(due.size() + (begun.over() ? 0 : 1), end);
        } catch (RuntimeException | Error e) {
            scan = null;
            failed("the search for expired sessions failed; it runs again at the next interval", e);
        }
    }

    /** Those that work may be at it for long. */
    @GuardedBy("claiming")
    private void startThreads(int wanted, Consumer<S> end) {
        for (int i = 0; i < wanted && working < THREADS && !closed; i++) {
            try {
                threads.execute(() -> work(end));
                working++;
            } catch (RejectedExecutionException e) {
                return; // It closes.
            }
            if (done.isDone()) {
                done = new CompletableFuture<>();
            }
        }
    }

    private void work(Consumer<S> end) {
        boolean left = false;
        try {
            for (S session = next(end); session != null; session = next(end)) {
                Thread.interrupted(); // A listener's doing, which is nothing to the next session.
                guarded("waiting for room before the end", session, room);
                S ending = session;
                guarded("the end", session, () -> end.accept(ending));
            }
            left = true;
        } finally {
            if (!left) {
                left();
            }
        }
        startIfFound(end);
    }

    /** Or the thread, and what it has to do, would be lost. */
    private void guarded(String what, S session, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            failed(what + " of session " + sessions.key(session) + " failed; other sessions are not affected", e);
        }
    }

    private void failed(String what, Throwable cause) {
        try {
            LOG.log(Level.ERROR, label + " - " + what, cause);
        } catch (Throwable e) {
            return; // No memory for a line.
        }
    }

    /** The thread does not work any more. Needs no memory. */
    private void left() {
        while (!claiming.tryLock()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        try {
            workedUp();
        } finally {
            claiming.unlock();
        }
    }

    @GuardedBy("claiming")
    private void workedUp() {
        working--;
        if (working == 0) {
            done.complete(null);
        }
    }

    private @Nullable S next(Consumer<S> end) {
        while (true) {
            S session = closed ? null : due.poll();
            if (session != null) {
                return session;
            }
            claiming.lock();
            try {
                if (closed || (due.isEmpty() && !claimMore(end))) {
                    workedUp();
                    return null;
                }
            } finally {
                claiming.unlock();
            }
        }
    }

    /** @return whether there may be something to do now */
    @GuardedBy("claiming")
    private boolean claimMore(Consumer<S> end) {
        ExpiryScan<S> begun = scan;
        if (begun != null && !begun.over()) {
            claim(() -> begun, end);
            return true;
        }
        Set<SessionKey> some = Set.copyOf(found);
        if (some.isEmpty()) {
            return false;
        }
        found.removeAll(some);
        claim(() -> scanOfSome.apply(some), end);
        return true;
    }

    private static void await(CompletableFuture<Void> work) {
        try {
            work.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return; // It goes on.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("work that is done never fails", e);
        }
    }

    /** Begins no session any more. Listeners that run go on. */
    @Override
    public void close() {
        closed = true;
        threads.shutdown();
        due.clear();
    }
}
