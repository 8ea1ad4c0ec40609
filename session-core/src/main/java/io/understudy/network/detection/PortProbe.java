package io.understudy.network.detection;

import org.jgroups.Address;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.stack.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * Whether a member is at one of its ports, as failure detection asks it.
 *
 * <p>Threads: one asks, others learn of the answer.
 */
final class PortProbe {

    private final IpAddress port;
    private volatile @Nullable Connection attempt;
    private volatile boolean refuted;
    private volatile boolean answered;
    private volatile boolean broken;
    private volatile boolean lost;

    PortProbe(IpAddress port) {
        this.port = port;
    }

    /** Whether that is where it is asked. */
    boolean at(@Nullable Address other) {
        return port.equals(other);
    }

    /** A connection was made for it, as there was none. */
    void over(Connection made) {
        attempt = made;
    }

    /** Whether the connection is the latest that was made for it. */
    boolean isOver(Connection connection) {
        return attempt == connection;
    }

    /** The member is not at this port: nobody is, or another is, or it ended meanwhile. Unless it is found to be there. */
    void refute() {
        refuted = true;
    }

    boolean refuted() {
        return refuted;
    }

    /** Somebody at this port answered it. */
    void answer() {
        answered = true;
    }

    boolean answered() {
        return answered;
    }

    /**
     * The connection for it was lost.
     *
     * @param farewell whether who closed it said so
     */
    void lost(boolean farewell) {
        if (!farewell) {
            broken = true;
            refute();
        }
        lost = true;
    }

    boolean isLost() {
        return lost;
    }

    /** Whether it was lost without a farewell. */
    boolean hasBroken() {
        return broken;
    }
}
