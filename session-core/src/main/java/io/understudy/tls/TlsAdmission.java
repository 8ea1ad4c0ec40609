package io.understudy.tls;

import java.io.IOException;

/** Admits connections whose handshakes are over, and whose peers were let in. */
record TlsAdmission(Certificates certificates) implements AdmittingServerSocket.Admission<TlsSocket> {

    @Override
    public TlsSocket make() {
        return new TlsSocket(certificates);
    }

    @Override
    public void admit(TlsSocket socket) throws IOException {
        socket.admit();
    }
}
