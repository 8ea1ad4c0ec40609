package io.understudy.sealing;

/**
 * Which protocol a sealed message belongs to. The kind is part of the authenticated header, so each protocol reads only its own messages: without it, a captured frame of the
 * transport could be replayed once to the port of discovery.
 */
public enum MessageKind {
    TRANSPORT(1),
    DISCOVERY(4),
    FAILURE_DETECTION(5),
    /** Datagrams beside the connections of the transport: what is in both is sealed for each. */
    MULTICAST(6);

    private final byte code;

    MessageKind(int code) {
        this.code = (byte) code;
    }

    /** Its code in the header of a frame. */
    byte code() {
        return code;
    }

    static boolean isCode(byte code) {
        for (MessageKind each : values()) {
            if (each.code == code) {
                return true;
            }
        }
        return false;
    }
}
