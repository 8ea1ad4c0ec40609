package io.understudy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An HTTP client that sends what it is given: no library adds, checks or refuses a header. */
final class RawHttp {

    /** What came back until the server closed the connection. */
    record Answer(int status, String text) {}

    private RawHttp() {}

    /** Sends a request line and headers, and waits for the whole answer. */
    static Answer send(int port, String... lines) throws IOException {
        try (Socket socket = open(port, String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n")) {
            return answer(socket);
        }
    }

    /** Opens a connection and sends this, which may be a part of a request. */
    static Socket open(int port, String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** So many connections with a request that does not end. */
    static List<Socket> halfOpen(int port, int count) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(open(port, "GET /ready HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
        }
        return sockets;
    }

    static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Waits for the whole answer. */
    static Answer answer(Socket socket) throws IOException {
        String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(text.isEmpty() ? 0 : Integer.parseInt(text.split(" ", 3)[1]), text);
    }
}
