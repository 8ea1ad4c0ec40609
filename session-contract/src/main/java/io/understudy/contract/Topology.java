package io.understudy.contract;

import io.understudy.config.Setting;
import io.understudy.testkit.Browser;
import java.util.Map;

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
    /** The same, with frames that arrive late: a client that does not wait for that is there before its changes. */
    LATE(2, true, false),
    /** The same, but no response waits: the next node does, if the client's version cookie asks for that. */
    VERSIONED(2, true, false),
    /** As alternating, over HTTP/2. */
    HTTP2(2, true, false);

    private static final Map<Setting, String> INCOHERENT_WITH_COOKIE = Map.of(
            Setting.COHERENCE, "incoherent",
            Setting.VERSION_COOKIE, "VERSION",
            Setting.VERSION_COOKIE_SECRET, "the contract has no secrets",
            Setting.VERSION_COOKIE_WAIT, "10s");

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

    Map<Setting, String> settings() {
        return this == VERSIONED ? INCOHERENT_WITH_COOKIE : Map.of();
    }

    /** Whether frames between the nodes arrive late. */
    boolean delayed() {
        return this == LATE || this == VERSIONED;
    }

    /** The same client in the form for this topology. */
    Browser browser(Browser plain) {
        return this == HTTP2 ? plain.overHttp2() : plain;
    }

    int nodeFor(int client, int request) {
        return (this == ALTERNATING || this == HTTP2 || delayed() ? client + request : client) % nodes;
    }
}
