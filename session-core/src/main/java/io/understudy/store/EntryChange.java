package io.understudy.store;

import io.understudy.replica.SessionKey;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Replicas#compute} makes of one entry, in one step. Used once: each request makes one, so it is one object.
 *
 * <p>Threads: one.
 */
abstract class EntryChange implements BiFunction<SessionKey, @Nullable StoredReplica, @Nullable StoredReplica> {

    private final SessionKey key;
    private final Replicas replicas;
    private @Nullable StoredReplica before;
    private @Nullable StoredReplica after;

    EntryChange(SessionKey key, Replicas replicas) {
        this.key = key;
        this.replicas = replicas;
    }

    SessionKey key() {
        return key;
    }

    /** What was there. */
    @Nullable
    StoredReplica before() {
        return before;
    }

    /** What is there now. */
    @Nullable
    StoredReplica after() {
        return after;
    }

    /** @return {@code null} if the entry goes */
    abstract @Nullable StoredReplica made(@Nullable StoredReplica of);

    @Override
    public @Nullable StoredReplica apply(SessionKey same, @Nullable StoredReplica of) {
        StoredReplica made = made(of);
        before = of;
        after = made;
        replicas.note(key, of, made);
        return made;
    }
}
