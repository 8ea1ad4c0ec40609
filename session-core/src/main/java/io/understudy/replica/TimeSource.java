package io.understudy.replica;

/** Where a node takes its time from, so that tests can move it by hand. */
public interface TimeSource {

    /** Milliseconds since the epoch; may step. */
    long wallMillis();

    /** Monotonic milliseconds of this process; never steps. */
    long monotonicMillis();

    /**
     * Monotonic nanoseconds by which a node notices that its process stood still. If they stand still, too, it
     * notices nothing.
     */
    default long pulseNanos() {
        return 0;
    }

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

        @Override
        public long pulseNanos() {
            return System.nanoTime();
        }
    };

    /** The same for members that share a process: it stands still for all of them at once, and none has to notice. */
    TimeSource SHARED_PROCESS = new TimeSource() {
        @Override
        public long wallMillis() {
            return SYSTEM.wallMillis();
        }

        @Override
        public long monotonicMillis() {
            return SYSTEM.monotonicMillis();
        }
    };
}
