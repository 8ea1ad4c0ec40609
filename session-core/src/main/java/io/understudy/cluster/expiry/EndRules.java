package io.understudy.cluster.expiry;

import io.understudy.expiry.EndClaims;
import io.understudy.expiry.ExpiryOutput;
import io.understudy.replica.SessionKey;
import io.understudy.threads.SerialDispatcher;
import io.understudy.threads.Uninterrupted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time at the rules of ends. What they want done is done outside their lock, in their order, by whichever thread
 * finds no other at it.
 *
 * <p>Threads: any; only {@link #await} waits for long. The lock is no monitor: in one a virtual thread keeps its carrier, on JDK 21 to 23.
 */
final class EndRules {

    /** How often, in milliseconds, whoever waits looks again, told or not. */
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final Supplier<EndClaims<Address>> make;
    private final SerialDispatcher<ExpiryOutput<Address>> outputs;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition decided = lock.newCondition();

    /** Set once, by the first step. */
    private volatile @Nullable EndClaims<Address> rules;

    /**
     * @param make makes the rules when they are first needed: then this node's address is known
     * @param handler does what they want done; must not wait
     * @param failed is told what the handler throws; throws nothing
     */
    EndRules(Supplier<EndClaims<Address>> make, Consumer<ExpiryOutput<Address>> handler, Consumer<Throwable> failed) {
        this.make = make;
        this.outputs = new SerialDispatcher<>(handler, failed);
    }

    /** For what any thread may ask; {@code null} if nobody wanted to end a session so far. */
    @Nullable
    EndClaims<Address> unlocked() {
        return rules;
    }

    private EndClaims<Address> made() {
        EndClaims<Address> made = rules;
        if (made == null) {
            made = make.get();
            rules = made;
        }
        return made;
    }

    <T> T ask(Function<EndClaims<Address>, T> question) {
        lock.lock();
        try {
            return question.apply(made());
        } finally {
            lock.unlock();
        }
    }

    /** There is nothing of the session to be ended any more. To say so takes no memory until the claim is gone. */
    void finish(SessionKey key) {
        List<ExpiryOutput<Address>> wanted;
        lock.lock();
        try {
            wanted = made().finish(key);
            outputs.add(wanted);
            decided.signalAll();
        } finally {
            lock.unlock();
        }
        outputs.handOut();
    }

    void act(Function<EndClaims<Address>, List<ExpiryOutput<Address>>> step) {
        List<ExpiryOutput<Address>> wanted;
        lock.lock();
        try {
            wanted = step.apply(made());
            outputs.add(wanted);
            if (!wanted.isEmpty()) {
                decided.signalAll();
            }
        } finally {
            lock.unlock();
        }
        outputs.handOut();
    }

    /**
     * Waits until the condition holds. An interrupt does not shorten that.
     *
     * @return whether it held before {@code limit} was over
     */
    boolean await(BooleanSupplier condition, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        lock.lock();
        try {
            return Uninterrupted.get(() -> holds(condition, end));
        } finally {
            lock.unlock();
        }
    }

    private boolean holds(BooleanSupplier condition, long end) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            var unused = decided.awaitNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MILLIS)));
        }
        return true;
    }
}
