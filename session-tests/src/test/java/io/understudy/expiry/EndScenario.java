package io.understudy.expiry;

import io.understudy.testkit.Sides.Change;
import java.util.List;
import java.util.Set;

/**
 * What can happen in an {@link EndWorld}.
 *
 * @param members numbered from 0; those in {@code begin} are there from the beginning
 * @param expiries how often each member may find the session idle for too long
 * @param logouts how many logouts come to each
 * @param uses how many other requests come to each in time
 * @param late how many requests come to each that find the session idle for too long
 * @param giveUps how often somebody gives up a claim, or would like to when its listeners run
 * @param changes happen in this order, at any time
 */
record EndScenario(
        int members,
        Set<Integer> begin,
        List<Integer> expiries,
        List<Integer> logouts,
        List<Integer> uses,
        List<Integer> late,
        int giveUps,
        List<Change> changes) {

    boolean splits() {
        return changes.stream().anyMatch(Change.Split.class::isInstance);
    }
}
