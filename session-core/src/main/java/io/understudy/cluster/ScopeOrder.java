package io.understudy.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Restores the order within each scope of one origin's messages, which arrive in any order, and lets one worker at a time
 * take them.
 *
 * <p>A message may go when the one its origin sent before it in that scope has gone, or was sent before this member
 * began to listen. Nothing is discarded by number: late and repeated messages go at once.
 *
 * <p>Threads: any; each scope's state is guarded by the scope.
 */
final class ScopeOrder<M> {

    private record Held<M>(long previous, M message) {}

    /** One session's messages of this origin. */
    static final class Scope<M> {
        private long position;
        private final TreeMap<Long, Held<M>> held = new TreeMap<>();
        private long heldSince;
        private final Queue<M> ready = new ArrayDeque<>(2);
        private boolean taken;
    }

    /** Numbers below this were sent before this member listened to the origin. */
    private final long base;

    private final Map<Long, Scope<M>> scopes = new ConcurrentHashMap<>();
    private final LongAdder everHeld = new LongAdder();

    ScopeOrder(long base) {
        this.base = base;
    }

    /**
     * Takes in a message.
     *
     * @return the scope, if messages are ready and no worker has taken it: the caller then is to have a worker {@link
     *     #take} them
     */
    @Nullable
    Scope<M> offer(ScopeHeader header, M message, long nowMillis) {
        Scope<M> scope = scopes.computeIfAbsent(header.scope(), key -> new Scope<>());
        synchronized (scope) {
            boolean first = scope.held.isEmpty();
            if (header.number() <= scope.position) {
                scope.ready.add(message);
            } else if (due(scope, header.previous())) {
                scope.position = header.number();
                scope.ready.add(message);
                releaseDue(scope);
            } else {
                scope.held.put(header.number(), new Held<>(header.previous(), message));
                scope.heldSince = first ? nowMillis : scope.heldSince;
                everHeld.increment();
            }
            return claim(scope);
        }
    }

    private boolean due(Scope<M> scope, long previous) {
        return previous <= scope.position || previous < base;
    }

    private void releaseDue(Scope<M> scope) {
        while (!scope.held.isEmpty()
                && due(scope, scope.held.firstEntry().getValue().previous())) {
            release(scope);
        }
    }

    private void release(Scope<M> scope) {
        Map.Entry<Long, Held<M>> next = scope.held.pollFirstEntry();
        scope.position = next.getKey();
        scope.ready.add(next.getValue().message());
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
            List<M> messages = new ArrayList<>(scope.ready);
            scope.ready.clear();
            scope.taken = !messages.isEmpty();
            return messages;
        }
    }

    /**
     * Gives up waiting in the scopes that have held messages since {@code heldBefore} or longer.
     *
     * @return the scopes to {@link #take} from
     */
    List<Scope<M>> release(long heldBefore) {
        List<Scope<M>> released = new ArrayList<>();
        for (Scope<M> scope : scopes.values()) {
            synchronized (scope) {
                if (scope.held.isEmpty() || scope.heldSince > heldBefore) {
                    continue;
                }
                while (!scope.held.isEmpty()) {
                    release(scope);
                }
                if (claim(scope) != null) {
                    released.add(scope);
                }
            }
        }
        return released;
    }

    /** Frees what is kept of a scope that will see no more messages. */
    void forget(long scope) {
        scopes.remove(scope);
    }

    /** Messages waiting for an earlier one. */
    int heldCount() {
        int count = 0;
        for (Scope<M> scope : scopes.values()) {
            synchronized (scope) {
                count += scope.held.size();
            }
        }
        return count;
    }

    /** Messages that ever had to wait. */
    long everHeld() {
        return everHeld.sum();
    }

    int scopeCount() {
        return scopes.size();
    }
}
