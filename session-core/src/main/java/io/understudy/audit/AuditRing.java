package io.understudy.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The last things that happened to an application's sessions on this node, or were reported to it: 32,768 at most,
 * about 5 MB. Older ones go.
 *
 * <p>Threads: any; guarded by this.
 */
public final class AuditRing {

    /** Room for the claims and ends of 10,000 sessions at once, which the tests of expiry have. */
    static final int CAPACITY = 32_768;

    @GuardedBy("this")
    private final List<AuditEntry> entries = new ArrayList<>();

    /** The oldest entry's place, once the ring is full. */
    @GuardedBy("this")
    private int oldest;

    public synchronized void add(long time, @Nullable String id, SessionKey key, AuditEvent what, String member) {
        AuditEntry entry = new AuditEntry(time, id, key, what, member);
        if (entries.size() < CAPACITY) {
            entries.add(entry);
        } else {
            entries.set(oldest, entry);
            oldest = (oldest + 1) % CAPACITY;
        }
    }

    /** All, oldest first. */
    public List<AuditEntry> entries() {
        return entries(entry -> true);
    }

    /** What happened to the session with this id, or to what was once called so; oldest first. */
    public List<AuditEntry> of(String id) {
        return entries(entry -> id.equals(entry.id()));
    }

    /** What happened to the session with this key, whatever it was called; oldest first. */
    public List<AuditEntry> of(SessionKey key) {
        return entries(entry -> entry.key().equals(key));
    }

    /** All things of this kind; oldest first. */
    public List<AuditEntry> of(AuditEvent what) {
        return entries(entry -> entry.what() == what);
    }

    private synchronized List<AuditEntry> entries(Predicate<AuditEntry> which) {
        List<AuditEntry> found = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            AuditEntry entry = entries.get((oldest + i) % entries.size());
            if (which.test(entry)) {
                found.add(entry);
            }
        }
        return List.copyOf(found);
    }
}
