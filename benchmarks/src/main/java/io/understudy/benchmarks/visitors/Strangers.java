package io.understudy.benchmarks.visitors;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that send many cookies with each request, another value in each, at a steady pace. By sockets, so that they
 * take little of the processor that the nodes share with them.
 */
final class Strangers implements AutoCloseable {

    static final int PER_SECOND = 1000;
    static final int COOKIES = 500;

    private static final int THREADS = 4;
    private static final String VALUE = "0123456789ABCDEF01234567";
    private static final int CHANGED = 8;

    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder came = new LongAdder();
    private volatile boolean over;
    private volatile @Nullable IOException failed;

    /** @param cookie a name, and the sign behind it */
    Strangers(int nodes, String cookie) {
        for (int i = 0; i < THREADS; i++) {
            int port = Web.port(i % nodes);
            int first = i;
            Thread thread = new Thread(() -> come(port, cookie, first), "stranger " + i);
            thread.start();
            threads.add(thread);
        }
    }

    /**
     * How many requests were answered.
     *
     * @throws IOException if one was not
     */
    long came() throws IOException {
        IOException why = failed;
        if (why != null) {
            throw why;
        }
        return came.sum();
    }

    private void come(int port, String cookie, int first) {
        StringBuilder cookies = new StringBuilder();
        for (int i = 0; i < COOKIES; i++) {
            cookies.append(i == 0 ? "" : "; ").append(cookie).append(VALUE).append("0".repeat(CHANGED));
        }
        String head = "GET /use?number=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ";
        byte[] request = (head + cookies + "\r\n\r\n").getBytes(US_ASCII);
        int length = cookie.length() + VALUE.length() + CHANGED + 2;
        long number = first * 1_000_000_000L;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(20_000);
            InputStream in = socket.getInputStream();
            byte[] answer = new byte[8192];
            long next = System.nanoTime();
            while (!over) {
                for (int i = 0; i < COOKIES; i++) {
                    change(request, head.length() + i * length + cookie.length() + VALUE.length(), number++);
                }
                socket.getOutputStream().write(request);
                await(in, answer);
                came.increment();
                next += TimeUnit.SECONDS.toNanos(THREADS) / PER_SECOND;
                LockSupport.parkNanos(next - System.nanoTime());
            }
        } catch (IOException e) {
            failed = new IOException("a stranger at port " + port + " after " + came, e);
        }
    }

    private static void change(byte[] request, int end, long number) {
        long left = number;
        for (int i = end + CHANGED - 1; i >= end; i--) {
            request[i] = (byte) Character.forDigit((int) (left & 15), 16);
            left >>>= 4;
        }
    }

    /** An answer ends with the page, which is no session's. */
    private static void await(InputStream in, byte[] answer) throws IOException {
        int length = 0;
        String said = "";
        while (!said.endsWith(WebPages.NONE)) {
            int read = in.read(answer, length, answer.length - length);
            if (read < 0) {
                throw new IOException("the connection was closed after: " + said);
            }
            length += read;
            said = new String(answer, 0, length, US_ASCII);
        }
    }

    @Override
    public void close() {
        over = true;
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(30));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
