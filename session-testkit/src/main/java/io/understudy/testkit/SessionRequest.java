package io.understudy.testkit;

import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
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
        return during(session, work, session::commit);
    }

    /** A request that ends when its commit is decided. */
    public static Outcome use(LiveSession session, Runnable work) {
        return during(session, work, () -> session.commit().await());
    }

    private static <T> T during(LiveSession session, Runnable work, Supplier<T> end) {
        long ticket = session.enter();
        Map<LiveSession, Long> tickets = TICKETS.get();
        @Nullable Long before = tickets.put(session, ticket);
        try {
            work.run();
            return end.get();
        } finally {
            tickets.remove(session);
            if (before != null) {
                tickets.put(session, before);
            }
            session.exit(ticket);
        }
    }

    /** The same, to set one attribute. */
    public static Outcome put(LiveSession session, String name, Object value) {
        return use(session, () -> session.attributes().put(name, value));
    }
}
