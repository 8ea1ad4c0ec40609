package io.understudy.codec;

import io.understudy.codec.Containers.Agreement;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Three threads that change a value until this is closed. Each thread has two numbers of its own. If the value is of the
 * kind {@link Agreement#TOGETHER}, each thread adds both numbers in one call, and removes both in one. Otherwise it adds
 * a number and then removes the other, so that the value has one of the two at each moment. The threads hold a lock only
 * if the value is not made for threads; the encoder does not know this lock.
 */
final class Writers implements AutoCloseable {

    private static final long REST_NANOS = 1000;

    private final Changing value;
    private final int burst;
    private final Object lock = new Object();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<CompletableFuture<Void>> threads = new ArrayList<>();

    private Writers(Changing value, int burst) {
        this.value = value;
        this.burst = burst;
    }

    /** @param burst a thread rests after as many changes, so that some encodings meet none */
    static Writers of(Changing value, int burst) {
        Writers writers = new Writers(value, burst);
        for (int first : Changing.PAIRS) {
            writers.threads.add(Beside.run(() -> writers.change(first)));
        }
        return writers;
    }

    void awaitBegun() {
        Await.that("all writers began", () -> begun.get() == Changing.PAIRS.size());
    }

    private void change(int first) {
        begun.incrementAndGet();
        Runnable change = value.agreement() == Agreement.TOGETHER ? together(first) : oneByOne(first);
        for (int changes = 0; !stop.get(); changes++) {
            if (value.agreement() == Agreement.NEEDED) {
                synchronized (lock) {
                    change.run();
                }
            } else {
                change.run();
            }
            if (changes % burst == 0) {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private Runnable together(int first) {
        List<Integer> both = List.of(first, first + 1);
        boolean[] there = {true};
        return () -> {
            (there[0] ? value.remove() : value.add()).accept(both);
            there[0] = !there[0];
        };
    }

    private Runnable oneByOne(int first) {
        List<Integer> one = List.of(first);
        List<Integer> other = List.of(first + 1);
        boolean[] begins = {true};
        boolean[] firstIsThere = {true};
        return () -> {
            if (begins[0]) {
                value.remove().accept(other);
                begins[0] = false;
            }
            value.add().accept(firstIsThere[0] ? other : one);
            value.remove().accept(firstIsThere[0] ? one : other);
            firstIsThere[0] = !firstIsThere[0];
        };
    }

    @Override
    public void close() {
        stop.set(true);
        threads.forEach(CompletableFuture::join);
    }
}
