package io.understudy.network.transport;

import io.understudy.network.sockets.AdmittingServerSocket;
import io.understudy.threads.DaemonThreads;
import io.understudy.threads.Failures;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;

/**
 * Admits connections whose {@linkplain GreetedSocket greeting} is here. JGroups would wait for it for a second before it
 * accepts the next one: a few silent clients could keep out members for ever.
 *
 * <p>When the process is out of file descriptors, the port rests before it tries again to accept a connection. JGroups
 * would try at once and without an end, and log each attempt.
 *
 * @param greetingMillis how long a greeting may take
 */
record GreetingAdmission(long greetingMillis) implements AdmittingServerSocket.Admission<GreetedSocket> {

    /** Members send their greeting as they connect. */
    private static final long GREETING_MILLIS = 2000;

    private static final String THREADS = "understudy-greeting";

    static ServerSocket port(Failures failures) throws IOException {
        return new AdmittingServerSocket<>(
                new GreetingAdmission(GREETING_MILLIS),
                DaemonThreads.numbered(THREADS),
                why -> failures.report(TransportSockets.ACCEPTING, why));
    }

    /** @param rest called after an attempt that failed; returns when the next one may be made */
    ServerSocket port(Failures failures, Runnable rest) throws IOException {
        return new AdmittingServerSocket<>(
                this, DaemonThreads.numbered(THREADS), why -> failures.report(TransportSockets.ACCEPTING, why), rest);
    }

    @Override
    public GreetedSocket make(SocketChannel channel) throws IOException {
        return new GreetedSocket(channel);
    }

    @Override
    public void admit(GreetedSocket socket) throws IOException {
        socket.awaitGreeting(greetingMillis);
    }
}
