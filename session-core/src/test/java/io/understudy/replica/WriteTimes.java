package io.understudy.replica;

/** What a later write of an attribute must be stamped above: its last write, and the last removal of any. */
public final class WriteTimes {

    private WriteTimes() {}

    public static long of(SessionReplica replica, String attribute) {
        StampedBytes written = replica.attribute(attribute);
        return Math.max(written == null ? 0 : written.stamp().time(), replica.lastRemovalTime());
    }
}
