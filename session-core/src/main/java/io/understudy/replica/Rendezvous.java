package io.understudy.replica;

import java.util.Comparator;
import java.util.List;

/**
 * Rendezvous hashing (Thaler, Ravishankar, 1998): all who know the same members name the same one for a session, without
 * a message, and when a member goes only its own sessions move.
 *
 * <p>Threads: any; stateless.
 */
public final class Rendezvous {

    private Rendezvous() {}

    /**
     * The member for this session.
     *
     * @param members at least one, with hash codes that are the same on every node
     */
    public static <M> M of(SessionKey key, List<M> members) {
        return members.stream()
                .max(Comparator.comparingLong(member -> rank(key, member)))
                .orElseThrow(() -> new IllegalArgumentException("no members to choose from for session " + key));
    }

    private static long rank(SessionKey key, Object member) {
        long hash = key.value() * 0x9E3779B97F4A7C15L + member.hashCode();
        hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
        return hash ^ (hash >>> 29);
    }
}
