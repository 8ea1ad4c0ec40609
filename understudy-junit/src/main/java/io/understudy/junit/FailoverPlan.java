package io.understudy.junit;

/** How the nodes of a {@link FailoverTest} take turns. */
public enum FailoverPlan {

    /**
     * The nodes answer by turns: each request is on the other node than the request before it. A request that begins while
     * another one of its session waits for its response is on the same node as that.
     */
    SWITCH("switching nodes"),

    /**
     * One node answers the first half of the requests. Then it ends as a killed process does, before the next request that
     * begins while none is under way: its connections to the other node break, and what it had not sent is lost. The other
     * node answers the rest.
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
}
