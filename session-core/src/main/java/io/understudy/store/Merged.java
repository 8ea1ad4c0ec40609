package io.understudy.store;

import org.jspecify.annotations.Nullable;

/**
 * What a merge did.
 *
 * @param before what was stored, {@code null} if the session was unknown
 * @param after what is stored now
 */
public record Merged(@Nullable StoredReplica before, StoredReplica after) {

    /** Whether the session was live and is over now. */
    public boolean endedNow() {
        return before != null && before.replica().live() && after.replica().ended();
    }
}
