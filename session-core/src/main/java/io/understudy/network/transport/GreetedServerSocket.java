package io.understudy.network.transport;

import io.understudy.threads.DaemonThreads;
import io.understudy.threads.Failures;
import io.understudy.tls.AdmittingServerSocket;
import java.io.IOException;

/**
 * The port of a member, which accepts a connection once its {@linkplain GreetedSocket greeting} is here. JGroups would
 * wait for it for a second before it accepts the next one: a few silent clients could keep out members for ever.
 *
 * <p>When the process is out of file descriptors it rests before it tries again to accept a connection. JGroups would
 * try at once and without an end, and log each attempt.
 *
 * <p>Threads: one may accept.
 */
final class GreetedServerSocket extends AdmittingServerSocket<GreetedSocket> {

    /** Members send it as they connect. */
    private static final long GREETING_MILLIS = 2000;

    private final long greetingMillis;

    GreetedServerSocket(Failures failures) throws IOException {
        super(DaemonThreads.numbered("understudy-greeting"), why -> failures.report(TransportSockets.ACCEPTING, why));
        this.greetingMillis = GREETING_MILLIS;
    }

    /**
     * @param greetingMillis how long a greeting may take
     * @param rest called after an attempt that failed; returns when the next one may be made
     */
    GreetedServerSocket(Failures failures, long greetingMillis, Runnable rest) throws IOException {
        super(
                DaemonThreads.numbered("understudy-greeting"),
                why -> failures.report(TransportSockets.ACCEPTING, why),
                rest);
        this.greetingMillis = greetingMillis;
    }

    @Override
    protected GreetedSocket make() {
        return new GreetedSocket();
    }

    @Override
    protected void admit(GreetedSocket socket) throws IOException {
        socket.awaitGreeting(greetingMillis);
    }
}
