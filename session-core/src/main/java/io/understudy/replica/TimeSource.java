package io.understudy.replica;

/** Where a node takes its time from, so that tests can move it by hand. */
public interface TimeSource {

    /** Milliseconds since the epoch; may step. */
    long wallMillis();

    /** Monotonic milliseconds of this process; never steps. */
    long monotonicMillis();

    /** The clocks of this machine. */
    TimeSource SYSTEM = new TimeSource() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMillis() {
            return System.nanoTime() / 1_000_000;
        }
    };
}
