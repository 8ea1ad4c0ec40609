package io.understudy.benchmarks.peers.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A keep-alive connection with one request under way at most, which costs a client little processor time beside the
 * server's.
 *
 * <p>Threads: one at a time.
 */
final class HttpConnection implements AutoCloseable {

    private static final int BUFFER_BYTES = 32 << 10;
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *(\\d+)\r\n");
    private static final Pattern CHUNKED = Pattern.compile("(?i)\r\nTransfer-Encoding: *chunked\r\n");
    private static final Pattern COOKIE = Pattern.compile("(?i)\r\nSet-Cookie: *(JSESSIONID=[^;\r]*)");
    private static final int CHUNK_RADIX = 16;

    /**
     * An answer.
     *
     * @param cookie {@code JSESSIONID=...} if the response sets it; else empty
     */
    record Response(int status, String body, String cookie) {}

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES);

    HttpConnection(String address, int port) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress(address, port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** For a selector. */
    SocketChannel channel() {
        return channel;
    }

    /** @param cookie empty if there is none yet */
    static byte[] request(String method, String pathAndQuery, String cookie) {
        return (method + " " + pathAndQuery + " HTTP/1.1\r\nHost: peers\r\n"
                        + (cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n")
                        + (method.equals("POST") ? "Content-Length: 0\r\n" : "") + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Sends a request, which is shorter than any socket's buffer. */
    void send(byte[] request) throws IOException {
        in.clear();
        ByteBuffer out = ByteBuffer.wrap(request);
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /** Sends a request and waits for the answer, by a channel that blocks. */
    Response ask(byte[] request) throws IOException {
        send(request);
        boolean complete = false;
        while (!complete) {
            complete = receive();
        }
        return response();
    }

    /**
     * Reads once; whether the response is complete.
     *
     * @throws IOException if the server closes the connection
     */
    boolean receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the server closed the connection");
        }
        return complete(text());
    }

    private String text() {
        return new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
    }

    /** Whether that is a whole response. */
    static boolean complete(String text) {
        int body = body(text);
        if (body < 0) {
            return false;
        }
        Matcher length = LENGTH.matcher(text).region(0, body);
        return length.find()
                ? text.length() >= body + Integer.parseInt(length.group(1))
                : text.endsWith("\r\n0\r\n\r\n");
    }

    private static int body(String text) {
        int end = text.indexOf("\r\n\r\n");
        return end < 0 ? -1 : end + 4;
    }

    /** What was received completely. */
    Response response() {
        return parse(text());
    }

    /** @param text of which {@link #complete} is true */
    static Response parse(String text) {
        int start = body(text);
        Matcher cookie = COOKIE.matcher(text).region(0, start);
        String body = text.substring(start);
        return new Response(
                Integer.parseInt(text.substring(9, 12)),
                CHUNKED.matcher(text).region(0, start).find() ? joined(body) : body,
                cookie.find() ? cookie.group(1) : "");
    }

    private static String joined(String chunks) {
        StringBuilder joined = new StringBuilder();
        int at = 0;
        while (true) {
            int data = chunks.indexOf("\r\n", at) + 2;
            int length = Integer.parseInt(chunks.substring(at, data - 2), CHUNK_RADIX);
            if (length == 0) {
                return joined.toString();
            }
            joined.append(chunks, data, data + length);
            at = data + length + 2;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
