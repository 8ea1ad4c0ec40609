package io.understudy.benchmarks.peers;

/**
 * What clients do to the nodes of a product.
 *
 * @param sessions how many they have
 * @param length whether the application sets Content-Length, so that its last write ends the response
 */
record Workload(int sessions, boolean length) {

    /** As in names of rounds. */
    @Override
    public String toString() {
        return sessions + " sessions" + (length ? ", length set" : "");
    }
}
