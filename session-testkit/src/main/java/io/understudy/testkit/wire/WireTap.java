package io.understudy.testkit.wire;

import io.understudy.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.DefaultSocketFactory;

/**
 * Copies all that a member writes to its TCP connections, and plays it to others as somebody in the network could.
 * Threads: any.
 */
public final class WireTap extends DefaultSocketFactory {

    /** By which JGroups' connections begin. */
    private static final byte[] COOKIE = {'b', 'e', 'l', 'a'};

    private static final int COOKIE_AND_VERSION = 6;

    private final List<ByteArrayOutputStream> written = new CopyOnWriteArrayList<>();

    @Override
    public Socket createSocket(String service) {
        return new Tapped();
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        return new ServerSocket() {
            @Override
            public Socket accept() throws IOException {
                Socket tapped = new Tapped();
                implAccept(tapped);
                return tapped;
            }
        };
    }

    private final class Tapped extends Socket {

        private final ByteArrayOutputStream copy = new ByteArrayOutputStream();

        Tapped() {
            written.add(copy);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int value) throws IOException {
                    copy.write(value);
                    out.write(value);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    copy.write(bytes, offset, length);
                    out.write(bytes, offset, length);
                }
            };
        }
    }

    /** All bytes so far, of all connections. */
    public byte[] bytes() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        written.forEach(each -> all.writeBytes(each.toByteArray()));
        return all.toByteArray();
    }

    /** The frames so far, of all connections, but those that are not whole. */
    public List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        written.forEach(each -> frames.addAll(frames(each.toByteArray())));
        return frames;
    }

    /** The frames in the bytes of one side of a connection, without an incomplete last one. */
    public static List<byte[]> frames(byte[] stream) {
        List<byte[]> frames = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(stream);
        if (bytes.remaining() > COOKIE_AND_VERSION + 2 && bytes.get(0) == COOKIE[0]) {
            bytes.position(COOKIE_AND_VERSION + 2 + bytes.getShort(COOKIE_AND_VERSION));
        }
        while (bytes.remaining() >= Integer.BYTES) {
            int length = bytes.getInt();
            if (length <= 0 || length > bytes.remaining()) {
                break;
            }
            byte[] frame = new byte[length];
            bytes.get(frame);
            frames.add(frame);
        }
        return frames;
    }

    /** A connection to a member, begun as members do, by somebody who claims this address. */
    public static Socket connect(int port, String address, int claimedPort) throws Exception {
        return connect(new Socket(InetAddress.getLoopbackAddress(), port), address, claimedPort);
    }

    /** The same over a new connection. */
    public static Socket connect(Socket socket, String address, int claimedPort) throws Exception {
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        ByteArrayDataOutputStream claimed = new ByteArrayDataOutputStream();
        new IpAddress(address, claimedPort).writeTo(claimed);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.write(COOKIE);
        out.writeShort(Version.version);
        out.writeShort(claimed.position());
        out.write(claimed.buffer(), 0, claimed.position());
        out.flush();
        return socket;
    }

    /** Sends frames over a connection. */
    public static void play(Socket socket, List<byte[]> frames) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        for (byte[] frame : frames) {
            out.writeInt(frame.length);
            out.write(frame);
        }
        socket.getOutputStream().write(all.toByteArray());
        socket.getOutputStream().flush();
    }

    /** Returns when the member has closed the connection. */
    public static void awaitEnd(Socket socket) throws IOException {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (in.read() >= 0) {}
        } catch (java.net.SocketException e) {
            return; // It was reset.
        }
    }
}
