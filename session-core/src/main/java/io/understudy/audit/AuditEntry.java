package io.understudy.audit;

import io.understudy.replica.SessionKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a session.
 *
 * @param time by this machine's clock, milliseconds since the epoch
 * @param id of the session then, {@code null} if not known. Treat it as a secret: it is enough to act as the user
 * @param member the member that did it, by name
 */
public record AuditEntry(long time, @Nullable String id, SessionKey key, AuditEvent what, String member) {

    /** One line; of the id only the beginning. */
    @Override
    public String toString() {
        String shown = id == null ? "?" : id.length() <= SHOWN ? id : id.substring(0, SHOWN) + "...";
        return Instant.ofEpochMilli(time) + " " + what + " session " + shown + " key " + key + " by " + member;
    }

    private static final int SHOWN = 6;
}
