package io.understudy.demo.launcher.frontdoor;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node at a real port that does with each request what the test says, also what no server would: break off, hang. */
final class ScriptedNode implements Backend, AutoCloseable {

    /** What happens with a request; the connection is closed after it. */
    interface Script {
        void play(Received request, OutputStream out) throws Exception;
    }

    /** A request as it came over the wire. */
    record Received(String head, String body) {

        String firstLine() {
            return head.substring(0, head.indexOf('\r'));
        }
    }

    static final Script BREAK_OFF = (request, out) -> {};

    private final String name;
    private final ServerSocket server;
    private final Script script;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Set<Exchange> inFlight = ConcurrentHashMap.newKeySet();
    volatile boolean ready = true;

    ScriptedNode(String name, Script script) throws IOException {
        this.name = name;
        this.script = script;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accept = new Thread(this::accept, name);
        accept.setDaemon(true);
        accept.start();
    }

    /** Answers every request with 200 and this text. */
    static ScriptedNode saying(String name, String text) throws IOException {
        return new ScriptedNode(name, (request, out) -> write(out, "HTTP/1.1 200 OK\r\n", text));
    }

    static void write(OutputStream out, String head, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        out.write((head + "Connection: close\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        out.write(body);
        out.flush();
    }

    List<Received> received() {
        return received;
    }

    Set<Exchange> inFlight() {
        return inFlight;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int httpPort() {
        return server.getLocalPort();
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public void enters(Exchange exchange) {
        inFlight.add(exchange);
    }

    @Override
    public void leaves(Exchange exchange) {
        inFlight.remove(exchange);
    }

    /** The port is closed: connections are refused, while the front door still believes the node to be ready. */
    @Override
    public void close() throws IOException {
        server.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread connection = new Thread(() -> serve(socket), name + "-connection");
                connection.setDaemon(true);
                connection.start();
            }
        } catch (IOException e) {
            // Closed by the test.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String head = readHead(in);
            int length = head.lines()
                    .filter(line -> line.regionMatches(true, 0, "Content-Length:", 0, 15))
                    .mapToInt(line -> Integer.parseInt(line.substring(15).trim()))
                    .findAny()
                    .orElse(0);
            Received request = new Received(head, new String(in.readNBytes(length), StandardCharsets.UTF_8));
            received.add(request);
            script.play(request, socket.getOutputStream());
        } catch (Exception e) {
            // The other side went away: as in a script that hangs until it does.
        }
    }

    private static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("connection closed");
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }
}
