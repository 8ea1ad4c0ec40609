package io.understudy.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * A handshake of a node with itself, in memory: what is wrong with its key, or with what the JDK is allowed to do, shows when it starts. Besides, the first
 * handshake of a process takes some hundred milliseconds, in which others would go on without this node.
 */
final class HandshakeSelfTest {

    /** A handshake takes a dozen. */
    private static final int MAX_STEPS = 200;

    private final SSLEngine engine;
    private final ByteBuffer sent;
    private final ByteBuffer nothing = ByteBuffer.allocate(0);

    private HandshakeSelfTest(SSLContext context, boolean client) {
        engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setSSLParameters(Credentials.parameters(engine.getSSLParameters(), client));
        sent = ByteBuffer.allocate(4 * engine.getSession().getPacketBufferSize());
    }

    static void run(SSLContext clients, SSLContext servers) throws IOException {
        HandshakeSelfTest client = new HandshakeSelfTest(clients, true);
        HandshakeSelfTest server = new HandshakeSelfTest(servers, false);
        client.engine.beginHandshake();
        server.engine.beginHandshake();
        for (int i = 0; i < MAX_STEPS; i++) {
            client.step(server);
            server.step(client);
            if (client.over() && server.over()) {
                return;
            }
        }
        throw new SSLException("the handshake does not end");
    }

    private boolean over() {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private void step(HandshakeSelfTest other) throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> {
                SSLEngineResult result = engine.wrap(nothing, sent);
                if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                    throw new SSLException("the handshake was aborted");
                }
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                other.sent.flip();
                engine.unwrap(
                        other.sent, ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()));
                other.sent.compact();
            }
            case FINISHED, NOT_HANDSHAKING -> {
                // It waits for the other one.
            }
        }
    }
}
