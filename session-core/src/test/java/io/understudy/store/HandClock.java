package io.understudy.store;

import io.understudy.replica.TimeSource;

/** A clock moved by hand. */
final class HandClock implements TimeSource {

    long now;

    HandClock() {
        this(1_000_000);
    }

    HandClock(long now) {
        this.now = now;
    }

    @Override
    public long wallMillis() {
        return now;
    }

    @Override
    public long monotonicMillis() {
        return now;
    }
}
