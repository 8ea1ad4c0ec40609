package io.understudy.contract;

/** What keeps the sessions, and which of the nodes a client asks next. */
public enum Topology {
    /** The container's own sessions, which applications are used to. */
    LOCAL(1, false, false),
    ONE_NODE(1, true, false),
    /** One node whose session objects go with each request: all there is after it are bytes. */
    DROPPED(1, true, true),
    /** Each client stays with its node. */
    STICKY(2, true, false),
    /** Each request of a client is on another node than the one before. */
    ALTERNATING(2, true, false),
    /** The same, with nodes that hear each other late: a client that does not wait for that is there before its changes. */
    LATE(2, true, false);

    private final int nodes;
    private final boolean replicated;
    private final boolean dropping;

    Topology(int nodes, boolean replicated, boolean dropping) {
        this.nodes = nodes;
        this.replicated = replicated;
        this.dropping = dropping;
    }

    int nodes() {
        return nodes;
    }

    boolean replicated() {
        return replicated;
    }

    /** Whether the container is to keep no session object between requests. */
    public boolean dropping() {
        return dropping;
    }

    int nodeFor(int client, int request) {
        return (this == ALTERNATING || this == LATE ? client + request : client) % nodes;
    }
}
