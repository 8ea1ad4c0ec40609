package io.understudy.tls;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** Accepts connections whose handshakes are over, and whose peers were let in. */
final class TlsServerSocket extends AdmittingServerSocket<TlsSocket> {

    static final int MAX_HANDSHAKES = MAX_PENDING;

    private final Certificates certificates;

    TlsServerSocket(Certificates certificates, ThreadFactory threads, Consumer<Throwable> failed) throws IOException {
        super(threads, failed);
        this.certificates = certificates;
    }

    @Override
    protected TlsSocket make() {
        return new TlsSocket(certificates);
    }

    @Override
    protected void admit(TlsSocket socket) throws IOException {
        socket.admit();
    }
}
