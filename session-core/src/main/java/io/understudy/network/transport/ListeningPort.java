package io.understudy.network.transport;

import java.io.IOException;
import java.net.ServerSocket;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The port that a transport listens on, until the server of JGroups has it. That server opens its socket before it makes
 * its thread. If there is no memory for the thread, it forgets the socket, and the port would stay taken.
 *
 * <p>Threads: the one that starts the transport.
 */
final class ListeningPort {

    private @Nullable ServerSocket opened;

    private ListeningPort() {}

    /** The port that is opened next with these sockets. */
    static ListeningPort next(SocketFactory sockets) {
        ListeningPort port = new ListeningPort();
        if (sockets instanceof DefaultSocketFactory configurable) {
            configurable.setServerSocketConfigurator(socket -> port.opened = socket);
        }
        return port;
    }

    /** No server has it. */
    void close() throws IOException {
        ServerSocket left = opened;
        if (left != null) {
            left.close();
        }
    }
}
