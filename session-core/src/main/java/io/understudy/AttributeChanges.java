package io.understudy;

import io.understudy.AttributeSlot.Look;
import io.understudy.AttributeSlot.Use;
import io.understudy.codec.AttributeCodec;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.NotReplicableException;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a request changed: attributes set or removed, and attributes read that were changed in place.
 *
 * <p>Threads: the request's; one at a time per session.
 */
final class AttributeChanges {

    private final ReplicatedSessions sessions;
    private final AttributeCodec codec;
    private final SessionReplica replica;
    private final ActivationEvents activations;
    private final Map<String, StampedBytes> changes = new HashMap<>();

    /** Of all values, without those removed now, and with the changes found so far. */
    private long sessionBytes;

    /** Whether attributes were told that they are encoded, and may have set others. */
    private boolean told;

    private AttributeChanges(ReplicatedSessions sessions, ActivationEvents activations, SessionReplica replica) {
        this.sessions = sessions;
        this.activations = activations;
        this.codec = sessions.codec();
        this.replica = replica;
        this.sessionBytes = replica.valueBytes();
    }

    /** The changes since the last commit, each stamped above what it overwrites. */
    static Map<String, StampedBytes> of(
            ReplicatedSessions sessions,
            ActivationEvents activations,
            SessionReplica replica,
            Map<String, AttributeSlot> slots) {
        AttributeChanges found = new AttributeChanges(sessions, activations, replica);
        slots.forEach(found::lookForRoom);
        slots.forEach(found::look);
        if (found.told) {
            slots.forEach(found::lookIfWritten);
        }
        return Map.copyOf(found.changes);
    }

    private void lookForRoom(String name, AttributeSlot slot) {
        Look seen = slot.look();
        if (seen.use() == Use.WRITTEN && seen.value() == null) {
            sessionBytes -= replicated(name);
        }
    }

    private void lookIfWritten(String name, AttributeSlot slot) {
        if (slot.look().use() == Use.WRITTEN) {
            look(name, slot);
        }
    }

    private void look(String name, AttributeSlot slot) {
        Look seen = slot.look();
        Use use = seen.use();
        if (use == Use.NONE) {
            return;
        }
        Object value = seen.value();
        // Before encoding: what another thread changes meanwhile is then found by a later commit with a later stamp.
        Stamp stamp = sessions.clock().next(replica.attributeTime(name));
        if (value == null) {
            removed(name, slot, seen, stamp);
            return;
        }
        if (seen.fresh() && activations.concern(name, value)) {
            return; // Another request is about to get it.
        }
        if (use == Use.READ) {
            sessions.metrics().count(Counter.ATTRIBUTES_COMPARED);
        }
        byte[] bytes = passivate(name, value);
        if (bytes == null) {
            slot.committed(seen, seen.baseline(), seen.encoding());
        } else if (use == Use.WRITTEN ? differs(bytes, replica.attribute(name)) : changedInPlace(bytes, seen)) {
            if (!fits(name, value, bytes)) {
                slot.committed(seen, seen.baseline(), seen.encoding());
                return;
            }
            StampedBytes change = StampedBytes.of(stamp, bytes);
            if (!slot.committed(seen, change, bytes)) {
                return;
            }
            changes.put(name, change);
            if (use == Use.READ) {
                sessions.metrics().count(Counter.ATTRIBUTES_CHANGED_IN_PLACE);
            }
        } else {
            slot.committed(seen, use == Use.WRITTEN ? replica.attribute(name) : seen.baseline(), bytes);
        }
    }

    private void removed(String name, AttributeSlot slot, Look seen, Stamp stamp) {
        StampedBytes current = replica.attribute(name);
        if (current != null && current.bytes() != null) {
            current = StampedBytes.tombstone(stamp);
            changes.put(name, current);
        }
        slot.committed(seen, current, null);
    }

    private int replicated(String name) {
        StampedBytes current = replica.attribute(name);
        byte[] bytes = current == null ? null : current.bytes();
        return bytes == null ? 0 : bytes.length;
    }

    /** Whether the session with this value is not too large; a smaller value than the replicated one always fits. */
    private boolean fits(String name, Object value, byte[] bytes) {
        int before = replicated(name);
        long after = sessionBytes - before + bytes.length;
        int limit = sessions.config().memory().maxSessionBytes();
        if (after > limit && bytes.length > before) {
            sessions.notReplicated(
                    name,
                    value,
                    "with its " + bytes.length + " bytes the session would be above maxSessionBytes = " + limit);
            return false;
        }
        sessionBytes = after;
        return true;
    }

    private byte @Nullable [] passivate(String name, Object value) {
        if (!activations.concern(name, value)) {
            return encode(name, value);
        }
        told = true;
        activations.willPassivate(name, value);
        try {
            return encode(name, value);
        } finally {
            activations.didActivate(name, value);
        }
    }

    private byte @Nullable [] encode(String name, Object value) {
        try {
            byte[] bytes = codec.encode(value);
            int limit = sessions.config().maxAttributeBytes();
            if (bytes.length <= limit) {
                return bytes;
            }
            sessions.notReplicated(
                    name, value, "its " + bytes.length + " bytes are above maxAttributeBytes = " + limit);
        } catch (NotReplicableException e) {
            if (e.changing()) {
                sessions.metrics().count(Counter.ATTRIBUTES_KEPT_CHANGING);
            }
            sessions.notReplicated(name, value, String.valueOf(e.getMessage()));
        }
        return null;
    }

    private static boolean differs(byte[] bytes, @Nullable StampedBytes current) {
        return current == null || !Arrays.equals(bytes, current.bytes());
    }

    /**
     * Encodings need not be canonical: the hash tables of a copy may have another order than the value had that was encoded.
     * So if nothing else than the baseline is known, a fresh copy of it decides.
     */
    private boolean changedInPlace(byte[] bytes, Look seen) {
        byte[] baseline = seen.baseline() == null ? null : seen.baseline().bytes();
        if (baseline == null) {
            return false; // Set here, but not replicable so far; a change of it that makes it so is a set.
        }
        if (Arrays.equals(bytes, seen.encoding())) {
            return false;
        }
        if (!Arrays.equals(baseline, seen.encoding())) {
            return true;
        }
        try {
            return !Arrays.equals(bytes, codec.encode(codec.decode(baseline)));
        } catch (NotDecodableException | NotReplicableException e) {
            return true;
        }
    }
}
