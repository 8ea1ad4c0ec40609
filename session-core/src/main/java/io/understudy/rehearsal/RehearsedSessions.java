package io.understudy.rehearsal;

import io.understudy.replica.SessionKey;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Outcomes of rehearsals, by session and state of its attributes. A table of 16 bytes for each place, as there may be
 * hundreds of thousands of sessions.
 *
 * <p>Threads: one at a time.
 */
final class RehearsedSessions {

    /** The session was not rehearsed as it is now. */
    static final int UNKNOWN = -1;

    /** In a value that has an outcome, in the three lower bits. The other bits are of the digest. */
    private static final int KNOWN = 8;

    private static final int OUTCOME = 7;

    /** The value of a place whose outcome is forgotten: 0 is a free place. */
    private static final int FORGOTTEN = 1;

    private static final long DIGEST = ~15L;

    private static final int LEAST = 64;

    private final int most;
    private long[] keys = new long[LEAST];
    private long[] values = new long[LEAST];
    private int size;
    private boolean rebuilt;

    /** @param most sessions that are known at once, a power of two */
    RehearsedSessions(int most) {
        this.most = most;
    }

    /** The outcome for a session whose attributes are in this state; {@link #UNKNOWN} if they were not rehearsed. */
    int outcome(SessionKey key, long digest) {
        long value = values[place(key.value())];
        return (value & KNOWN) != 0 && (value & DIGEST) == (digest & DIGEST) ? (int) value & OUTCOME : UNKNOWN;
    }

    /**
     * Whether an outcome of this session can be noted: there is room, or an older one is known.
     *
     * @param held whether a session is one of those that are rehearsed still
     */
    boolean hasRoomFor(SessionKey key, Predicate<SessionKey> held) {
        if (values[place(key.value())] != 0 || size < keys.length / 2) {
            return true;
        }
        if (!rebuilt || keys.length < 2 * most) {
            rebuild(held);
        }
        return size < keys.length / 2;
    }

    /** A full table is looked through once in each round. */
    void beginRound() {
        rebuilt = false;
    }

    /** There must be {@linkplain #hasRoomFor room}. */
    void note(SessionKey key, long digest, int outcome) {
        int place = place(key.value());
        size += values[place] == 0 ? 1 : 0;
        keys[place] = key.value();
        values[place] = (digest & DIGEST) | KNOWN | outcome;
    }

    /** Forgets the outcomes that the predicate is true for. Their sessions keep their places. */
    void forget(IntPredicate outcomes) {
        for (int i = 0; i < values.length; i++) {
            if ((values[i] & KNOWN) != 0 && outcomes.test((int) values[i] & OUTCOME)) {
                values[i] = FORGOTTEN;
            }
        }
    }

    int size() {
        return size;
    }

    private int place(long key) {
        int mask = keys.length - 1;
        int place = (int) (key ^ key >>> 32) & mask; // Keys are random.
        while (values[place] != 0 && keys[place] != key) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** Forgets sessions that are gone, and takes twice the room if few are. */
    private void rebuild(Predicate<SessionKey> held) {
        rebuilt = true;
        long[] oldKeys = keys;
        long[] oldValues = values;
        boolean[] stays = new boolean[oldKeys.length];
        int count = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            stays[i] = oldValues[i] != 0 && held.test(new SessionKey(oldKeys[i]));
            count += stays[i] ? 1 : 0;
        }
        int room = count > oldKeys.length / 4 ? Math.min(2 * most, 2 * oldKeys.length) : oldKeys.length;
        keys = new long[room];
        values = new long[room];
        size = count;
        for (int i = 0; i < oldKeys.length; i++) {
            if (stays[i]) {
                int place = place(oldKeys[i]);
                keys[place] = oldKeys[i];
                values[place] = oldValues[i];
            }
        }
    }
}
