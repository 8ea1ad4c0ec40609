package io.understudy.ordering;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Restores the order within each scope of one origin's messages, which arrive in any order, and lets one worker at a time
 * take them.
 *
 * <p>A message may go when the one its origin sent before it in that scope has gone, or can't come any more. Nothing is
 * discarded by number: late and repeated messages go at once. The first message that goes although an earlier one is
 * missing is marked {@link ScopeHeader#afterGap}.
 *
 * <p>Threads: any; each scope's state is guarded by the scope.
 */
final class ScopeOrder<M> {

    /**
     * When waiting ends before the missing message is there.
     *
     * @param gapMillis after this long
     * @param scopeBytes above this in one scope
     * @param allBytes above this in all scopes of all origins
     */
    record Limits(long gapMillis, long scopeBytes, long allBytes) {}

    private record Held<M>(ScopeHeader header, M message, int bytes, long since) {}

    /** One session's messages of this origin. */
    static final class Scope<M> {
        private long position;
        private final TreeMap<Long, Held<M>> held = new TreeMap<>();
        private long heldBytes;
        private List<M> ready = List.of();
        private boolean taken;
        private boolean freed;

        private void add(M message) {
            if (ready.isEmpty()) {
                ready = new ArrayList<>(2);
            }
            ready.add(message);
        }
    }

    private final Limits limits;
    private final ScopeFigures figures;
    private final UnaryOperator<M> kept;
    private final Map<Long, Scope<M>> scopes = new ConcurrentHashMap<>();

    /** Numbers up to this were sent before this member listened to the origin. */
    private volatile long base;

    /** Whether the origin may tell a higher base. */
    @GuardedBy("this")
    private boolean learning = true;

    /** Until when; 0 if it has not been heard since it appeared. */
    @GuardedBy("this")
    private long learnUntil;

    /** The highest number heard. */
    @GuardedBy("this")
    private long highest;

    @GuardedBy("this")
    private long highestAtSweep;

    /** Scopes at or below this are freed; of a scope that is not known nothing up to this is waited for. */
    private volatile long floor;

    private volatile boolean closed;

    /** @param kept makes of a message one that occupies nothing but itself, to be held */
    ScopeOrder(Limits limits, ScopeFigures figures, UnaryOperator<M> kept) {
        this.limits = limits;
        this.figures = figures;
        this.kept = kept;
    }

    /**
     * The origin appears in the view, for the first time or again: what it sent before may have been missed, and is not
     * waited for. What it calls its {@link ScopeHeader#base} counts until the gap timeout after its first message.
     */
    synchronized void listen() {
        learning = true;
        learnUntil = 0;
    }

    /**
     * The origin left: nothing is waited for any more.
     *
     * @return the scopes to {@link #take} from
     */
    List<Scope<M>> close() {
        closed = true; // Read under a scope's lock: whoever misses it has held its message before the scopes are
        // visited.
        return release(Long.MAX_VALUE);
    }

    /**
     * Takes in a message, which is {@link ScopeHeader#held} afterwards if it has to wait, or had to.
     *
     * @param bytes what it occupies while held
     * @return the scope, if messages are ready and no worker has taken it: the caller then is to have a worker {@link
     *     #take} them
     */
    @Nullable
    Scope<M> offer(ScopeHeader header, M message, int bytes, long nowMillis) {
        note(header, nowMillis);
        while (true) {
            Scope<M> known = scopes.get(header.scope()); // Nearly always, and without a lock.
            Scope<M> scope = known != null ? known : scopes.computeIfAbsent(header.scope(), key -> new Scope<>());
            synchronized (scope) {
                if (!scope.freed) {
                    sort(scope, new Held<>(header, message, bytes, nowMillis));
                    return claim(scope);
                }
            }
        }
    }

    private synchronized void note(ScopeHeader header, long now) {
        highest = Math.max(highest, header.number());
        if (learning) {
            learnUntil = learnUntil == 0 ? now + limits.gapMillis() : learnUntil;
            learning = now < learnUntil;
            base = learning ? Math.max(base, header.base()) : base;
        }
    }

    private void sort(Scope<M> scope, Held<M> arrived) {
        ScopeHeader header = arrived.header();
        if (header.number() <= scope.position) {
            scope.add(arrived.message()); // Late or repeated.
        } else if (scope.held.containsKey(header.number())) {
            header.markHeld(); // A second copy of one that waits, and is acknowledged for both.
        } else if (closed || due(scope, header)) {
            advance(scope, arrived);
            releaseDue(scope);
        } else {
            hold(scope, arrived);
        }
    }

    private void hold(Scope<M> scope, Held<M> arrived) {
        arrived.header().markHeld();
        Held<M> own = new Held<>(arrived.header(), kept.apply(arrived.message()), arrived.bytes(), arrived.since());
        scope.held.put(arrived.header().number(), own);
        scope.heldBytes += arrived.bytes();
        figures.hold(arrived.bytes());
        if (scope.heldBytes > limits.scopeBytes() || figures.heldBytes() > limits.allBytes()) {
            releaseAll(scope);
        }
    }

    private boolean due(Scope<M> scope, ScopeHeader header) {
        return header.previous() <= Math.max(scope.position, base) || unknown(scope, header);
    }

    /** Whether nothing is known of what came before: it was missed, or all of it went long ago. */
    private boolean unknown(Scope<M> scope, ScopeHeader header) {
        return scope.position == 0 && header.previous() <= Math.max(base, floor);
    }

    private void advance(Scope<M> scope, Held<M> next) {
        if (next.header().previous() > scope.position && !unknown(scope, next.header())) {
            next.header().markAfterGap();
            figures.gap();
        }
        scope.position = next.header().number();
        scope.add(next.message());
    }

    private void releaseDue(Scope<M> scope) {
        while (!scope.held.isEmpty()
                && due(scope, scope.held.firstEntry().getValue().header())) {
            releaseFirst(scope);
        }
    }

    private void releaseAll(Scope<M> scope) {
        figures.released(scope.held.size());
        while (!scope.held.isEmpty()) {
            releaseFirst(scope);
        }
    }

    private void releaseFirst(Scope<M> scope) {
        Held<M> next = scope.held.pollFirstEntry().getValue();
        scope.heldBytes -= next.bytes();
        figures.letGo(next.bytes());
        advance(scope, next);
    }

    private @Nullable Scope<M> claim(Scope<M> scope) {
        if (scope.taken || scope.ready.isEmpty()) {
            return null;
        }
        scope.taken = true;
        return scope;
    }

    /** All messages that are ready; an empty list gives the scope back. For the worker that claimed it. */
    List<M> take(Scope<M> scope) {
        synchronized (scope) {
            List<M> messages = scope.ready;
            scope.ready = List.of();
            scope.taken = !messages.isEmpty();
            return messages;
        }
    }

    /**
     * Gives up waiting in the scopes that hold a message since {@code heldBefore} or longer.
     *
     * @return the scopes to {@link #take} from
     */
    List<Scope<M>> release(long heldBefore) {
        List<Scope<M>> released = new ArrayList<>();
        for (Scope<M> scope : scopes.values()) {
            synchronized (scope) {
                releaseDue(scope); // The origin's base may have risen.
                if (scope.held.values().stream().anyMatch(held -> held.since() <= heldBefore)) {
                    releaseAll(scope);
                }
                if (claim(scope) != null) {
                    released.add(scope);
                }
            }
        }
        return released;
    }

    /**
     * Frees the scopes that heard nothing since the sweep before the last. Their positions are covered by one number for
     * all: of a freed scope nothing up to it is waited for.
     */
    void sweep() {
        synchronized (this) {
            floor = highestAtSweep;
            highestAtSweep = highest;
        }
        scopes.values().removeIf(scope -> {
            synchronized (scope) {
                scope.freed = scope.held.isEmpty() && !scope.taken && scope.position <= floor;
                return scope.freed;
            }
        });
    }

    int scopeCount() {
        return scopes.size();
    }
}
