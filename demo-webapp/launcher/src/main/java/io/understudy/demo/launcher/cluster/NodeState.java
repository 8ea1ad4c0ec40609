package io.understudy.demo.launcher.cluster;

import java.util.Locale;

/** What a node is doing. */
public enum NodeState {
    /** Its process runs, it is not ready yet. */
    STARTING,
    /** It holds all sessions and gets traffic. */
    READY,
    /** Not ready any more: the node reports that, or is silent. */
    NOT_READY,
    /** Its process was stopped by SIGSTOP from here. */
    PAUSED,
    /** It gets no more traffic and ends when its requests have. */
    STOPPING,
    /** It ended in order. */
    STOPPED,
    /** Killed, or ended by itself. */
    DEAD;

    /** For people and scripts: {@code not ready}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
