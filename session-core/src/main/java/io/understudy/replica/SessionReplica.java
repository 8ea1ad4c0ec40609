package io.understudy.replica;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A session's state as bytes, as every member holds it: all deltas of the session that reached this member, joined.
 * Immutable; {@link #merge} gives a new one.
 *
 * <p>A replica that has seen only updates, never the complete session, is <em>parked</em>: it keeps what arrived, and
 * no request sees it.
 */
public final class SessionReplica {

    /** The names of attributes that the container keeps begin so: applications do not see them. */
    public static final String CONTAINER = "io.understudy.container:";

    // Fields and arrays instead of a delta and its parts: there may be millions of replicas (docs/design/memory.md).
    private final SessionKey key;
    private final boolean complete;
    private final int maxInactive;
    private final @Nullable String id;
    private final @Nullable Stamp idStamp;
    private final @Nullable Stamp maxInactiveStamp;
    private final @Nullable Stamp created;
    private final @Nullable Ending ending;
    private final Renames renames;
    private final @Nullable Object[] cells;
    private final long[] stamps;
    private final int valueBytes;
    private final int nameBytes;

    /** Of the last use, the stamp that changes most, in place: less than 0 if none is known. */
    private final long useTime;

    private final long useOrigin;

    /** 0 until it is asked for; threads that compute it at once get the same. */
    private volatile long attributesDigest;

    private static final @Nullable Object[] ELSEWHERE = {}; // In place of the cells while the attributes are elsewhere.

    SessionReplica(SessionDelta state) {
        this(state, AttributeTable.of(state.attributes()));
    }

    private SessionReplica(SessionDelta state, AttributeTable attributes) {
        this(state, attributes.cells(), attributes.stamps(), attributes.valueBytes(), attributes.nameBytes(), 0);
    }

    private SessionReplica(
            SessionDelta state,
            @Nullable Object[] cells,
            long[] stamps,
            int valueBytes,
            int nameBytes,
            long attributesDigest) {
        Stamped<Integer> idle = state.maxInactiveSeconds();
        this.key = state.key();
        this.complete = state.complete();
        this.created = state.created();
        this.id = state.id() == null ? null : state.id().value();
        this.idStamp = state.id() == null ? null : one(created, state.id().stamp());
        this.maxInactive = idle == null ? 0 : idle.value();
        this.maxInactiveStamp = idle == null ? null : one(created, idle.stamp());
        this.useTime = state.lastUse() == null ? -1 : state.lastUse().time();
        this.useOrigin = state.lastUse() == null ? 0 : state.lastUse().origin();
        this.ending = state.ending();
        this.renames = state.renames();
        this.cells = cells;
        this.stamps = stamps;
        this.valueBytes = valueBytes;
        this.nameBytes = nameBytes;
        this.attributesDigest = attributesDigest;
    }

    /** Equal stamps as one object: most of a session's are those of its creation. */
    private static Stamp one(@Nullable Stamp known, Stamp stamp) {
        return known != null && known.equals(stamp) ? known : stamp;
    }

    /** The replica of a session of which only this delta is known. */
    public static SessionReplica of(SessionDelta delta) {
        return new SessionReplica(SessionDelta.join(SessionDelta.empty(delta.key()), delta));
    }

    /** A replica that differs in what a request mostly changes. */
    SessionReplica(
            SessionReplica before,
            @Nullable Stamp lastUse,
            @Nullable Object[] cells,
            long[] stamps,
            int valueBytes,
            int nameBytes,
            long attributesDigest) {
        key = before.key;
        complete = before.complete;
        created = before.created;
        id = before.id;
        idStamp = before.idStamp;
        maxInactive = before.maxInactive;
        maxInactiveStamp = before.maxInactiveStamp;
        useTime = lastUse == null ? -1 : lastUse.time();
        useOrigin = lastUse == null ? 0 : lastUse.origin();
        ending = before.ending;
        renames = before.renames;
        this.cells = cells;
        this.stamps = stamps;
        this.valueBytes = valueBytes;
        this.nameBytes = nameBytes;
        this.attributesDigest = attributesDigest;
    }

    /**
     * This replica and {@code delta}; this same object if the delta has nothing new.
     *
     * @throws IllegalStateException if both the attributes here are elsewhere and the delta has some
     */
    public SessionReplica merge(SessionDelta delta) {
        return MergeRule.merge(this, delta);
    }

    /** The same without the attributes, which the caller keeps elsewhere: all but them is known of it still. */
    public SessionReplica detach() {
        return detached() ? this : apart(delta(AttributeTable.NONE));
    }

    /** A replica of this state without attributes, while these are elsewhere. */
    SessionReplica apart(SessionDelta state) {
        return new SessionReplica(state, ELSEWHERE, AttributeTable.NONE.stamps(), valueBytes, nameBytes, hashed());
    }

    /** The same with another last use. */
    SessionReplica usedAt(@Nullable Stamp use) {
        return new SessionReplica(this, use, cells, stamps, valueBytes, nameBytes, attributesDigest);
    }

    /** Whether the attributes are elsewhere: reading one then throws an {@link IllegalStateException}. */
    public boolean detached() {
        return cells == ELSEWHERE;
    }

    /**
     * A detached replica with its attributes again.
     *
     * @throws IllegalArgumentException if they are not those that it had
     */
    public SessionReplica attach(Map<String, StampedBytes> attributes) {
        SessionReplica whole = new SessionReplica(delta(AttributeTable.NONE), AttributeTable.of(attributes));
        if (whole.hashed() != hashed()) {
            throw new IllegalArgumentException(
                    "session " + key + ": expected the attributes that it was detached from, found others");
        }
        return whole;
    }

    /** Bytes of all attributes' values, also if they are elsewhere. */
    public int valueBytes() {
        return valueBytes;
    }

    /** Bytes of all attributes, also if they are elsewhere, and of the removals that are remembered. */
    public long attributeBytes() {
        return (long) valueBytes + nameBytes;
    }

    /** What an attribute of this name, or its removal, takes beside its value: its length, and 64 bytes. */
    public static int nameBytes(String name) {
        return AttributeTable.nameBytes(name);
    }

    /** Everything this replica holds, as a delta that carries it to another member. */
    public SessionDelta asDelta() {
        return delta(table());
    }

    SessionDelta delta(AttributeTable attributes) {
        return new SessionDelta(
                key,
                complete,
                currentId(),
                maxInactiveStamp == null ? null : new Stamped<>(maxInactiveStamp, maxInactive),
                lastUse(),
                attributes,
                ending,
                created,
                renames);
    }

    /** The attributes, if they are here. */
    @Nullable
    Object[] cells() {
        if (detached()) {
            throw new IllegalStateException(
                    "the attributes of session " + key + " are not in memory: attach them first");
        }
        return cells;
    }

    AttributeTable table() {
        @Nullable Object[] here = cells();
        return stamps.length == 0 ? AttributeTable.NONE : new AttributeTable(here, stamps, valueBytes, nameBytes);
    }

    private @Nullable Stamped<String> currentId() {
        return id == null || idStamp == null ? null : new Stamped<>(idStamp, id);
    }

    public SessionKey key() {
        return key;
    }

    /** Whether a request may use this session: known completely, and not over. */
    public boolean live() {
        return complete && !ended() && id != null;
    }

    /** Whether the session was invalidated or expired. */
    public boolean ended() {
        return ending != null && ending.ends(lastUse());
    }

    /** The tombstone, which a later use may have beaten; {@code null} if there is none. */
    public @Nullable Ending ending() {
        return ending;
    }

    /** Whether the session was invalidated, which is final. */
    public boolean invalidated() {
        return ending != null && ending.invalidated();
    }

    /** Whether updates arrived of a session that this member has never seen whole. */
    public boolean parked() {
        return !complete && !ended();
    }

    /** The session id, or {@code null} while parked or once over. */
    public @Nullable String id() {
        return id;
    }

    /** Seconds without use after which the session expires; 0 or less is never. */
    public int maxInactiveSeconds() {
        return maxInactive;
    }

    /** The last use known here; its origin is the owner. */
    public @Nullable Stamp lastUse() {
        return useTime < 0 ? null : new Stamp(useTime, useOrigin);
    }

    /** Whether a use is later than the last one known here. */
    boolean usedBefore(Stamp use) {
        return useTime < 0 || use.compareTo(useTime, useOrigin) > 0;
    }

    /** Whether a use is known here that is not the last one known there. */
    public boolean usedSince(SessionReplica other) {
        return useTime >= 0 && (useTime != other.useTime || useOrigin != other.useOrigin);
    }

    /** Whether the last use known here was on the member with this origin. */
    public boolean usedBy(long origin) {
        return useTime >= 0 && useOrigin == origin;
    }

    /** The attribute's last write, which may be its removal; {@code null} if it was never written. */
    public @Nullable StampedBytes attribute(String name) {
        return AttributeTable.value(cells(), stamps, name);
    }

    /** The same; {@code known} if it is that. */
    public @Nullable StampedBytes attribute(String name, @Nullable StampedBytes known) {
        return AttributeTable.value(cells(), stamps, name, known);
    }

    long[] stamps() {
        return stamps;
    }

    /** Bytes of the attribute's value: 0 if it was removed, less if it was never written. */
    public int valueBytes(String name) {
        return AttributeTable.valueBytes(cells(), name);
    }

    /** Whether the {@linkplain #attribute attribute's last write} is that of a stamp. */
    public boolean attributeIs(String name, @Nullable Stamp stamp) {
        return AttributeTable.is(cells(), stamps, name, stamp);
    }

    /** The attributes that have a value. */
    public Map<String, StampedBytes> attributes() {
        return table().entrySet().stream()
                .filter(attribute -> attribute.getValue().bytes() != null)
                .collect(Collectors.toUnmodifiableMap(Entry::getKey, Entry::getValue));
    }

    /**
     * The time of the last removal of an attribute; 0 if there is none. What is written at it or below would be gone
     * once so many others followed that they are {@linkplain #folded given up}.
     */
    public long lastRemovalTime() {
        return AttributeTable.lastRemoval(cells(), stamps);
    }

    /**
     * What the next change has to write, too, so that the removals that are remembered stay few, and their names
     * below so many bytes; mostly nothing.
     */
    public Map<String, StampedBytes> folded(int mostBytes) {
        return lastRemovalTime() == 0 ? Map.of() : Removals.folded(table(), mostBytes);
    }

    /** How many bytes less the attributes take when {@link #folded} was written. */
    public int freed(Map<String, StampedBytes> folded) {
        return folded.isEmpty() ? 0 : Removals.freed(table(), folded);
    }

    /** When the id was written; {@code null} if that is not known. */
    @Nullable
    Stamp idStamp() {
        return idStamp;
    }

    /** The same of the idle time. */
    public @Nullable Stamp maxInactiveStamp() {
        return maxInactiveStamp;
    }

    /** Whether a request bearing this id gets the session: the current id, and the rivals of it. */
    public boolean answersTo(String id) {
        return live() && (id.equals(this.id) || (!renames.rivals().isEmpty() && ids().contains(id)));
    }

    /** Whether the same ids find both, as far as can be told at once: what most merges leave as it was. */
    @SuppressWarnings("ReferenceEquality") // Nothing is compared that a merge took over.
    public boolean answersAs(SessionReplica other) {
        return live() == other.live() && id == other.id && renames == other.renames;
    }

    /** The ids that find this session; none unless it is live. */
    public List<String> ids() {
        return live() && id != null ? renames.ids(id) : List.of();
    }

    /** When the session began, by its creator's clock; {@code null} if that is not known here. */
    public @Nullable Stamp created() {
        return created;
    }

    /** A rename: the new id is above every id known here, and replaces them all. */
    public SessionDelta renamed(HybridClock clock, String newId) {
        Stamped<String> now = new Stamped<>(clock.next(idStamp == null ? 0 : idStamp.time()), newId);
        return new SessionDelta(key, false, now, null, null, Map.of(), null, null, renames.renamed(idStamp, now));
    }

    /**
     * The end of a rival id, whose holder was given the current one; {@code null} if {@code id} is no rival. It bears
     * the current id, so that the session has one wherever it arrives, and the use that ended it: an expiry would
     * hide it otherwise.
     */
    public @Nullable SessionDelta retired(HybridClock clock, String id) {
        Stamped<String> now = currentId();
        Renames left = renames.retired(id, now);
        return left == null ? null : new SessionDelta(key, false, now, null, used(clock), Map.of(), null, null, left);
    }

    /** A use of the session now, above all uses known here. */
    public Stamp used(HybridClock clock) {
        return clock.next(Math.max(0, useTime));
    }

    /** How many attributes of {@code delta} have the stamp of another value here; 0 unless there is a defect. */
    public int conflicts(SessionDelta delta) {
        return delta.attributes().isEmpty() ? 0 : AttributeTable.conflicts(cells(), stamps, delta);
    }

    /**
     * How many values go with {@code delta} that it does not name: its sender gave up more removals than are known here.
     * The sender removed them, or this member wrote them without the knowledge of that.
     */
    public int endedByFloor(SessionDelta delta) {
        return delta.attributes().containsKey(Removals.FLOOR) ? Removals.ended(table(), delta.attributes()) : 0;
    }

    /**
     * A tombstone without the attributes, for a session that is over. A use later than the expiry it judged makes it a
     * parked replica, which must be fetched again.
     */
    public SessionReplica hollow() {
        if (!ended()) {
            throw new IllegalStateException("session " + key() + " has not ended");
        }
        return new SessionReplica(
                new SessionDelta(key, complete && !yielding(), null, null, lastUse(), Map.of(), ending));
    }

    /** The session that this one, which is over, goes on as; {@code null} if it is just over. */
    public @Nullable SessionKey into() {
        return ending == null ? null : ending.into();
    }

    private boolean yielding() {
        return ending != null && !ending.invalidated();
    }

    /**
     * A hash of all stamps but the last use: equal on two members that hold the same state. If the session is over,
     * only its ending counts, as each member drops the rest of it in its own time. So a session that is over here and
     * goes on there, by a use this member missed, differs. The chance that different states of a session have equal
     * digests is 2^-64.
     */
    public long digest() {
        return ended()
                ? FieldHashes.ended(ending)
                : FieldHashes.open(complete, idStamp, maxInactiveStamp, created, renames, ending) + hashed();
    }

    /** What the attributes add to the digest: it changes with each write of one. Also while they are on disk. */
    public long hashed() {
        if (attributesDigest == 0 && !detached()) {
            attributesDigest = table().hash();
        }
        return attributesDigest;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionReplica that
                && (this == that
                        || (detached() == that.detached()
                                && delta(AttributeTable.NONE).equals(that.delta(AttributeTable.NONE))
                                && (detached() ? hashed() == that.hashed() : table().equals(that.table()))));
    }

    @Override
    public int hashCode() {
        return delta(AttributeTable.NONE).hashCode();
    }

    @Override
    public String toString() {
        return "SessionReplica[" + delta(detached() ? AttributeTable.NONE : table())
                + (detached() ? " without attributes]" : "]");
    }
}
