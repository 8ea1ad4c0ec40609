package io.understudy.contract;

import jakarta.servlet.http.HttpSession;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A web socket that keeps the session of its handshake: each message names a task, and is answered when that is done. */
public final class SocketEndpoint extends Endpoint {

    static final String DONE = "done";

    /** Below a servlet, without which Tomcat has no filters for it. */
    static final String PATH = Tasks.PATH + "/socket";

    private static final String SESSION = "session";

    private final Tasks tasks;

    private SocketEndpoint(Tasks tasks) {
        this.tasks = tasks;
    }

    static ServerEndpointConfig config(Tasks tasks) {
        return ServerEndpointConfig.Builder.create(SocketEndpoint.class, PATH)
                .configurator(new ServerEndpointConfig.Configurator() {
                    @Override
                    public <T> T getEndpointInstance(Class<T> type) {
                        return type.cast(new SocketEndpoint(tasks));
                    }

                    @Override
                    public void modifyHandshake(
                            ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
                        config.getUserProperties().put(SESSION, request.getHttpSession());
                    }
                })
                .build();
    }

    @Override
    public void onOpen(Session socket, EndpointConfig config) {
        HttpSession session =
                (HttpSession) Objects.requireNonNull(config.getUserProperties().get(SESSION), SESSION);
        socket.addMessageHandler(String.class, (MessageHandler.Whole<String>) message -> {
            String answer = answer(message, session);
            try {
                socket.getBasicRemote().sendText(answer);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private String answer(String message, HttpSession session) {
        try {
            tasks.ofSocket(message).run(session);
            return DONE;
        } catch (Exception | AssertionError e) {
            return e.toString();
        }
    }
}
