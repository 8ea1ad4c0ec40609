package io.understudy.threads;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Hands out what rules under a lock decided, outside that lock and in the order of the decisions. Whichever thread
 * finds no other at it does it; none waits for another.
 *
 * <p>An output that its handler fails at keeps its place, and is handed out again with the next call, a few times:
 * rules count on what they decided, and on its order. So call it now and then without anything to add, too.
 *
 * @param <O> what is handed out
 */
public final class SerialDispatcher<O> {

    /** How often an output is handed out before it is given up. */
    public static final int TRIES = 5;

    private final Consumer<O> handler;
    private final Consumer<Throwable> failed;
    private final Queue<O> outputs = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean handing = new AtomicBoolean();

    /** How often the first output has failed. For the thread that hands out. */
    private int failures;

    /**
     * @param handler must not wait; called by one thread at a time
     * @param failed receives what the handler throws; throws nothing
     */
    public SerialDispatcher(Consumer<O> handler, Consumer<Throwable> failed) {
        this.handler = handler;
        this.failed = failed;
    }

    /** To be called under the lock that orders the decisions, and followed by {@link #handOut} outside it. */
    public void add(List<O> decided) {
        outputs.addAll(decided); // All or, without memory, none.
    }

    public void handOut() {
        boolean all = true;
        // Whoever adds looks after the flag of the one who hands out, and the other way round: nothing stays behind.
        while (all && !outputs.isEmpty() && handing.compareAndSet(false, true)) {
            try {
                all = handOutAll();
            } finally {
                handing.set(false);
            }
        }
    }

    private boolean handOutAll() {
        for (O next = outputs.peek(); next != null; next = outputs.peek()) {
            try {
                handler.accept(next);
                failures = 0;
            } catch (Throwable e) {
                failed.accept(e);
                if (++failures < TRIES) {
                    return false;
                }
                failures = 0;
            }
            outputs.remove();
        }
        return true;
    }
}
