package io.understudy.httpserver;

import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.RequestCoherence;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The session that an application sees. It has no state of its own. */
public final class WebSession {

    private final HttpSessions container;
    private final LiveSession live;
    private final AtomicBoolean ending = new AtomicBoolean();

    WebSession(HttpSessions container, LiveSession live) {
        this.container = container;
        this.live = live;
    }

    /** Its id, times and interval; not to be committed by the application. */
    public LiveSession live() {
        return live;
    }

    /** @throws IllegalStateException if the session is over, on any node */
    public WebSession requireValid() {
        if (!live.valid()) {
            throw new IllegalStateException("session " + live.id() + " is over");
        }
        return this;
    }

    public Set<String> names() {
        return Set.copyOf(requireValid().live.attributes().keySet());
    }

    public @Nullable Object get(String name) {
        return requireValid().live.attributes().get(name);
    }

    /** @return the previous value */
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

    public void maxInactiveSeconds(int seconds) {
        live.maxInactiveSeconds(seconds);
        changed();
    }

    /** Nobody commits later what a thread without a request changes. */
    private void changed() {
        if (RequestSessions.CURRENT.get() == null && !ending.get()) {
            live.commit(RequestCoherence.withoutRequest(live.settings())).await();
        }
    }

    public void invalidate() {
        requireValid();
        RequestSessions request = RequestSessions.CURRENT.get();
        var coherence = request == null ? RequestCoherence.withoutRequest(live.settings()) : request.coherence();
        if (!ending.get() && live.beginEnd(coherence)) {
            Commit commit = end(() -> live.invalidate(coherence));
            if (request == null) {
                commit.await();
            } else {
                request.awaitLater(commit);
            }
        }
    }

    void expire() {
        if (live.beginExpiry()) {
            end(live::expire);
        }
    }

    /** Calls the listener, and ends the session after it, whatever the listener does. */
    private Commit end(Supplier<Commit> how) {
        ending.set(true);
        try {
            container.listener.destroyed(this);
        } catch (RuntimeException | Error e) {
            container.sessions.survived("calling the listener of a session's end", e);
        } finally {
            ending.set(false);
        }
        return how.get();
    }
}
