package io.understudy.testkit;

import io.understudy.replica.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still but for the hand that moves it, for nodes that share a process. Threads: any. */
public final class MovedTime implements TimeSource {

    private final AtomicLong wall = new AtomicLong(System.currentTimeMillis());
    private final AtomicLong monotonic = new AtomicLong();

    @Override
    public long wallMillis() {
        return wall.get();
    }

    @Override
    public long monotonicMillis() {
        return monotonic.get();
    }

    /** Time passes. */
    public void advance(Duration by) {
        wall.addAndGet(by.toMillis());
        monotonic.addAndGet(by.toMillis());
    }

    /** Somebody sets the clock on the wall, back if negative; no time passes. */
    public void step(Duration by) {
        wall.addAndGet(by.toMillis());
    }
}
