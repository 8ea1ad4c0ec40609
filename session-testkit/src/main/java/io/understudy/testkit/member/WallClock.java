package io.understudy.testkit.member;

import io.understudy.replica.TimeSource;

/** This machine's clocks, the one on the wall set wrong. Threads: any. */
final class WallClock implements TimeSource {

    private volatile long aheadMillis;

    WallClock(long aheadMillis) {
        this.aheadMillis = aheadMillis;
    }

    /** Somebody sets it; behind the machine's if negative. */
    void set(long millis) {
        aheadMillis = millis;
    }

    @Override
    public long wallMillis() {
        return SYSTEM.wallMillis() + aheadMillis;
    }

    @Override
    public long monotonicMillis() {
        return SYSTEM.monotonicMillis();
    }

    @Override
    public long pulseNanos() {
        return SYSTEM.pulseNanos();
    }
}
