package io.understudy.tls;

import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** Why a connection over TLS was not made. A {@link SocketException}, as of a peer that is out of reach. */
public final class HandshakeFailure extends SocketException {

    private static final long serialVersionUID = 1L;

    /** Which side refused the other, or what else went wrong. */
    public enum Kind {
        /** This node refused the peer's certificate. */
        CERTIFICATE,
        /** The peer refused this node, by an alert. */
        THERE,
        /** The peer does not talk TLS. */
        UNENCRYPTED,
        /** The handshake was not over in time. */
        LATE,
        /** The connection ended before that. */
        BROKEN
    }

    private final Kind kind;
    private final String peer;
    private final String subject;

    HandshakeFailure(Kind kind, String peer, String subject, String reason, @Nullable Exception cause) {
        super(reason);
        initCause(cause);
        this.kind = kind;
        this.peer = peer;
        this.subject = subject;
    }

    public Kind kind() {
        return kind;
    }

    /** The peer's host and port; if it was the one that connected its host alone. */
    public String peer() {
        return peer;
    }

    /** The subject of the peer's certificate; empty if it showed none. */
    public String subject() {
        return subject;
    }

    /** Why, in a few words. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
