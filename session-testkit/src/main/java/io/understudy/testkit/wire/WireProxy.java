package io.understudy.testkit.wire;

import io.understudy.testkit.Beside;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands before a member's port on loopback: passes on the bytes of both directions, and copies them. Threads: any. */
public final class WireProxy implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<ByteArrayOutputStream> copies = new CopyOnWriteArrayList<>();

    /** @param target a port, at which nobody has to listen yet */
    public WireProxy(int port, int target) throws IOException {
        this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        var unused = Beside.run(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                sockets.add(near);
                connect(near);
            }
        } catch (IOException e) {
            return; // It was closed.
        }
    }

    private void connect(Socket near) throws IOException {
        Socket far = new Socket();
        sockets.add(far);
        try {
            far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 1000);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
        } catch (IOException e) {
            near.close(); // The member is not there.
            return;
        }
        pass(near, far);
        pass(far, near);
    }

    private void pass(Socket from, Socket to) {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        copies.add(copy);
        var unused = Beside.run(() -> {
            byte[] bytes = new byte[65_536];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    copy.write(bytes, 0, count);
                    out.write(bytes, 0, count);
                }
            } catch (IOException e) {
                return; // One of both sides ended it: so does the other one.
            }
        });
    }

    /** All bytes so far, in both directions. */
    public byte[] bytes() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        copies.forEach(each -> all.writeBytes(each.toByteArray()));
        return all.toByteArray();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
