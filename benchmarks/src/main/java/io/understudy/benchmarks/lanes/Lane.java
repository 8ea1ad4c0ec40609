package io.understudy.benchmarks.lanes;

/**
 * One way for updates of sessions to reach the other members, on a channel of its own.
 *
 * <p>Threads: any.
 */
interface Lane extends AutoCloseable {

    /** Sessions are numbered 1 to {@code count}: creates them, and sends them to the others. */
    void create(int count);

    /** Sends a new value of a session. The array is not changed afterwards. */
    void send(int session, byte[] value);

    /** Updates sent since the start. */
    long sent();

    /** Whether all updates were sent, and none waits. */
    boolean settled();

    /** What sees the updates of the others. */
    Probe probe();

    /** Whether this many members are here and can exchange updates. */
    boolean joined(int members);

    /** What it says of itself, for diagnosis; one line without blanks at the ends. */
    String state();

    @Override
    void close();
}
