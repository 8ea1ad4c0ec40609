package io.understudy.tomcat;

import io.understudy.config.UnderstudyConfig;
import io.understudy.session.Admission;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.lock.SessionLock;
import io.understudy.tomcat.container.SessionIds;
import java.util.function.Supplier;
import org.apache.catalina.connector.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a request needs before Tomcat looks for its session: the session on this node, and its lock.
 *
 * <p>Threads: any. {@link #arrive} and {@link #lock} may wait for the network.
 */
final class Arrivals {

    private final Supplier<@Nullable ReplicatedSessions> replicated;
    private final SessionTable table;
    private final Supplier<UnderstudyConfig> config;

    /** @param replicated gives {@code null} while the manager is not started */
    Arrivals(Supplier<@Nullable ReplicatedSessions> replicated, SessionTable table, Supplier<UnderstudyConfig> config) {
        this.replicated = replicated;
        this.table = table;
        this.config = config;
    }

    /** The session with this id, if a request may have it without {@link #arrive}: of most requests. */
    @Nullable
    UnderstudySession atOnce(String id) {
        ReplicatedSessions sessions = replicated.get();
        LiveSession live = sessions == null ? null : sessions.findAtOnce(SessionIds.bare(id));
        return live == null ? null : table.current(live);
    }

    /** @param ask whether other nodes may be asked for the session, if it is not here */
    Admission arrive(String id, Request request, boolean ask) {
        ReplicatedSessions sessions = replicated.get();
        if (sessions == null) {
            return Admission.UNAVAILABLE;
        }
        String bare = SessionIds.bare(id);
        return ask
                ? sessions.admit(
                        bare, VersionCookies.borne(request, config.get().application()))
                : sessions.admitUnasked(bare);
    }

    /** Whether this node has all sessions of the application. */
    boolean ready() {
        ReplicatedSessions sessions = replicated.get();
        return sessions != null && sessions.ready();
    }

    /** Takes the lock of the session with this id, if requests to this path take it. */
    @Nullable
    SessionLock lock(String id, String path) {
        ReplicatedSessions sessions = replicated.get();
        return sessions == null || !sessions.locks(path) ? null : sessions.lock(SessionIds.bare(id));
    }
}
