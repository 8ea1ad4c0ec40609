package io.understudy.tls;

import io.understudy.network.sockets.AdmittingServerSocket;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Admits connections whose handshakes are over, and whose peers were let in. */
record TlsAdmission(Certificates certificates) implements AdmittingServerSocket.Admission<TlsSocket> {

    @Override
    public TlsSocket make(SocketChannel channel) throws IOException {
        return new TlsSocket(channel, certificates);
    }

    @Override
    public void admit(TlsSocket socket) throws IOException {
        socket.admit();
    }
}
