package io.understudy.network.transport;

import io.understudy.threads.Failures;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A port that waits before it tries again to accept a connection. When the process is out of file descriptors JGroups
 * would try at once and without an end, and log each attempt.
 *
 * <p>Threads: any.
 */
final class PatientServerSocket extends ServerSocket {

    /** From an attempt that failed to the next one. */
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Failures failures;
    private final Runnable rest;

    PatientServerSocket(Failures failures) throws IOException {
        this(failures, () -> LockSupport.parkNanos(AGAIN_NANOS));
    }

    /** @param rest called after an attempt that failed; returns when the next one may be made */
    PatientServerSocket(Failures failures, Runnable rest) throws IOException {
        this.failures = failures;
        this.rest = rest;
    }

    @Override
    public Socket accept() throws IOException {
        while (true) {
            try {
                return super.accept();
            } catch (IOException e) {
                if (isClosed() || !isBound() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                failures.report(TransportSockets.ACCEPTING, e);
                rest.run();
            }
        }
    }
}
