package io.understudy.session.adapter;

import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The session that an application sees. It has no state of its own.
 *
 * <p>Threads: any. Methods that change the session wait for the other members, {@code ackTimeout} at most, if the
 * calling thread works for no request.
 */
public final class BlockingSession {

    private final BlockingSessions sessions;
    private final LiveSession live;
    private final AtomicBoolean ending = new AtomicBoolean();

    BlockingSession(BlockingSessions sessions, LiveSession live) {
        this.sessions = sessions;
        this.live = live;
    }

    /** Its id, times and interval; not to be changed or committed by the application. */
    public LiveSession live() {
        return live;
    }

    /** @throws IllegalStateException if the session is over, on any node */
    public BlockingSession requireValid() {
        if (!live.valid()) {
            throw new IllegalStateException("session " + live.id() + " is over");
        }
        return this;
    }

    /**
     * The names of its attributes. A snapshot.
     *
     * @throws IllegalStateException if the session is over
     */
    public Set<String> names() {
        return Set.copyOf(requireValid().live.attributes().keySet());
    }

    /**
     * The value of an attribute; {@code null} if there is none.
     *
     * @throws IllegalStateException if the session is over
     */
    public @Nullable Object get(String name) {
        return requireValid().live.attributes().get(name);
    }

    /**
     * Sets an attribute, or removes it if {@code value} is {@code null}.
     *
     * @return the previous value
     * @throws IllegalStateException if the session is over
     * @throws IllegalArgumentException with {@code onNotReplicable = fail}, if other nodes can't have the value
     */
    public @Nullable Object set(String name, @Nullable Object value) {
        requireValid();
        if (value != null) {
            live.checkReplicable(name, value);
        }
        Object previous = value == null
                ? live.attributes().remove(name)
                : live.attributes().put(name, value);
        changed();
        return previous;
    }

    /** @param seconds idle time after which it expires; 0 or less is never */
    public void maxInactiveSeconds(int seconds) {
        live.maxInactiveSeconds(seconds);
        changed();
    }

    private void changed() {
        if (!ending.get()) { // Its end sends everything.
            BlockingRequest.changed(live);
        }
    }

    /**
     * Ends the session on all nodes, after the listener ran here.
     *
     * @throws IllegalStateException if the session is over
     */
    public void invalidate() {
        requireValid();
        Coherence coherence = BlockingRequest.coherence(live);
        Supplier<Commit> end =
                () -> live.invalidate(coherence); // Before it begins: then nothing keeps it from its end.
        if (!ending.get() && live.beginEnd(coherence)) {
            BlockingRequest.await(end(end));
        }
    }

    /** As {@link ReplicatedSessions#expire} asks for it. */
    void expire() {
        if (live.beginExpiry()) {
            Commit unused = end(live::expire);
        }
    }

    private Commit end(Supplier<Commit> how) {
        ending.set(true);
        try {
            sessions.destroyed(this);
        } finally {
            ending.set(false);
        }
        Commit commit = how.get();
        sessions.forget(this);
        return commit;
    }
}
