package io.understudy.session.attributes;

import io.understudy.codec.NotReplicableException;
import io.understudy.codec.WireText;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionReplica;
import io.understudy.session.activation.ActivationEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * With {@code onNotReplicable = fail}: refuses an attribute that can't be replicated before it is set, for every reason that
 * a commit would have to keep it on this node for. The value is encoded once here, and again by the commit, as it may
 * change until then.
 *
 * <p>Threads: any. Two threads that fill one session at the same moment may both pass; the commit warns of the second one then.
 */
final class SetAttributeCheck {

    private final AttributeServices services;
    private final AttributeOwner owner;
    private final AttributeSlots slots;

    /** What passed and is not committed yet: it takes room in the session. */
    private final Map<String, Passed> passed = new ConcurrentHashMap<>();

    private record Passed(Object value, int bytes) {}

    /**
     * What encoding gave.
     *
     * @param bytes -1 if it failed
     */
    private record Encoded(
            int bytes, @Nullable String reason, @Nullable Throwable cause) {}

    SetAttributeCheck(AttributeServices services, AttributeOwner owner, AttributeSlots slots) {
        this.services = services;
        this.owner = owner;
        this.slots = slots;
    }

    /** @throws IllegalArgumentException if the value can't be replicated */
    void check(String name, Object value) {
        String objection = WireText.objection(name);
        if (objection != null) {
            throw refusal(name, value, "in its name, " + objection, null);
        }
        Encoded encoded = passivated(name, value);
        if (encoded == null) {
            return; // Only the commit can tell.
        }
        String reason = encoded.reason();
        if (reason == null) {
            reason = excess(name, encoded.bytes());
        }
        if (reason != null) {
            throw refusal(name, value, reason, encoded.cause());
        }
        passed.put(name, new Passed(value, encoded.bytes()));
    }

    /**
     * As a commit would encode it: a value that wants to know is told, if it can't be encoded otherwise.
     *
     * @return {@code null} if it would have to be told, and a commit that tells values is being made
     */
    private @Nullable Encoded passivated(String name, Object value) {
        Encoded encoded = encode(value);
        ActivationEvents events = owner.events();
        if (encoded.reason() == null || !events.concern(name, value)) {
            return encoded;
        }
        // Not waiting for the commit: this thread may hold a lock of the application that the value's encoding needs.
        return owner.inTurnIfFree(() -> {
            events.willPassivate(name, value);
            try {
                return encode(value);
            } finally {
                events.didActivate(name, value);
            }
        });
    }

    /** Whatever the application's classes throw. */
    private Encoded encode(Object value) {
        try {
            return new Encoded(services.codec().encode(value).length, null, null);
        } catch (NotReplicableException e) {
            return new Encoded(-1, String.valueOf(e.getMessage()), e);
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) {
            return new Encoded(-1, "encoding it failed with " + e, e);
        }
    }

    /** Why the session would be too large with this value, and with all that was set or removed since the last commit. */
    private @Nullable String excess(String name, int bytes) {
        SessionReplica replica = owner.replica();
        if (replica == null || !replica.live()) {
            return null;
        }
        int limit = services.maxSessionBytes();
        SessionRoom room = new SessionRoom(replica, replica.folded(limit / AttributeChanges.SHARE_OF_REMOVALS), limit);
        slots.forEach((other, slot) -> {
            Look seen = slot.look();
            Passed before = passed.get(other);
            if (seen.use() == Use.WRITTEN && seen.value() == null) {
                room.remove(other);
            } else if (before != null && waits(before, seen)) {
                room.put(other, before.bytes());
            }
        });
        return room.objection(name, bytes, replica.attribute(name));
    }

    @SuppressWarnings("ReferenceEquality") // An equal object is another write.
    private static boolean waits(Passed value, @Nullable Look seen) {
        return seen != null && seen.use() == Use.WRITTEN && seen.value() == value.value();
    }

    /** A commit was made: what it sent, or kept here, is not held any longer. */
    void committed() {
        passed.entrySet().removeIf(each -> {
            AttributeSlot slot = slots.get(each.getKey());
            return !waits(each.getValue(), slot == null ? null : slot.look());
        });
    }

    private IllegalArgumentException refusal(String name, Object value, String reason, @Nullable Throwable cause) {
        services.metrics().count(Counter.ATTRIBUTES_REFUSED);
        return new IllegalArgumentException(
                "attribute '" + WireText.shown(name) + "' of class "
                        + value.getClass().getName() + " can't be replicated, and is not set: " + reason
                        + ". The setting 'onNotReplicable' is 'fail'; with 'warn' the attribute would stay on this node",
                cause);
    }
}
