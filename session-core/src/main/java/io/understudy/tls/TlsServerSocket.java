package io.understudy.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections whose handshakes are over, and whose peers were let in. Each handshake has a thread of its own,
 * so that nobody waits for a peer that is silent. There are {@value #MAX_HANDSHAKES} at once; of more, the first one of
 * the host that has most is given up.
 *
 * <p>Threads: one may accept.
 */
final class TlsServerSocket extends ServerSocket {

    /** Above the members of any cluster that start at once. */
    static final int MAX_HANDSHAKES = 128;

    /** Before the next try when the system can't give a connection, as it is out of file descriptors. */
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Certificates certificates;
    private final ThreadFactory threads;
    private final Consumer<Throwable> failed;

    /** Empty: the socket is closed. */
    private final BlockingQueue<Optional<Socket>> accepted = new LinkedBlockingQueue<>();

    @GuardedBy("underWay")
    private final Set<TlsSocket> underWay = new LinkedHashSet<>();

    @GuardedBy("this")
    private boolean listening;

    TlsServerSocket(Certificates certificates, ThreadFactory threads, Consumer<Throwable> failed) throws IOException {
        this.certificates = certificates;
        this.threads = threads;
        this.failed = failed;
    }

    @Override
    public Socket accept() throws IOException {
        listenFromNowOn();
        try {
            Socket next = accepted.take().orElse(null);
            if (isClosed() && next != null) {
                next.close();
            }
            if (isClosed() || next == null) {
                throw new SocketException("Socket closed");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    private synchronized void listenFromNowOn() throws SocketException {
        if (isClosed() || !isBound()) {
            throw new SocketException(isClosed() ? "Socket closed" : "Socket is not bound yet");
        }
        if (!listening) {
            listening = true;
            threads.newThread(this::listen).start();
        }
    }

    /** Whatever is thrown: who does not accept connections any more is no member. */
    private void listen() {
        while (!isClosed()) {
            try {
                listenOnce();
            } catch (Throwable e) {
                if (!isClosed()) {
                    failed.accept(e);
                    LockSupport.parkNanos(AGAIN_NANOS);
                }
            }
        }
    }

    private void listenOnce() throws IOException {
        TlsSocket socket = new TlsSocket(certificates);
        boolean begun = false;
        try {
            implAccept(socket);
            begin(socket);
            threads.newThread(() -> handshake(socket)).start();
            begun = true;
        } finally {
            if (!begun) {
                end(socket);
                socket.close();
            }
        }
    }

    private void begin(TlsSocket socket) {
        TlsSocket first = null;
        synchronized (underWay) {
            if (underWay.size() >= MAX_HANDSHAKES) {
                first = firstOfMost();
                underWay.remove(first);
            }
            underWay.add(socket);
        }
        if (first != null) {
            first.close();
        }
    }

    @GuardedBy("underWay")
    private @Nullable TlsSocket firstOfMost() {
        Map<InetAddress, Integer> counts = new HashMap<>();
        underWay.forEach(each -> counts.merge(each.getInetAddress(), 1, Integer::sum));
        TlsSocket first = null;
        int most = 0;
        for (TlsSocket each : underWay) {
            int count = counts.getOrDefault(each.getInetAddress(), 0);
            if (count > most) {
                most = count;
                first = each;
            }
        }
        return first;
    }

    private void handshake(TlsSocket socket) {
        boolean admitted = false;
        try {
            socket.admit();
            accepted.add(Optional.of(socket));
            admitted = true;
        } catch (IOException e) {
            return; // The socket has reported it.
        } finally {
            end(socket);
            if (!admitted || isClosed()) {
                socket.close();
            }
        }
    }

    private void end(TlsSocket socket) {
        synchronized (underWay) {
            underWay.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        super.close();
        List<TlsSocket> given;
        synchronized (underWay) {
            given = new ArrayList<>(underWay);
        }
        given.forEach(TlsSocket::close);
        List<Optional<Socket>> waiting = new ArrayList<>();
        accepted.drainTo(waiting);
        for (Optional<Socket> each : waiting) {
            if (each.isPresent()) {
                each.get().close();
            }
        }
        accepted.add(Optional.empty());
    }
}
