package io.understudy.junit;

/** How the nodes of a {@link FailoverTest} take turns. */
public enum FailoverPlan {

    /** The nodes answer by turns: each request is on the other node than the request before it. */
    SWITCH("switching nodes"),

    /**
     * One node answers the first half of the requests, then leaves the cluster without handing over anything that its
     * container still has. It sends changes that it had not sent yet, and announces that it leaves: a dead process does
     * neither. The other node answers the rest.
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
