package io.understudy.replica;

import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one session: the fields and attributes that were written, each with its stamp. A delta that holds the
 * whole session is {@code complete}; only such a one may create a session where it is not known.
 *
 * <p>Deltas form a join-semilattice under {@link #join}: commutative, associative, idempotent. So replay, reordering,
 * state transfer and the merge after a partition are one operation (Shapiro et al., "Conflict-free Replicated Data
 * Types", SSS 2011).
 *
 * @param key the session
 * @param complete whether this holds every field and attribute of the session
 * @param id the session id, if written
 * @param maxInactiveSeconds the idle time after which the session expires, if written; 0 or less is never
 * @param lastUse the last request that used the session; its origin is the owner
 * @param attributes the attributes written or removed
 * @param ending the session's tombstone, if it ended
 * @param created the stamp of the session's creation, of a complete delta; decides between sessions with one id
 * @param renames what became of other ids
 */
public record SessionDelta(
        SessionKey key,
        boolean complete,
        @Nullable Stamped<String> id,
        @Nullable Stamped<Integer> maxInactiveSeconds,
        @Nullable Stamp lastUse,
        Map<String, StampedBytes> attributes,
        @Nullable Ending ending,
        @Nullable Stamp created,
        Renames renames) {

    public SessionDelta {
        renames = renames.beside(id);
        boolean table = attributes instanceof AttributeTable;
        if (!table && attributes.containsKey(Removals.FLOOR)) {
            attributes = AttributeTable.of(attributes); // Without those that are gone.
        } else if (!table && attributes.size() == 1 && !(attributes instanceof OneAttribute)) {
            Entry<String, StampedBytes> only = attributes.entrySet().iterator().next();
            attributes = attribute(only.getKey(), only.getValue());
        }
    }

    /** A delta of a session that was never renamed, or a delta without renames. */
    public SessionDelta(
            SessionKey key,
            boolean complete,
            @Nullable Stamped<String> id,
            @Nullable Stamped<Integer> maxInactiveSeconds,
            @Nullable Stamp lastUse,
            Map<String, StampedBytes> attributes,
            @Nullable Ending ending) {
        this(key, complete, id, maxInactiveSeconds, lastUse, attributes, ending, null, Renames.NONE);
    }

    /** One attribute of a delta that writes no other one. */
    public static Map<String, StampedBytes> attribute(String name, StampedBytes written) {
        return new OneAttribute(name, written);
    }

    /** The attribute, if it is the only one; {@code null} if there are others, or a replica's table has it. */
    public @Nullable Entry<String, StampedBytes> lone() {
        return attributes instanceof OneAttribute one ? one.attribute() : null;
    }

    /** A session that begins at {@code created}, which is its first use. */
    public static SessionDelta created(SessionKey key, Stamp created, String id, int maxInactiveSeconds) {
        return new SessionDelta(
                key,
                true,
                new Stamped<>(created, id),
                new Stamped<>(created, maxInactiveSeconds),
                created,
                Map.of(),
                null,
                created,
                Renames.NONE);
    }

    /** A delta that holds nothing; the neutral element of {@link #join}. */
    public static SessionDelta empty(SessionKey key) {
        return new SessionDelta(key, false, null, null, null, Map.of(), null);
    }

    /** The tombstone of an invalidated session: beats everything else. */
    public static SessionDelta invalidated(SessionKey key) {
        return new SessionDelta(key, true, null, null, null, Map.of(), Ending.INVALIDATED);
    }

    /** The tombstone of a session that goes on as {@code into}. */
    public static SessionDelta united(SessionKey key, SessionKey into) {
        return new SessionDelta(key, true, null, null, null, Map.of(), Ending.united(into));
    }

    /**
     * What this delta writes and when it was used, for the session that its own goes on as. A rename ends that: it is
     * found by the id that a login replaced.
     */
    public SessionDelta writtenTo(SessionKey other) {
        return renamed()
                ? invalidated(other)
                : new SessionDelta(other, false, null, null, lastUse, Removals.withoutFloor(attributes), null);
    }

    /** The tombstone of a session that nobody used after {@code lastUse}. */
    public static SessionDelta expired(SessionKey key, Stamp lastUse) {
        return new SessionDelta(key, false, null, null, null, Map.of(), Ending.expired(lastUse));
    }

    /** A use of the session at {@code lastUse} that changed nothing. */
    public static SessionDelta touched(SessionKey key, Stamp lastUse) {
        return new SessionDelta(key, false, null, null, lastUse, Map.of(), null);
    }

    /** Whether the session, as far as this delta shows, is over. */
    public boolean ended() {
        return ending != null && ending.ends(lastUse);
    }

    /** Whether it changes the id, or carries such a change. */
    public boolean renamed() {
        return !renames.isNone() || (id != null && !id.stamp().equals(created));
    }

    /** Whether it holds uses and attributes only, of a session known elsewhere: what most requests change. */
    boolean written() {
        return !complete
                && id == null
                && maxInactiveSeconds == null
                && ending == null
                && created == null
                && renames.isNone();
    }

    private boolean invalidated() {
        return ending != null && ending.invalidated();
    }

    /**
     * Both deltas as one.
     *
     * @throws IllegalArgumentException if they are of different sessions
     */
    public static SessionDelta join(SessionDelta a, SessionDelta b) {
        if (!a.key.equals(b.key)) {
            throw new IllegalArgumentException("deltas of different sessions: " + a.key + " and " + b.key);
        }
        if (a.invalidated() || b.invalidated()) {
            return new SessionDelta(a.key, true, null, null, null, Map.of(), Ending.join(a.ending, b.ending));
        }
        Stamped<String> id = Stamped.later(a.id, b.id);
        return new SessionDelta(
                a.key,
                a.complete || b.complete,
                id,
                Stamped.later(a.maxInactiveSeconds, b.maxInactiveSeconds),
                later(a.lastUse, b.lastUse),
                joinAttributes(a.attributes, b.attributes),
                Ending.join(a.ending, b.ending),
                earlier(a.created, b.created),
                Renames.join(a.renames, b.renames, a.id, b.id));
    }

    /**
     * This change and a newer one of the same member, in one message. As {@link #join}, but if the session goes on as
     * another one, what was written to it stays with its tombstone, a new id included: who receives that hands it on.
     */
    public SessionDelta followedBy(SessionDelta newer) {
        SessionDelta joined = join(this, newer);
        if (joined.ending == null || joined.ending.into() == null) {
            return joined;
        }
        return join(withEnding(null), newer.withEnding(null)).withEnding(joined.ending);
    }

    private SessionDelta withEnding(@Nullable Ending end) {
        return new SessionDelta(
                key, complete || end != null, id, maxInactiveSeconds, lastUse, attributes, end, created, renames);
    }

    private static @Nullable Stamp earlier(@Nullable Stamp a, @Nullable Stamp b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) <= 0 ? a : b;
    }

    static @Nullable Stamp later(@Nullable Stamp a, @Nullable Stamp b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static Map<String, StampedBytes> joinAttributes(Map<String, StampedBytes> a, Map<String, StampedBytes> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        return b instanceof AttributeTable table && !(a instanceof AttributeTable)
                ? table.join(a)
                : AttributeTable.of(a).join(b);
    }
}
