package io.understudy.sealing;

/**
 * Whose message is in a frame; it is sealed with it. One protocol reads nothing that another one wrote: what was captured on its way to the one would otherwise be taken once,
 * as a message of a member, by the other.
 */
public enum Protocol {
    TRANSPORT(1),
    DISCOVERY(4),
    FAILURE_DETECTION(5);

    private final byte kind;

    Protocol(int kind) {
        this.kind = (byte) kind;
    }

    /** In the header of a frame. */
    byte kind() {
        return kind;
    }

    static boolean known(byte kind) {
        for (Protocol each : values()) {
            if (each.kind == kind) {
                return true;
            }
        }
        return false;
    }
}
