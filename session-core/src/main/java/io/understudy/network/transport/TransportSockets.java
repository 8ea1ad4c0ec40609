package io.understudy.network.transport;

import io.understudy.network.sockets.ChannelSocket;
import io.understudy.threads.Failures;
import io.understudy.tls.Certificates;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.jgroups.util.DefaultSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the sockets of JGroups' TCP. Its channels of NIO, which failure detection has, are as ever.
 *
 * <p>It knows the port until a server of JGroups has it. That server opens its socket before it makes its thread. If
 * there is no memory for the thread, it forgets the socket, and the port would stay taken.
 *
 * <p>Threads: any make sockets; the thread that starts the transport makes its port, and closes it.
 */
final class TransportSockets extends DefaultSocketFactory {

    /** For the log. */
    static final String ACCEPTING = "accepting a connection of another member";

    /** Makes sockets that are not bound yet. */
    private interface Maker<S> {
        S make() throws IOException;
    }

    private final Maker<Socket> sockets;
    private final Maker<ServerSocket> ports;
    private @Nullable ServerSocket port;

    private TransportSockets(Maker<Socket> sockets, Maker<ServerSocket> ports) {
        this.sockets = sockets;
        this.ports = ports;
    }

    static TransportSockets plain(Failures failures) {
        return new TransportSockets(ChannelSocket::unconnected, () -> GreetingAdmission.port(failures));
    }

    static TransportSockets overTls(Certificates certificates, Failures failures) {
        return new TransportSockets(
                certificates::socket, () -> certificates.serverSocket(why -> failures.report(ACCEPTING, why)));
    }

    @Override
    public Socket createSocket(String service) throws IOException {
        return sockets.make();
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        ServerSocket made = ports.make();
        port = made;
        return made;
    }

    /** No server has it. */
    void closePort() throws IOException {
        ServerSocket left = port;
        if (left != null) {
            left.close();
        }
    }
}
