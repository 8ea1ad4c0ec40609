package io.understudy.ordering;

import org.jgroups.Address;
import org.jgroups.Message;
import org.jspecify.annotations.Nullable;

/**
 * What the flow control above {@link SCOPE} learns of messages before it sees them; nothing if there is no such flow
 * control.
 *
 * <p>Threads: any, after {@link #use}.
 */
final class ScopeCredits {

    private @Nullable SCOPE_FC flowControl;

    /** To be called before the first message. */
    void use(@Nullable SCOPE_FC found) {
        flowControl = found;
    }

    /** Whether there is a flow control. */
    boolean any() {
        return flowControl != null;
    }

    /** A message arrived. */
    void arrived(Message message) {
        SCOPE_FC credits = flowControl;
        if (credits != null) {
            credits.arrived(message.getSrc(), message.getLength());
        }
    }

    /** A message that arrived was handed up, or is held or lost. */
    void gone(Message message) {
        SCOPE_FC credits = flowControl;
        if (credits != null) {
            credits.arrived(message.getSrc(), -message.getLength());
        }
    }

    /** The flow control does not see the message, or does not wait for that: its sender gets the credits now. */
    void giveBack(Message message) {
        SCOPE_FC credits = flowControl;
        if (credits != null) {
            credits.held(message.getSrc(), message.getLength());
        }
    }

    /** A member has left. */
    void forget(Address origin) {
        SCOPE_FC credits = flowControl;
        if (credits != null) {
            credits.forget(origin);
        }
    }
}
