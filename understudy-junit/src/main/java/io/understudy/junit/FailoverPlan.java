package io.understudy.junit;

import io.understudy.junit.comparison.Exchange;
import java.util.List;

/** How the nodes of a {@link FailoverTest} take turns. */
public enum FailoverPlan {

    /**
     * The nodes answer by turns: each request is on the other node than the request before it. A request that begins while
     * another one of its session waits for its response is on the same node as that.
     */
    SWITCH("switching nodes"),

    /**
     * As {@link #SWITCH}, until shortly before the end. Then the node that answered last ends as a killed process does: its
     * connections to the other node break, and what it had not sent is lost. That is before the last request that began on
     * one node while no other request was under way. The other node answers the rest.
     */
    SWITCH_AND_KILL("switching nodes and killing one"),

    /**
     * One node answers the first half of the requests. Then it ends as a killed process does, before the next request that
     * begins while none is under way. The other node answers the rest.
     */
    KILL("killing a node");

    private final String title;

    FailoverPlan(String title) {
        this.title = title;
    }

    /** As a report shows it. */
    String title() {
        return title;
    }

    /** Whether the nodes answer by turns. */
    boolean switches() {
        return this != KILL;
    }

    /** Whether a node is killed. */
    boolean kills() {
        return this != SWITCH;
    }

    /**
     * The number of the request after which a node is killed, as soon as no request is under way.
     *
     * @param reference the run on one node, in the order of its requests
     */
    int killAfter(List<Exchange> reference) {
        int requests = reference.size();
        int after = requests / 2;
        if (switches()) {
            after = requests - 1;
            while (after > 1 && !quiet(reference.get(after), reference)) {
                after--;
            }
        }
        return Math.max(1, after);
    }

    private static boolean quiet(Exchange request, List<Exchange> all) {
        long begin = request.course().begin();
        return all.stream()
                .noneMatch(other ->
                        other.course().begin() < begin && begin < other.course().end());
    }
}
