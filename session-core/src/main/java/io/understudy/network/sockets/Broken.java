package io.understudy.network.sockets;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;

/** A channel's failures, told as a socket does, and as JGroups and TLS expect them: by a {@link SocketException}. */
final class Broken {

    private Broken() {}

    /** @param failure of a channel or a selector, which may be closed */
    static IOException told(Exception failure) {
        if (failure instanceof SocketException socket) {
            return socket;
        } else if (failure instanceof InterruptedIOException time) {
            return time;
        }
        String message = failure.getMessage();
        return (IOException) new SocketException(message == null ? "Socket closed" : message).initCause(failure);
    }
}
