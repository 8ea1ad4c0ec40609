package io.understudy.benchmarks.silence;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A process that opens connections to a member, sends nothing, and waits until the member closes them. */
final class HeldConnections {

    private static final int CONNECT_MILLIS = 5000;

    private HeldConnections() {}

    /**
     * Prints {@code closed <connections> longest <milliseconds>} when all were closed by the other side.
     *
     * @param args address, port, how many
     */
    public static void main(String[] args) throws IOException {
        InetSocketAddress member = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        int count = Integer.parseInt(args[2]);
        List<Socket> held = new ArrayList<>();
        long[] began = new long[count];
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket();
            socket.connect(member, CONNECT_MILLIS);
            began[i] = System.nanoTime();
            held.add(socket);
        }
        System.out.println("held " + count);
        long longest = 0;
        for (int i = 0; i < count; i++) {
            try (Socket socket = held.get(i)) {
                while (socket.getInputStream().read() >= 0) {
                    // TLS alerts are skipped.
                }
            }
            longest = Math.max(longest, System.nanoTime() - began[i]);
        }
        System.out.println("closed " + count + " longest " + longest / 1_000_000);
    }
}
