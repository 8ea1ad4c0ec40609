package io.understudy.session;

import io.understudy.codec.NotDecodableException;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A session as a node would continue it: the attributes that are replicated to the node, decoded once more. The objects
 * that requests use are not touched, and the session counts as unused. For tests of applications.
 *
 * <p>Threads: any. Decoding runs code of the application's classes, in the calling thread.
 */
public final class ReplicatedCopy {

    private ReplicatedCopy() {}

    /**
     * The attributes by name; empty if the node has no session with this id. An attribute that the node cannot decode has
     * the {@link NotDecodableException} as its value.
     */
    public static Map<String, Object> of(ReplicatedSessions sessions, String id) {
        Map<String, Object> copies = new TreeMap<>();
        Map<String, StampedBytes> encoded = encoded(sessions, id);
        if (encoded != null) {
            encoded.forEach((name, stamped) -> {
                byte[] bytes = stamped.bytes();
                if (bytes != null) {
                    copies.put(name, decoded(sessions, bytes));
                }
            });
        }
        return copies;
    }

    /**
     * Whether two nodes hold the same attributes of a session, or neither has a session with this id. A session that never
     * had an attribute on {@code one} is nothing to wait for: its node may announce it later.
     */
    public static boolean same(ReplicatedSessions one, ReplicatedSessions other, String id) {
        Map<String, StampedBytes> here = encoded(one, id);
        return (here != null && here.isEmpty()) || Objects.equals(here, encoded(other, id));
    }

    private static Object decoded(ReplicatedSessions sessions, byte[] bytes) {
        try {
            return sessions.services().attributes().codec().decode(bytes);
        } catch (NotDecodableException e) {
            return e;
        }
    }

    /** {@code null} without a session. */
    private static @Nullable Map<String, StampedBytes> encoded(ReplicatedSessions sessions, String id) {
        LiveSession session = sessions.find(id);
        SessionReplica replica = session == null ? null : session.replica();
        if (replica == null || !replica.live()) {
            return null;
        }
        Map<String, StampedBytes> attributes = new TreeMap<>(replica.attributes());
        attributes.keySet().removeIf(name -> name.startsWith(SessionReplica.CONTAINER));
        return attributes;
    }
}
