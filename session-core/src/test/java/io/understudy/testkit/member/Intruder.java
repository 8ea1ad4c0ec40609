package io.understudy.testkit.member;

import io.understudy.testkit.WireTap;
import java.io.DataOutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Sends noise to a member's ports: of its transport, of its multicast group and of its failure detection; and declares lengths of 2 GB.
 *
 * <pre>
 * Intruder ADDRESS
 * </pre>
 */
final class Intruder {

    private static final int PORT = 7800;
    private static final int SIDE_PORT = 7900;
    private static final int GROUP_PORT = 7820;
    private static final int ROUNDS = 30;

    private Intruder() {}

    public static void main(String[] args) throws Exception {
        InetAddress target = InetAddress.getByName(args[0]);
        Random random = new Random(4);
        List<Socket> open = new ArrayList<>();
        try (DatagramSocket datagrams = new DatagramSocket()) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] noise = new byte[1 + random.nextInt(1400)];
                random.nextBytes(noise);
                InetAddress group = InetAddress.getByName("239.255.78.0");
                datagrams.send(new DatagramPacket(noise, noise.length, group, GROUP_PORT));
                for (int port : new int[] {PORT, SIDE_PORT}) {
                    noise(target, port, random, open);
                }
            }
        }
        for (Socket socket : open) {
            socket.close();
        }
    }

    /** Nobody listens at the first port when the members talk by UDP. */
    private static void noise(InetAddress target, int port, Random random, List<Socket> open) {
        try {
            Socket socket = new Socket(target, port);
            open.add(socket);
            WireTap.connect(socket, socket.getLocalAddress().getHostAddress(), random.nextInt(65_536));
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            byte[] noise = new byte[100];
            random.nextBytes(noise);
            out.writeInt(noise.length);
            out.write(noise);
            out.writeInt(Integer.MAX_VALUE - random.nextInt(2));
            out.flush();
        } catch (Exception e) {
            System.err.println(port + ": " + e);
        }
    }
}
