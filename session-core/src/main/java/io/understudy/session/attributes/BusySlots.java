package io.understudy.session.attributes;

import io.understudy.replica.Stamp;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a session that are not {@linkplain AttributeSlot#settle settled}: of a large session the few that requests
 * use. Commits, and ends of requests, look at no others.
 *
 * <p>Threads: any; a slot is put here, and taken out, under its own lock.
 */
final class BusySlots {

    /** Entries without growing: requests use few attributes. */
    private static final int FEW = 4;

    /** In the place of a time, while a commit looks at all slots. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final ConcurrentMap<String, AttributeSlot> busy = new ConcurrentHashMap<>(FEW);

    /** The time of the last removal of an attribute, as the last commit knew it. */
    private volatile long lastRemoval;

    /** Whether a commit is made: what it finds makes a slot busy that nobody uses any more. */
    private volatile boolean committing;

    void put(String name, AttributeSlot slot) {
        busy.put(name, slot);
    }

    void remove(String name, AttributeSlot slot) {
        busy.remove(name, slot);
    }

    void forEach(BiConsumer<String, AttributeSlot> action) {
        busy.forEach(action);
    }

    /** Until this is called with {@code false}, no slot settles. Commits are made one at a time. */
    void committing(boolean now) {
        committing = now;
    }

    /**
     * Whether a slot may settle now.
     *
     * @param written when its value was; then it is later than each removal that may concern it
     */
    boolean maySettle(@Nullable Stamp written) {
        return !committing && later(written, lastRemoval);
    }

    /** Whether no other node has removed what was written then, if that was the last removal. */
    static boolean later(@Nullable Stamp written, long lastRemoval) {
        return written != null && written.time() > lastRemoval;
    }

    /** Whether this is the time of the last removal that the last commit knew of. */
    boolean knows(long removal) {
        return removal == lastRemoval;
    }

    /** All slots are about to be looked at, as there are other removals: until {@link #looked} none settles. */
    void looking() {
        lastRemoval = UNKNOWN;
    }

    /** They were looked at. */
    void looked(long removal) {
        lastRemoval = removal;
    }
}
