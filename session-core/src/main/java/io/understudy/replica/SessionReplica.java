package io.understudy.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session's state as bytes, as every member holds it: all deltas of the session that reached this member, joined.
 * Immutable; {@link #merge} gives a new one.
 *
 * <p>A replica that has seen only updates, never the complete session, is <em>parked</em>: it keeps what arrived, and no
 * request sees it.
 */
public final class SessionReplica {

    private final SessionDelta state;

    /** 0 until it is asked for; threads that compute it at once get the same. */
    private volatile long digest;

    private SessionReplica(SessionDelta state) {
        this.state = state;
    }

    /** The replica of a session of which only this delta is known. */
    public static SessionReplica of(SessionDelta delta) {
        return new SessionReplica(SessionDelta.join(SessionDelta.empty(delta.key()), delta));
    }

    /** This replica and {@code delta}; this same object if the delta says nothing new. */
    public SessionReplica merge(SessionDelta delta) {
        SessionDelta joined = SessionDelta.join(state, delta);
        return joined.equals(state) ? this : new SessionReplica(joined);
    }

    /** Everything this replica holds, as a delta that carries it to another member. */
    public SessionDelta asDelta() {
        return state;
    }

    public SessionKey key() {
        return state.key();
    }

    /** Whether a request may use this session: known completely, and not over. */
    public boolean live() {
        return state.complete() && !state.ended() && state.id() != null;
    }

    /** Whether the session was invalidated or expired. */
    public boolean ended() {
        return state.ended();
    }

    /** Whether the session was invalidated, which is final. */
    public boolean invalidated() {
        return state.ending() != null && state.ending().invalidated();
    }

    /** Whether updates arrived of a session that this member has never seen whole. */
    public boolean parked() {
        return !state.complete() && !state.ended();
    }

    /** The session id, or {@code null} while parked or once over. */
    public @Nullable String id() {
        return state.id() == null ? null : state.id().value();
    }

    /** Seconds without use after which the session expires; 0 or less is never. */
    public int maxInactiveSeconds() {
        return state.maxInactiveSeconds() == null
                ? 0
                : state.maxInactiveSeconds().value();
    }

    /** The last use known here; its origin is the owner. */
    public @Nullable Stamp lastUse() {
        return state.lastUse();
    }

    /** The attribute's last write, which may be its removal; {@code null} if it was never written. */
    public @Nullable StampedBytes attribute(String name) {
        return state.attributes().get(name);
    }

    /** The attributes that have a value. */
    public Map<String, StampedBytes> attributes() {
        return state.attributes().entrySet().stream()
                .filter(attribute -> attribute.getValue().bytes() != null)
                .collect(Collectors.toUnmodifiableMap(Entry::getKey, Entry::getValue));
    }

    /** What a later write of {@code name} must be stamped above. */
    public long attributeTime(String name) {
        StampedBytes written = attribute(name);
        return written == null ? 0 : written.stamp().time();
    }

    /** Whether a request bearing this id gets the session: the current id, and the rivals of it. */
    public boolean answersTo(String id) {
        return ids().contains(id);
    }

    /** The ids that find this session; none unless it is live. */
    public List<String> ids() {
        String current = id();
        if (!live() || current == null) {
            return List.of();
        }
        return state.renames().rivals().isEmpty()
                ? List.of(current)
                : Stream.concat(
                                Stream.of(current),
                                state.renames().rivals().stream().map(Stamped::value))
                        .distinct()
                        .toList();
    }

    /** When the session began, by its creator's clock; {@code null} if that is not known here. */
    public @Nullable Stamp created() {
        return state.created();
    }

    /** A rename: the new id is above every id known here, and replaces them all. */
    public SessionDelta renamed(HybridClock clock, String newId) {
        Stamped<String> old = state.id();
        Stamp stamp = clock.next(old == null ? 0 : old.stamp().time());
        List<Stamp> replaced = new ArrayList<>();
        if (old != null) {
            replaced.add(old.stamp());
        }
        state.renames().rivals().forEach(rival -> replaced.add(rival.stamp()));
        Renames renames = Renames.join(state.renames(), Renames.replacing(replaced), new Stamped<>(stamp, newId), null);
        return new SessionDelta(key(), false, new Stamped<>(stamp, newId), null, null, Map.of(), null, null, renames);
    }

    /**
     * The end of a rival id, whose holder was given the current one; {@code null} if {@code id} is no rival. It bears the
     * current id, so that the session has one wherever it arrives, and the use that ended it: an expiry would hide it otherwise.
     */
    public @Nullable SessionDelta retired(HybridClock clock, String id) {
        List<Stamp> retired = state.renames().rivals().stream()
                .filter(rival -> rival.value().equals(id))
                .map(Stamped::stamp)
                .toList();
        return retired.isEmpty()
                ? null
                : new SessionDelta(
                        key(),
                        false,
                        state.id(),
                        null,
                        used(clock),
                        Map.of(),
                        null,
                        null,
                        Renames.join(state.renames(), Renames.replacing(retired), state.id(), null));
    }

    /** A use of the session now, above all uses known here. */
    public Stamp used(HybridClock clock) {
        return clock.next(lastUse() == null ? 0 : lastUse().time());
    }

    /**
     * How many attributes of {@code delta} bear the stamp of another value here. It takes two nodes with one origin, or a
     * defect, to write that.
     */
    public int conflicts(SessionDelta delta) {
        int conflicts = 0;
        for (Entry<String, StampedBytes> written : delta.attributes().entrySet()) {
            StampedBytes here = attribute(written.getKey());
            if (here != null && here.stamp().equals(written.getValue().stamp()) && !here.equals(written.getValue())) {
                conflicts++;
            }
        }
        return conflicts;
    }

    /**
     * A tombstone without the attributes, for a session that is over. A use later than the expiry it judged makes it a
     * parked replica, which has to be fetched anew.
     */
    public SessionReplica hollow() {
        if (!ended()) {
            throw new IllegalStateException("session " + key() + " is not over");
        }
        return new SessionReplica(new SessionDelta(
                key(), state.complete() && !yielding(), null, null, lastUse(), Map.of(), state.ending()));
    }

    private boolean yielding() {
        return state.ending() != null && !state.ending().invalidated();
    }

    /**
     * A hash of all stamps but the last use: equal on two members that hold the same state. Of a session that is over only
     * its ending counts, as members drop the rest of it each in their time; so a session that is over here and goes on
     * there, by a use this member missed, differs. The chance that different states of a session have equal digests is
     * 2^-64.
     */
    public long digest() {
        if (digest == 0) {
            long hash = ended() ? endingDigest() : fieldsDigest();
            digest = hash == 0 ? 1 : hash;
        }
        return digest;
    }

    private long endingDigest() {
        Ending ending = state.ending();
        return ending == null || ending.invalidated() ? scramble(3) : mix(4, ending.judged());
    }

    private long fieldsDigest() {
        long hash = state.complete() ? 1 : 0;
        hash += mix(1, state.id() == null ? null : state.id().stamp());
        hash += mix(
                2,
                state.maxInactiveSeconds() == null
                        ? null
                        : state.maxInactiveSeconds().stamp());
        hash += mix(6, state.created());
        hash += mix(7, state.renames().floor());
        for (Stamp replaced : state.renames().replaced()) {
            hash += mix(8, replaced);
        }
        for (Stamped<String> rival : state.renames().rivals()) {
            hash += mix(9, rival.stamp());
        }
        Ending ending = state.ending();
        if (ending != null) {
            hash += scramble(5) + endingDigest();
        }
        for (Entry<String, StampedBytes> attribute : state.attributes().entrySet()) {
            StampedBytes value = attribute.getValue();
            long field = hash(attribute.getKey()) + (value.bytes() == null ? 1L << 40 : 1L << 41);
            hash += mix(field, value.stamp());
        }
        return hash;
    }

    /** 64 bits of a name: {@link String#hashCode} has 32, and the names that share one are easily met ("Aa", "BB"). */
    private static long hash(String name) {
        long hash = name.length();
        for (int i = 0; i < name.length(); i++) {
            hash = scramble(hash + name.charAt(i));
        }
        return hash;
    }

    private static long mix(long field, @Nullable Stamp stamp) {
        return stamp == null ? 0 : scramble(scramble(scramble(field) + stamp.time()) + stamp.origin());
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
    private static long scramble(long bits) {
        long z = bits + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionReplica that && state.equals(that.state);
    }

    @Override
    public int hashCode() {
        return state.hashCode();
    }

    @Override
    public String toString() {
        return "SessionReplica[" + state + "]";
    }
}
