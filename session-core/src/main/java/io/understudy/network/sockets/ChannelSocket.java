package io.understudy.network.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket to which a write never waits for the peer: see {@link ChannelOutput}. A read waits, as with any socket. The
 * thread that reads also writes what had to be kept, so there has to be one.
 *
 * <p>Threads: any; one at a time reads. An interrupt neither ends a read nor closes the socket.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // The plain socket has locks of its own.
public abstract class ChannelSocket extends Socket {

    /** Closes sockets that nobody knows any more, as after an error within JGroups. The JDK does so for its own only. */
    private static final Cleaner FORGOTTEN = Cleaner.create();

    /** Makes a socket of a channel. */
    public interface Maker<S extends Socket> {
        S make(SocketChannel channel) throws IOException;
    }

    /** What has to be closed. */
    private static final class Opened implements Runnable {

        private final SocketChannel channel;
        private @Nullable Selector selector;

        Opened(SocketChannel channel) {
            this.channel = channel;
        }

        synchronized SelectionKey register() throws IOException {
            Selector opened = Selector.open();
            selector = opened;
            channel.configureBlocking(false);
            return channel.register(opened, SelectionKey.OP_READ);
        }

        synchronized void close() throws IOException {
            try {
                channel.close();
            } finally {
                if (selector != null) {
                    selector.close(); // Wakes the thread that reads, and frees the channel that is registered with it.
                }
            }
        }

        @Override
        public void run() {
            try {
                close();
            } catch (IOException e) {
                return; // It was broken: it is closed all the same.
            }
        }
    }

    /** With nothing of its own. */
    private static final class Plain extends ChannelSocket {

        Plain(SocketChannel channel) throws IOException {
            super(channel);
        }
    }

    private final Opened opened;

    /** With all options of a socket, but its streams are for channels that wait. */
    private final Socket plain;

    private final Cleaner.Cleanable forgotten;
    private final Object making = new Object();
    private volatile int timeoutMillis;
    private volatile @Nullable ChannelInput in;
    private volatile @Nullable ChannelOutput out;

    /** @param channel that was accepted, or is not connected yet; is closed with this */
    protected ChannelSocket(SocketChannel channel) throws IOException {
        super((SocketImpl) null);
        this.opened = new Opened(channel);
        this.plain = channel.socket();
        this.forgotten = FORGOTTEN.register(this, opened);
    }

    /** One that is not connected yet. */
    public static ChannelSocket unconnected() throws IOException {
        return of(SocketChannel.open(), Plain::new);
    }

    /** The socket of a channel, which is closed if it can't be made. */
    public static <S extends Socket> S of(SocketChannel channel, Maker<S> maker) throws IOException {
        boolean made = false;
        try {
            S socket = maker.make(channel);
            made = true;
            return socket;
        } finally {
            if (!made) {
                channel.close();
            }
        }
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        plain.bind(local);
    }

    @Override
    public void connect(SocketAddress peer) throws IOException {
        connect(peer, 0);
    }

    /** An interrupt from before does not matter. One that comes meanwhile ends it, and closes the socket. */
    @Override
    public void connect(SocketAddress peer, int timeout) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            plain.connect(peer, timeout);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        makeStreams();
        return Objects.requireNonNull(in);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        makeStreams();
        return Objects.requireNonNull(out);
    }

    /** The channel does not wait from then on, so not before it is connected. */
    private void makeStreams() throws IOException {
        if (isClosed() || !isConnected()) {
            throw new SocketException(isClosed() ? "Socket closed" : "Socket is not connected");
        }
        if (in != null) {
            return;
        }
        boolean done = false;
        try {
            synchronized (making) {
                if (in == null) {
                    SelectionKey key = opened.register();
                    ChannelOutput output = new ChannelOutput(opened.channel, key, opened);
                    out = output;
                    in = new ChannelInput(opened.channel, key, output, () -> timeoutMillis);
                }
            }
            done = true;
        } catch (IOException e) {
            throw Broken.told(e);
        } finally {
            if (!done) {
                opened.run();
            }
        }
    }

    /** Whether something is kept for the peer, which does not read. */
    boolean keeps() {
        ChannelOutput output = out;
        return output != null && output.keeps();
    }

    /** What the peer has not taken yet is lost, but for what the system keeps. */
    @Override
    public void close() throws IOException {
        try {
            opened.close();
        } finally {
            forgotten.clean();
        }
    }

    @Override
    public void shutdownInput() throws IOException {
        plain.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        plain.shutdownOutput();
    }

    @Override
    public boolean isBound() {
        return plain.isBound();
    }

    @Override
    public boolean isConnected() {
        return plain.isConnected();
    }

    @Override
    public boolean isClosed() {
        return !opened.channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return plain.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return plain.isOutputShutdown();
    }

    @Override
    public InetAddress getInetAddress() {
        return plain.getInetAddress();
    }

    @Override
    public int getPort() {
        return plain.getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        return plain.getLocalAddress();
    }

    @Override
    public int getLocalPort() {
        return plain.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return plain.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return plain.getLocalSocketAddress();
    }

    /** For how long a read waits for a byte; 0 is without an end. */
    @Override
    public void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() {
        return timeoutMillis;
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        plain.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return plain.getTcpNoDelay();
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        plain.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return plain.getKeepAlive();
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        plain.setSoLinger(on, seconds);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return plain.getSoLinger();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        plain.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return plain.getReuseAddress();
    }

    @Override
    public void setSendBufferSize(int bytes) throws SocketException {
        plain.setSendBufferSize(bytes);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return plain.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        plain.setReceiveBufferSize(bytes);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return plain.getReceiveBufferSize();
    }

    @Override
    public String toString() {
        return plain.toString();
    }
}
