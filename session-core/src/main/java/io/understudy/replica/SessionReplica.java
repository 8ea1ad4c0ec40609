package io.understudy.replica;

import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
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
     * A hash of all stamps but the last use: equal on two members that hold the same state. The chance that different
     * states of a session have equal digests is 2^-64.
     */
    public long digest() {
        long hash = state.complete() ? 1 : 0;
        hash += mix(1, state.id() == null ? null : state.id().stamp());
        hash += mix(
                2,
                state.maxInactiveSeconds() == null
                        ? null
                        : state.maxInactiveSeconds().stamp());
        Ending ending = state.ending();
        if (ending != null) {
            hash += ending.invalidated() ? scramble(3) : mix(4, ending.judged());
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
