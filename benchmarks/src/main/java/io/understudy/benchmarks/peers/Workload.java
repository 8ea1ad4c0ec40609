package io.understudy.benchmarks.peers;

import io.understudy.benchmarks.peers.client.Requests;

/**
 * What clients do to the nodes of a product.
 *
 * @param sessions how many they have
 * @param requests what they ask for
 */
record Workload(int sessions, Requests requests) {

    boolean length() {
        return requests == Requests.CHANGES_LENGTH;
    }

    /** As in names of rounds. */
    @Override
    public String toString() {
        return sessions + " sessions, " + requests.label();
    }
}
