package io.understudy.store;

import io.understudy.replica.TimeSource;

/** A clock moved by hand. */
final class HandClock implements TimeSource {

    long now = 1_000_000;

    @Override
    public long wallMillis() {
        return now;
    }

    @Override
    public long monotonicMillis() {
        return now;
    }
}
