package io.understudy.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.network.sockets.AdmittingServerSocket;
import io.understudy.network.sockets.ChannelSocket;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's certificates as its files have them now, and the sockets that show and ask for them.
 *
 * <p>The files are looked at every 2 s, by their content: what is mounted may change behind links of the same name.
 * New ones are in force for all handshakes that begin later as soon as they fit together. Open connections stay,
 * unless their peer's certificate is trusted no more: those are closed.
 *
 * <p>Threads: any; two of its own for looking and for deadlines, one for each server socket, and one for each
 * handshake of a peer that connects.
 */
public final class Certificates implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Certificates.class.getName());

    private static final long LOOK_MILLIS = 2000;

    /** Time for whoever renews certificates to notice that they were not. */
    private static final Duration SOON = Duration.ofDays(14);

    private static final Duration AGAIN = Duration.ofDays(1);

    private final StoreFile keys;
    private final StoreFile trust;
    private final TlsEvents events;
    private final ThreadFactory threads;
    private final long handshakeMillis;
    private final ScheduledThreadPoolExecutor timer;

    /** Weak: one that is known here only is closed, as any that is forgotten. */
    private final Set<TlsSocket> open = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private volatile Credentials current;

    @GuardedBy("this")
    private byte[] keyBytes;

    @GuardedBy("this")
    private byte[] trustBytes;

    @GuardedBy("this")
    private String seen = "";

    @GuardedBy("this")
    private String told = "";

    @GuardedBy("this")
    private @Nullable Instant warned;

    private Certificates(
            StoreFile keys,
            byte[] keyBytes,
            StoreFile trust,
            byte[] trustBytes,
            Credentials current,
            TlsEvents events,
            ThreadFactory threads,
            long handshakeMillis) {
        this.keys = keys;
        this.keyBytes = keyBytes;
        this.trust = trust;
        this.trustBytes = trustBytes;
        this.current = current;
        this.events = events;
        this.threads = threads;
        this.handshakeMillis = handshakeMillis;
        this.timer = new ScheduledThreadPoolExecutor(2, threads);
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Reads the files.
     *
     * @throws InvalidKeyStoreException if nobody could be talked to with them
     */
    public static Certificates load(StoreFile keys, StoreFile trust, TlsEvents events, ThreadFactory threads)
            throws InvalidKeyStoreException {
        return load(keys, trust, events, threads, TlsSocket.HANDSHAKE_MILLIS);
    }

    /** @param handshakeMillis longest time of a handshake */
    static Certificates load(
            StoreFile keys, StoreFile trust, TlsEvents events, ThreadFactory threads, long handshakeMillis)
            throws InvalidKeyStoreException {
        byte[] keyBytes = keys.read();
        byte[] trustBytes = trust.read();
        Credentials loaded = Credentials.of(keys, keyBytes, trust, trustBytes);
        return new Certificates(keys, keyBytes, trust, trustBytes, loaded, events, threads, handshakeMillis);
    }

    /** Begins to look at the files, and at when the certificate ends. */
    public void start() {
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Ends that; no connection is made from then on. Those that there are stay, and handshakes that are under way end
     * as ever.
     */
    @Override
    public void close() {
        timer.shutdown(); // Deadlines are kept.
    }

    /** Longest time of a handshake. */
    long handshakeMillis() {
        return handshakeMillis;
    }

    /** Not connected yet. */
    public Socket socket() throws IOException {
        return ChannelSocket.of(SocketChannel.open(), channel -> new TlsSocket(channel, this));
    }

    /**
     * Not bound yet.
     *
     * @param failed receives why a connection could not be accepted; throws nothing. The socket tries again after a while
     */
    public ServerSocket serverSocket(Consumer<Throwable> failed) throws IOException {
        return new AdmittingServerSocket<>(new TlsAdmission(this), threads, failed);
    }

    /** How long this node's certificate is valid still; negative if it has ended. */
    public Duration left() {
        return Duration.between(Instant.now(), current.ends());
    }

    private void look() {
        try {
            lookAtFiles();
            lookAtEnd(Instant.now());
        } catch (RuntimeException | Error e) { // The timer would not look again.
            LOG.log(Level.ERROR, "the certificates could not be checked; the next check runs as planned", e);
        }
    }

    private synchronized void lookAtFiles() {
        String state = "";
        try {
            byte[] newKeys = keys.read();
            byte[] newTrust = trust.read();
            if (MessageDigest.isEqual(newKeys, keyBytes) && MessageDigest.isEqual(newTrust, trustBytes)) {
                seen = "";
                told = "";
                return;
            }
            state = Arrays.hashCode(newKeys) + " " + Arrays.hashCode(newTrust);
            exchange(Credentials.of(keys, newKeys, trust, newTrust));
            keyBytes = newKeys;
            trustBytes = newTrust;
        } catch (InvalidKeyStoreException e) {
            state += e.getMessage();
            // The files are written one after the other: what is so at two looks is no moment between.
            if (state.equals(seen) && !state.equals(told)) {
                told = state;
                events.unfit(e);
            }
            seen = state;
        }
    }

    private void exchange(Credentials loaded) {
        current = loaded;
        events.exchanged(loaded.subject(), loaded.ends());
        List.copyOf(open).forEach(this::closeDistrusted); // To close one removes it.
    }

    private void closeDistrusted(TlsSocket socket) {
        if (socket.distrustedBy(current)) {
            events.distrusted(socket.peer(), socket.subject());
            socket.close();
        }
    }

    private synchronized void lookAtEnd(Instant now) {
        Credentials used = current;
        boolean soon = used.ends().isBefore(now.plus(SOON));
        if (soon && (warned == null || warned.plus(AGAIN).isBefore(now))) {
            warned = now;
            events.ending(used.subject(), used.ends());
        } else if (!soon) {
            warned = null;
        }
    }

    Credentials current() {
        return current;
    }

    TlsEvents events() {
        return events;
    }

    /** Runs this when the time is over, unless it is cancelled. */
    Future<?> after(long millis, Runnable task) {
        return timer.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    /** The files may have been exchanged while its handshake was under way. */
    void opened(TlsSocket socket, Credentials used) {
        open.add(socket);
        if (used != current) {
            closeDistrusted(socket);
        }
        if (socket.isClosed()) {
            open.remove(socket);
        }
    }

    void closed(TlsSocket socket) {
        open.remove(socket);
    }
}
