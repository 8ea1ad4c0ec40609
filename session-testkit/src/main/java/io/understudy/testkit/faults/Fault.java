package io.understudy.testkit.faults;

/** Something wrong in a {@link Cluster}, until it is closed. Faults add up. Compared by identity. */
public final class Fault implements AutoCloseable {

    private final Cluster cluster;
    private final String what;

    Fault(Cluster cluster, String what) {
        this.cluster = cluster;
        this.what = what;
    }

    /** Ends it. */
    @Override
    public void close() {
        cluster.end(this);
    }

    @Override
    public String toString() {
        return what;
    }
}
