package io.understudy.network.multicast;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The bytes of datagrams that may wait at a socket to be read. What comes when it is full is lost, and sent again. */
public final class ReceiveBuffer {

    /** What one member may have under way (the credits of the flow control), with room for what is beside it. */
    public static final int BYTES = 4 << 20;

    private static final Logger LOG = System.getLogger(ReceiveBuffer.class.getName());

    private ReceiveBuffer() {}

    /**
     * Warns if the system gave less than was asked for.
     *
     * @param node its name in logs
     * @return whether it did
     */
    public static boolean tell(String node, int asked, int given) {
        if (given >= asked) {
            return false;
        }
        LOG.log(
                Level.WARNING,
                "{0} - the receive buffer for datagrams has {1} bytes, expected {2}: under load some datagrams are "
                        + "lost and sent again. On Linux, as root: "
                        + "sysctl -w net.core.rmem_max={2} (and a line net.core.rmem_max={2} in "
                        + "/etc/sysctl.d/understudy.conf, for the next boot), then "
                        + "restart this node",
                node,
                String.valueOf(given),
                String.valueOf(asked));
        return true;
    }
}
