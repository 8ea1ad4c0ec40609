package io.understudy.ordering;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** Made once: a worker that takes the last messages makes nothing. */
    private static final List<?> NONE = List.of();

    private record Held<M>(ScopeHeader header, M message, int bytes, long since) {}

    /** One session's messages of this origin. */
    static final class Scope<M> {
        private long position;

        /** Only while there are some: there may be millions of scopes. */
        private @Nullable TreeMap<Long, Held<M>> held;

        private long heldBytes;
        private List<M> ready = none();
        private boolean taken;
        private boolean freed;

        private void add(M message) {
            if (ready.isEmpty()) {
                ready = List.of(message); // Mostly it stays the only one.
                return;
            }
            if (ready.size() == 1) {
                ready = new ArrayList<>(ready);
            }
            ready.add(message);
        }

        private boolean holds(long number) {
            return held != null && held.containsKey(number);
        }

        private void hold(Held<M> message) {
            TreeMap<Long, Held<M>> known = held == null ? new TreeMap<>() : held;
            known.put(message.header().number(), message);
            held = known;
            heldBytes += message.bytes();
        }

        /** The first of those held, in the order of their numbers. */
        private @Nullable Held<M> first() {
            return held == null ? null : held.firstEntry().getValue();
        }

        private void letGo(Held<M> first) {
            if (held != null) {
                held.remove(first.header().number());
                held = held.isEmpty() ? null : held;
                heldBytes -= first.bytes();
            }
        }

        private boolean holdsSince(long before) {
            return held != null && held.values().stream().anyMatch(message -> message.since() <= before);
        }
    }

    @SuppressWarnings("unchecked") // It has no element, and takes none.
    private static <M> List<M> none() {
        return (List<M>) NONE;
    }

    private final Limits limits;
    private final ScopeFigures figures;
    private final UnaryOperator<M> kept;
    private final Map<Long, Scope<M>> scopes = new ConcurrentHashMap<>();

    /** Those that hold messages back; there may be millions that do not. */
    private final Set<Scope<M>> holding = ConcurrentHashMap.newKeySet();

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
        closed = true; // Before the look at those that hold: who adds to them looks here afterwards.
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
                    sort(scope, header, message, bytes, nowMillis);
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

    private void sort(Scope<M> scope, ScopeHeader header, M message, int bytes, long now) {
        releaseDue(scope); // This message may have told a higher base: what waited in vain goes before it.
        if (header.number() <= scope.position) {
            scope.add(message); // Late or repeated.
        } else if (scope.holds(header.number())) {
            header.markHeld(); // A second copy of one that waits, and is acknowledged for both.
        } else if (closed || due(scope, header)) {
            advance(scope, header, message);
            releaseDue(scope);
        } else {
            hold(scope, new Held<>(header, kept.apply(message), bytes, now));
            header.markHeld();
        }
    }

    private void hold(Scope<M> scope, Held<M> arrived) {
        holding.add(scope); // Before: what waits is found by the timer, and by close(), in any case.
        scope.hold(arrived);
        figures.hold(arrived.bytes());
        if (closed || scope.heldBytes > limits.scopeBytes() || figures.heldBytes() > limits.allBytes()) {
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

    private void advance(Scope<M> scope, ScopeHeader header, M message) {
        if (header.previous() > scope.position && !unknown(scope, header)) {
            header.markAfterGap();
            figures.gap();
        }
        scope.add(message);
        scope.position = header.number();
    }

    private void releaseDue(Scope<M> scope) {
        for (Held<M> first = scope.first(); first != null && due(scope, first.header()); first = scope.first()) {
            release(scope, first);
        }
    }

    private void releaseAll(Scope<M> scope) {
        for (Held<M> first = scope.first(); first != null; first = scope.first()) {
            figures.released(1);
            release(scope, first);
        }
    }

    private void release(Scope<M> scope, Held<M> first) {
        advance(
                scope,
                first.header(),
                first.message()); // Before it is let go: there may be no memory for it to be ready.
        scope.letGo(first);
        figures.letGo(first.bytes());
        holdsNoMore(scope);
    }

    private void holdsNoMore(Scope<M> scope) {
        if (scope.held == null) {
            holding.remove(scope);
        }
    }

    private @Nullable Scope<M> claim(Scope<M> scope) {
        if (scope.taken || scope.ready.isEmpty()) {
            return null;
        }
        scope.taken = true;
        return scope;
    }

    /**
     * All messages that are ready; an empty list gives the scope back. For the worker that claimed it. Throws nothing, and
     * takes no memory: nobody else would ever take from the scope.
     */
    List<M> take(Scope<M> scope) {
        synchronized (scope) {
            List<M> messages = scope.ready;
            scope.ready = none();
            scope.taken = !messages.isEmpty();
            return messages;
        }
    }

    /**
     * Takes a message if it is the only one that is ready. For the worker that claimed the scope; {@link #giveBack} is to
     * follow. Throws nothing, and takes no memory.
     */
    @SuppressWarnings("ReferenceEquality") // What was held is another one, even if equal.
    boolean takeOnly(Scope<M> scope, M message) {
        synchronized (scope) {
            boolean only = scope.ready.size() == 1 && scope.ready.get(0) == message;
            if (only) {
                scope.ready = none();
            }
            return only;
        }
    }

    /** Gives a scope back unless more is ready: then it is still the caller's. Throws nothing, and takes no memory. */
    boolean giveBack(Scope<M> scope) {
        synchronized (scope) {
            scope.taken = !scope.ready.isEmpty();
            return !scope.taken;
        }
    }

    /**
     * Gives up waiting in the scopes that hold a message since {@code heldBefore} or longer.
     *
     * @return the scopes to {@link #take} from
     */
    List<Scope<M>> release(long heldBefore) {
        List<Scope<M>> released = new ArrayList<>();
        for (Scope<M> scope : holding) {
            synchronized (scope) {
                releaseDue(scope); // The origin's base may have risen.
                if (scope.holdsSince(heldBefore)) {
                    releaseAll(scope);
                }
                holdsNoMore(scope); // There was no memory for what it was to hold.
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
                scope.freed = scope.held == null && !scope.taken && scope.position <= floor;
                return scope.freed;
            }
        });
    }

    int scopeCount() {
        return scopes.size();
    }
}
