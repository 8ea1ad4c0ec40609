package io.understudy.expiry;

import io.understudy.replica.Ending;
import io.understudy.replica.Stamp;
import org.jspecify.annotations.Nullable;

/** A replica, as far as it matters in {@link EndWorld}. */
final class ExploredSession {

    /** What a member tells of the session itself; these overtake messages about claims, and are overtaken. */
    record News(@Nullable Stamp use, @Nullable Ending ending) {}

    boolean held;

    @Nullable
    Stamp lastUse;

    @Nullable
    Ending ending;

    int running;

    /** What a request that came too late knew of the last use, until it looks for the session; it waits for nothing. */
    @Nullable
    Stamp late;

    boolean live() {
        return held && !(ending != null && ending.ends(lastUse));
    }

    @Override
    public String toString() {
        return (held ? "held " : "") + lastUse + " " + ending + " " + running + " " + late;
    }
}
