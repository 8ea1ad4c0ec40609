package io.understudy.ordering;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages up, on threads of its own: those of a scope in their order, and scopes in parallel.
 *
 * <p>Threads: any. Throws nothing of what is thrown above.
 */
final class ScopeDelivery {

    private final Consumer<Message> above;
    private final ScopeCredits credits;
    private final Runnable runEnd;
    private final BiConsumer<Address, ScopeHeader> undelivered;
    private final BiConsumer<String, Throwable> failures;
    private volatile @Nullable ScopeWorkers workers;

    /**
     * @param runEnd is called by a thread that has delivered all that is ready, and now and then before
     * @param undelivered receives the origin and the place of each message that was not handed up, or not wholly
     * @param failures receives what was thrown, and what it kept from being done; throws nothing
     */
    ScopeDelivery(
            Consumer<Message> above,
            ScopeCredits credits,
            Runnable runEnd,
            BiConsumer<Address, ScopeHeader> undelivered,
            BiConsumer<String, Throwable> failures) {
        this.above = above;
        this.credits = credits;
        this.runEnd = runEnd;
        this.undelivered = undelivered;
        this.failures = failures;
    }

    void start(int threads) {
        workers = ScopeWorkers.start(threads, runEnd, e -> failures.accept("delivering changes of other members", e));
    }

    void stop() {
        ScopeWorkers started = workers;
        if (started != null) {
            started.stop();
        }
    }

    /** A number that rises as long as a thread gets on; odd while it has something to do. */
    long steps(int thread) {
        ScopeWorkers started = workers;
        return started == null ? 0 : started.steps(thread);
    }

    /** To be called now and then: what is ready has a thread, also if there was no memory for one before. */
    void rouse() {
        ScopeWorkers started = workers;
        if (started != null) {
            started.rouse();
        }
    }

    /** Wakes threads for so many scopes that became ready. */
    void wake(int ready) {
        ScopeWorkers started = workers;
        if (started != null && ready > 0) {
            started.wake(ready);
        }
    }

    /**
     * Delivers the one message that is ready in a scope on the calling thread; {@link #runEnd} is to follow.
     *
     * @return false if the scope is left to a worker: too many threads do so, or there are other messages, before or now
     */
    boolean deliver(ScopeOrder<Message> order, ScopeOrder.Scope<Message> scope, Message only) {
        ScopeWorkers started = workers;
        ScopeWorkers.Progress own = started == null ? null : started.guest();
        if (own == null) {
            return false;
        }
        try {
            if (!order.takeOnly(scope, only)) {
                return false;
            }
            deliver(only, only.getHeader(SCOPE.ID));
            return order.giveBack(scope);
        } finally {
            own.end();
        }
    }

    /** The calling thread has delivered all that it can. */
    void runEnd() {
        try {
            runEnd.run();
        } catch (Throwable e) {
            failures.accept("ending the delivery of changes of other members", e);
        }
    }

    void drainAll(ScopeOrder<Message> order, List<ScopeOrder.Scope<Message>> scopes) {
        scopes.forEach(scope -> drain(order, scope));
        wake(scopes.size());
    }

    /**
     * Delivers what is ready in a scope; {@link #wake} is to follow.
     *
     * @return for how many threads there is work by that: 0 or 1
     */
    int drain(ScopeOrder<Message> order, ScopeOrder.Scope<Message> scope) {
        ScopeWorkers started = workers;
        if (started == null) {
            return 0;
        }
        try {
            started.add(progress -> deliver(order, scope, progress));
            return 1;
        } catch (Throwable e) { // The scope belongs to this thread now.
            failures.accept("passing changes of other members to the delivery threads", e);
            deliver(order, scope, started.nobodys());
            return 0;
        }
    }

    private void deliver(ScopeOrder<Message> order, ScopeOrder.Scope<Message> scope, ScopeWorkers.Progress progress) {
        for (List<Message> messages = order.take(scope); !messages.isEmpty(); messages = order.take(scope)) {
            for (int i = 0; i < messages.size(); i++) { // Without an iterator: mostly it is one.
                Message message = messages.get(i);
                deliver(message, message.getHeader(SCOPE.ID));
                progress.step();
            }
        }
    }

    /** Throws nothing: the scope would belong to this thread for ever. */
    private void deliver(Message message, ScopeHeader place) {
        try {
            if (place.held() && credits.any()) {
                message.setFlag(Message.Flag.NO_FC); // Its credits went back when it was held.
            }
            above.accept(message);
        } catch (Throwable e) {
            failures.accept("delivering a change of another member", e);
            undelivered(message.getSrc(), place);
        } finally {
            if (!place.held()) {
                credits.gone(message);
            }
        }
    }

    /** Reports that a message was not delivered. */
    void undelivered(Address origin, ScopeHeader place) {
        try {
            undelivered.accept(origin, place);
            ScopeWorkers started = workers;
            if (started != null) {
                started.add(progress -> {}); // The thread that takes it calls the end of its run.
                started.wake(1);
            }
        } catch (Throwable e) {
            failures.accept("reporting a change that was not delivered", e);
        }
    }
}
