package io.understudy.tls;

import io.understudy.network.sockets.ChannelSocket;
import io.understudy.tls.HandshakeFailure.Kind;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose streams are TLS's once it is connected. Everything else about it is as of a plain one; above all
 * {@link #close} closes it hard, without a word to the peer, which may not read.
 *
 * <p>{@link #connect} returns when each side has accepted the other. With TLS 1.3 the side that connects
 * ends its handshake before the other side has checked its certificate. So the other side sends a byte after the check,
 * and a refusal is an exception in connect, not in a read some time later.
 *
 * <p>Threads: as a socket.
 */
final class TlsSocket extends ChannelSocket {

    /**
     * For a whole handshake, in milliseconds, however many bytes come meanwhile. It takes 5 ms on a machine with
     * nothing else to do; the first one of a process, on one where several start, took half a second. Failure
     * detection takes 3.6 s, and is not to wait for it.
     */
    static final long HANDSHAKE_MILLIS = 2000;

    private static final int ADMITTED = 1;

    /** By which records of TLS begin, alerts and handshakes; no other protocol that is met here begins so. */
    private static final int ALERT = 21;

    private static final int HANDSHAKE = 22;

    private static final Pattern RECEIVED_ALERT = Pattern.compile("Received fatal alert: (\\w+)");

    private final Certificates certificates;
    private volatile @Nullable InputStream in;
    private volatile @Nullable OutputStream out;
    private volatile boolean late;
    private volatile @Nullable Thread handshaking;
    private int firstByte = -1;
    private String peer = "";
    private X509Certificate[] shown = {};
    private boolean asClient;

    /** @param channel that was accepted, or is not connected yet; is closed with this */
    TlsSocket(SocketChannel channel, Certificates certificates) throws IOException {
        super(channel);
        this.certificates = certificates;
    }

    /** @throws HandshakeFailure if one of both sides refuses the other, or does not accept it in time */
    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
        super.connect(endpoint, timeout);
        handshake(true);
    }

    /** Of a socket that was accepted. */
    void admit() throws IOException {
        handshake(false);
    }

    private void handshake(boolean client) throws IOException {
        InetAddress host = getInetAddress();
        peer = client ? address(host) + ":" + getPort() : host.getHostAddress();
        Credentials used = certificates.current();
        PeerTrust trust = used.peer();
        Future<?> deadline = null;
        handshaking = Thread.currentThread();
        try {
            deadline = certificates.after(certificates.handshakeMillis(), this::expire);
            SSLSocket layered = used.layered(this, client, trust);
            layered.startHandshake();
            if (trust.shown().length == 0) {
                throw new SSLException("it sent no certificate");
            }
            InputStream read = layered.getInputStream();
            OutputStream write = layered.getOutputStream();
            if (!client) {
                write.write(ADMITTED);
                write.flush();
            } else if (read.read() != ADMITTED) {
                throw new EOFException("it sent nothing after the handshake");
            }
            if (!deadline.cancel(false)) {
                throw new EOFException("late");
            }
            shown = trust.shown();
            asClient = trust.asClient();
            in = new Received(read);
            out = new Sent(write);
        } catch (IOException | RejectedExecutionException e) {
            HandshakeFailure failure = failure(trust, e);
            if (deadline != null && (failure.kind() == Kind.CERTIFICATE || failure.kind() == Kind.UNENCRYPTED)) {
                awaitEnd();
            }
            throw failure;
        } finally {
            handshaking = null;
            if (deadline != null) {
                deadline.cancel(false);
            }
            if (in == null) {
                close();
            }
        }
        certificates.opened(this, used);
    }

    /**
     * What is closed while the peer sends is reset, and the alert that says why is lost. The deadline ends this, too.
     */
    private void awaitEnd() {
        byte[] unread = new byte[1024];
        try {
            InputStream plain = super.getInputStream();
            int count = 0;
            while (count >= 0) {
                count = plain.read(unread);
            }
        } catch (IOException e) {
            return; // It is over.
        }
    }

    private static String address(InetAddress host) {
        String address = host.getHostAddress();
        return address.indexOf(':') < 0 ? address : "[" + address + "]";
    }

    private void expire() {
        late = true;
        close();
    }

    private HandshakeFailure failure(PeerTrust trust, Exception e) {
        X509Certificate[] chain = trust.shown();
        String subject = chain.length == 0 ? "" : Credentials.subject(chain);
        Exception refusal = trust.refusal();
        if (refusal != null) {
            return failure(Kind.CERTIFICATE, subject, Credentials.reason(refusal), e);
        }
        if (late) {
            return failure(Kind.LATE, subject, "it took longer than " + certificates.handshakeMillis() + " ms", e);
        }
        if (firstByte >= 0 && firstByte != ALERT && firstByte != HANDSHAKE) {
            return failure(Kind.UNENCRYPTED, subject, "it does not use TLS", e);
        }
        Matcher alert = RECEIVED_ALERT.matcher(String.valueOf(e.getMessage()));
        return alert.find()
                ? failure(Kind.THERE, subject, alert.group(1), e)
                : failure(Kind.BROKEN, subject, String.valueOf(e.getMessage()), e);
    }

    private HandshakeFailure failure(Kind kind, String subject, String reason, Exception e) {
        HandshakeFailure failure = new HandshakeFailure(kind, peer, subject, reason, e);
        certificates.events().failed(failure);
        return failure;
    }

    String peer() {
        return peer;
    }

    String subject() {
        return Credentials.subject(shown);
    }

    /** Whether its peer would not be let in with these. */
    boolean distrustedBy(Credentials others) {
        return !others.trusts(shown, asClient);
    }

    /** Until the handshake is over the socket's own, which TLS asks for once; then TLS's. */
    @Override
    public InputStream getInputStream() throws IOException {
        InputStream secured = in;
        return secured != null ? secured : new FirstByte(super.getInputStream());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        OutputStream secured = out;
        return secured != null ? secured : super.getOutputStream();
    }

    @Override
    public synchronized void close() {
        if (Thread.currentThread().equals(handshaking)) {
            endOutput();
            return;
        }
        certificates.closed(this);
        try {
            super.close();
        } catch (IOException e) {
            return; // It was broken: it is closed all the same.
        }
    }

    /** TLS gives up. */
    private void endOutput() {
        try {
            shutdownOutput();
        } catch (IOException e) {
            return; // It was closed.
        }
    }

    /** Tells what the peer talks. */
    private final class FirstByte extends FilterInputStream {

        FirstByte(InputStream plain) {
            super(plain);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = in.read(bytes, offset, length);
            if (count > 0 && firstByte < 0) {
                firstByte = bytes[offset] & 0xff;
            }
            return count;
        }
    }

    /** A connection that was broken, or closed here, is told as by a plain socket. */
    private static IOException plain(SSLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketException broken) {
                return broken;
            }
        }
        return e;
    }

    private final class Received extends FilterInputStream {

        Received(InputStream secured) {
            super(secured);
        }

        @Override
        public int read() throws IOException {
            try {
                return in.read();
            } catch (SSLException e) {
                throw plain(e);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return in.read(bytes, offset, length);
            } catch (SSLException e) {
                throw plain(e);
            }
        }

        @Override
        public void close() {
            TlsSocket.this.close();
        }
    }

    private final class Sent extends FilterOutputStream {

        Sent(OutputStream secured) {
            super(secured);
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            boolean done = false;
            try {
                out.write(bytes, offset, length);
                done = true;
            } catch (SSLException e) {
                throw plain(e);
            } finally {
                if (!done) { // A part of it may be with the peer, and would be written again.
                    TlsSocket.this.close();
                }
            }
        }

        @Override
        public void close() {
            TlsSocket.this.close();
        }
    }
}
