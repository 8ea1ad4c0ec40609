package io.understudy.testkit;

import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.SessionUse;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a container does for a request that uses a session. */
public final class SessionRequest {

    private static final ThreadLocal<Map<LiveSession, Long>> TICKETS = ThreadLocal.withInitial(IdentityHashMap::new);

    private SessionRequest() {}

    /** The session, which must be there. */
    public static LiveSession find(ReplicatedSessions sessions, String id) {
        LiveSession session = sessions.find(id);
        if (session == null) {
            throw new AssertionError("no session " + id);
        }
        return session;
    }

    /** For {@link ReplicatedSessions#bindRequests}: the ticket of the calling thread's request; 0 if it works for none. */
    public static long ticketOf(LiveSession session) {
        return TICKETS.get().getOrDefault(session, 0L);
    }

    /** A request that does not wait for its commit. */
    public static Commit send(LiveSession session, Runnable work) {
        return during(session, work, use -> use.commit(null));
    }

    /** A request that ends when its commit is decided. */
    public static Outcome use(LiveSession session, Runnable work) {
        return during(session, work, use -> use.commit(null).await());
    }

    private static <T> T during(LiveSession session, Runnable work, Function<SessionUse, T> end) {
        SessionUse use = session.use();
        Map<LiveSession, Long> tickets = TICKETS.get();
        @Nullable Long before = tickets.get(session);
        try {
            use.begin();
            tickets.put(session, use.ticket());
            work.run();
            return end.apply(use);
        } finally {
            tickets.remove(session);
            if (before != null) {
                tickets.put(session, before);
            }
            use.end();
        }
    }

    /** The same, to set one attribute. */
    public static Outcome put(LiveSession session, String name, Object value) {
        return use(session, () -> session.attributes().put(name, value));
    }
}
