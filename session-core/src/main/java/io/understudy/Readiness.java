package io.understudy;

import org.jspecify.annotations.Nullable;

/**
 * Whether a node should get traffic.
 *
 * @param ready whether it holds all sessions of all its applications, and their servers accept requests
 * @param reason one line for people: why it is not ready, or what it holds and who the other members are
 */
public record Readiness(boolean ready, String reason) {

    /** The same with a remark, if there is one and the node is ready: otherwise the reason alone counts. */
    Readiness remarked(@Nullable String remark) {
        return ready && remark != null ? new Readiness(true, reason + "; " + remark) : this;
    }
}
