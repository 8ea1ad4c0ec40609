package io.understudy.network.transport;

import io.understudy.tls.Certificates;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.jgroups.util.DefaultSocketFactory;

/** Has JGroups make TCP connections over TLS. Its channels of NIO, which failure detection has, are as ever. */
final class TlsSockets extends DefaultSocketFactory {

    private final Certificates certificates;

    TlsSockets(Certificates certificates) {
        this.certificates = certificates;
    }

    @Override
    public Socket createSocket(String service) {
        return certificates.socket();
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        return certificates.serverSocket();
    }
}
