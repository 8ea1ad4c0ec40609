package io.understudy.network.sockets;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections once they are admitted. Each has a thread of its own until then, so that nobody waits for a peer
 * that is silent. There are {@value #MAX_PENDING} at once; of more, the first one of the host that has most is given up.
 * As many that are admitted wait until they are accepted; of more, the last one is closed.
 *
 * <p>Threads: one may accept.
 *
 * @param <S> what is accepted
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // The plain socket has locks of its own.
public final class AdmittingServerSocket<S extends Socket> extends ServerSocket {

    /**
     * Which peers are accepted.
     *
     * <p>Threads: any.
     *
     * @param <S> what is accepted
     */
    public interface Admission<S extends Socket> {

        /** @param channel that was accepted; is closed with the socket, or if that can't be made */
        S make(SocketChannel channel) throws IOException;

        /**
         * Returns when the peer may be accepted.
         *
         * @throws IOException if it may not; then the socket is closed
         */
        void admit(S socket) throws IOException;
    }

    /** Above the members of any cluster that start at once. */
    public static final int MAX_PENDING = 128;

    /** Before the next try when the system can't give a connection, as it is out of file descriptors. */
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerSocketChannel channel = ServerSocketChannel.open();

    /** With all options of a server socket. */
    private final ServerSocket plain = channel.socket();

    private final Admission<S> admission;
    private final ThreadFactory threads;
    private final Consumer<Throwable> failed;
    private final Runnable rest;

    /** Empty: the socket is closed. */
    private final BlockingQueue<Optional<Socket>> accepted = new LinkedBlockingQueue<>(MAX_PENDING);

    /** Held by a thread that accepts. */
    private final ReentrantLock accepting = new ReentrantLock();

    @GuardedBy("underWay")
    private final Set<S> underWay = new LinkedHashSet<>();

    @GuardedBy("this")
    private boolean listening;

    /**
     * @param threads of the connections that are not admitted yet
     * @param failed receives why a connection could not be accepted; throws nothing
     */
    public AdmittingServerSocket(Admission<S> admission, ThreadFactory threads, Consumer<Throwable> failed)
            throws IOException {
        this(admission, threads, failed, () -> LockSupport.parkNanos(AGAIN_NANOS));
    }

    /** @param rest called after an attempt that failed; returns when the next one may be made */
    public AdmittingServerSocket(
            Admission<S> admission, ThreadFactory threads, Consumer<Throwable> failed, Runnable rest)
            throws IOException {
        this.admission = admission;
        this.threads = threads;
        this.failed = failed;
        this.rest = rest;
    }

    @Override
    public void bind(@Nullable SocketAddress local, int backlog) throws IOException {
        plain.bind(local, backlog);
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        plain.bind(local);
    }

    @Override
    public boolean isBound() {
        return plain.isBound();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public InetAddress getInetAddress() {
        return plain.getInetAddress();
    }

    @Override
    public int getLocalPort() {
        return plain.getLocalPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return plain.getLocalSocketAddress();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        plain.setReuseAddress(on);
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        plain.setReceiveBufferSize(bytes);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return plain.getReuseAddress();
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return plain.getReceiveBufferSize();
    }

    @Override
    public int getSoTimeout() throws IOException {
        return plain.getSoTimeout();
    }

    @Override
    public String toString() {
        return plain.toString();
    }

    /** The next accept waits for so long, in milliseconds; 0 is without an end. */
    @Override
    public void setSoTimeout(int millis) throws SocketException {
        plain.setSoTimeout(millis);
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
            threads.newThread(this::listen).start();
            listening = true; // Not before: without memory for the thread the next call tries again.
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
                    rest.run();
                }
            }
        }
    }

    private void listenOnce() throws IOException {
        S socket = ChannelSocket.of(next(), admission::make);
        boolean begun = false;
        try {
            begin(socket);
            threads.newThread(() -> admitted(socket)).start();
            begun = true;
        } finally {
            if (!begun) {
                end(socket);
                close(socket);
            }
        }
    }

    private SocketChannel next() throws IOException {
        accepting.lock();
        try {
            return plain.getSoTimeout() == 0 ? channel.accept() : plain.accept().getChannel();
        } finally {
            accepting.unlock();
        }
    }

    private void begin(S socket) {
        S first = null;
        synchronized (underWay) {
            if (underWay.size() >= MAX_PENDING) {
                first = firstOfMost();
                underWay.remove(first);
            }
            underWay.add(socket);
        }
        if (first != null) {
            close(first);
        }
    }

    @GuardedBy("underWay")
    private @Nullable S firstOfMost() {
        Map<InetAddress, Integer> counts = new HashMap<>();
        underWay.forEach(each -> counts.merge(each.getInetAddress(), 1, Integer::sum));
        S first = null;
        int most = 0;
        for (S each : underWay) {
            int count = counts.getOrDefault(each.getInetAddress(), 0);
            if (count > most) {
                most = count;
                first = each;
            }
        }
        return first;
    }

    private void admitted(S socket) {
        boolean admitted = false;
        try {
            admission.admit(socket);
            admitted = accepted.offer(Optional.of(socket));
        } catch (IOException e) {
            return; // Who does not admit it has reported that, if anybody is to know.
        } finally {
            end(socket);
            if (!admitted || isClosed()) {
                close(socket);
            }
        }
    }

    private void end(S socket) {
        synchronized (underWay) {
            underWay.remove(socket);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            return; // It was broken: it is closed all the same.
        }
    }

    /** When it returns the port is free: the system keeps it for as long as a thread is in its call to accept. */
    @Override
    public void close() throws IOException {
        channel.close();
        accepting.lock(); // A thread that accepts leaves now, and this one waits for that.
        try {
            closeConnections();
        } finally {
            accepting.unlock();
        }
    }

    private void closeConnections() {
        List<S> given;
        synchronized (underWay) {
            given = new ArrayList<>(underWay);
        }
        given.forEach(AdmittingServerSocket::close);
        List<Optional<Socket>> waiting = new ArrayList<>();
        do {
            accepted.drainTo(waiting);
        } while (!accepted.offer(Optional.empty())); // Those that are admitted meanwhile may fill it again.
        waiting.forEach(each -> each.ifPresent(AdmittingServerSocket::close));
    }
}
