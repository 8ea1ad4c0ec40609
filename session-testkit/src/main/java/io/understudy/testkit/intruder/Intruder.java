package io.understudy.testkit.intruder;

import io.understudy.testkit.wire.WireTap;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jgroups.Version;
import org.jgroups.stack.DiagnosticsHandler;
import org.jspecify.annotations.Nullable;

/**
 * Somebody in the network of members who has heard what they say, and knows JGroups, but no secret. Reads commands from its standard
 * input, each with a capture by which it knows where members listen, and says when it is done with each.
 *
 * <pre>
 * Intruder ADDRESS
 * command = word " " file        answer = "done " word " " what it did
 * </pre>
 */
final class Intruder {

    /** Of the test's members. */
    private static final int TRANSPORT_PORT = 7800;

    private static final int ROUNDS = 20;
    private static final int MAX_DATAGRAM = 65_507;
    private static final int ANSWER_MILLIS = 10_000;
    private static final String PROBE_GROUP = "224.0.75.75";
    private static final int PROBE_PORT = 7500;

    private final Random random = new Random(4);
    private final String address;
    private final DatagramSocket datagrams;
    private final List<Socket> open = new ArrayList<>();
    private int sent;
    private int connected;
    private int frames;

    private Intruder(String address) throws IOException {
        this.address = address;
        this.datagrams = new DatagramSocket();
    }

    public static void main(String[] args) throws Exception {
        Intruder intruder = new Intruder(args[0]);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 2);
            System.out.println("done " + words[0] + " " + intruder.done(words[0], Traffic.read(Path.of(words[1]))));
        }
    }

    private String done(String command, Traffic heard) throws Exception {
        sent = 0;
        connected = 0;
        frames = 0;
        switch (command) {
            case "noise" -> noise(heard);
            case "declare-udp" -> heard.sockets().forEach(socket -> datagram(socket, huge()));
            case "declare-tcp" -> declare(heard);
            case "side" -> side(heard);
            case "replay" -> replay(heard, false);
            case "swap" -> replay(heard, true);
            case "probe" -> {
                return "answers of " + probe(heard);
            }
            default -> throw new IllegalArgumentException(command);
        }
        endConnections();
        return sent + " datagrams, " + connected + " connections, " + frames + " frames";
    }

    private byte[] noise(int most) {
        byte[] noise = new byte[1 + random.nextInt(most)];
        random.nextBytes(noise);
        return noise;
    }

    /** Of any length, over UDP, behind the beginning that JGroups' connections have, and without that. */
    private void noise(Traffic heard) {
        for (int round = 0; round < ROUNDS; round++) {
            for (Traffic.Port socket : heard.sockets()) {
                datagram(socket, noise(round % 2 == 0 ? 1400 : MAX_DATAGRAM));
            }
        }
        for (Traffic.Port service : services(heard)) {
            for (int round = 0; round < ROUNDS; round++) {
                connection(service, true, List.of(noise(100), noise(5000), noise(40)));
            }
            raw(service, noise(100));
        }
    }

    /** JGroups' version and the flags of a single message, then a length of 2 GB wherever one is read. */
    private static byte[] huge() {
        byte[] huge = new byte[200];
        Arrays.fill(huge, (byte) 0x7f);
        huge[0] = (byte) (Version.version >> 8);
        huge[1] = (byte) Version.version;
        huge[2] = 0;
        return huge;
    }

    /** Lengths of 2 GB, of nothing, below nothing, and of less than the heap. */
    private void declare(Traffic heard) {
        for (Traffic.Port service : services(heard)) {
            for (int declared : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 8, 64 << 20, Integer.MIN_VALUE, 0}) {
                Socket socket = connect(service, true);
                if (socket != null) {
                    write(socket, declared, huge());
                }
            }
        }
    }

    /**
     * The ports of each member that accept connections: one that connected to both of its neighbours before they did was
     * connected to by nobody.
     */
    private static Set<Traffic.Port> services(Traffic heard) {
        Set<Traffic.Port> services = new LinkedHashSet<>();
        for (Traffic.Port service : heard.services()) {
            heard.services().stream()
                    .map(Traffic.Port::number)
                    .forEach(number -> services.add(new Traffic.Port(service.address(), number)));
        }
        return services;
    }

    /** The ports besides the transport's. */
    private static Set<Traffic.Port> sides(Traffic heard) {
        Set<Traffic.Port> sides = services(heard);
        sides.removeIf(port -> port.number() == TRANSPORT_PORT);
        return sides;
    }

    private void side(Traffic heard) {
        for (Traffic.Port service : sides(heard)) {
            for (int length = 1; length <= ROUNDS; length++) {
                byte[] message = new byte[length];
                random.nextBytes(message);
                connection(service, true, List.of(message));
            }
            connection(service, true, List.of(noise(2000), noise(2048), noise(5000)));
            raw(service, noise(5000));
            raw(service, new byte[0]);
        }
    }

    /**
     * All again: datagrams to where they went and to every other socket; connections as they were begun, in the name of who
     * began them, and in this host's name.
     *
     * @param swapped what came in datagrams over connections, and the frames of connections in datagrams
     */
    private void replay(Traffic heard, boolean swapped) {
        List<byte[]> said = new ArrayList<>();
        if (swapped) {
            heard.streams().forEach(stream -> said.addAll(stream.frames()));
        } else {
            said.addAll(heard.datagrams());
        }
        Set<Traffic.Port> sockets = heard.sockets();
        for (byte[] bytes : said) {
            sockets.forEach(socket -> datagram(socket, bytes));
        }
        for (Traffic.Port service : heard.services()) {
            if (swapped) {
                connection(service, true, heard.datagrams());
                continue;
            }
            for (Traffic.Stream stream : heard.streams()) {
                connection(service, true, stream.frames());
            }
            heard.streams().stream()
                    .filter(stream -> stream.to().equals(service))
                    .forEach(stream -> raw(service, stream.bytes()));
        }
    }

    /** The hosts that answer the probe by which JGroups can be asked what it has in it; this one is to. */
    private Set<String> probe(Traffic heard) throws Exception {
        Set<String> answered = new TreeSet<>();
        Set<Traffic.Port> asked = new LinkedHashSet<>(Set.of(new Traffic.Port(PROBE_GROUP, PROBE_PORT)));
        heard.services().forEach(service -> asked.add(new Traffic.Port(service.address(), PROBE_PORT)));
        byte[] question = "jmx keys member-addrs".getBytes(StandardCharsets.UTF_8);
        try (DatagramSocket socket = new DatagramSocket();
                DiagnosticsHandler here = new DiagnosticsHandler()) {
            here.printHeaders(any -> "here").enableUdp(true).start();
            socket.setSoTimeout(ANSWER_MILLIS);
            DatagramPacket answer = new DatagramPacket(new byte[MAX_DATAGRAM], MAX_DATAGRAM);
            for (int round = 0; round < ROUNDS; round++) {
                for (Traffic.Port port : asked) {
                    socket.send(packet(port, question));
                }
                do {
                    socket.receive(answer);
                    answered.add(answer.getAddress().getHostAddress());
                } while (!answer.getAddress().getHostAddress().equals(address));
            }
        }
        return answered;
    }

    private static DatagramPacket packet(Traffic.Port to, byte[] bytes) throws IOException {
        return new DatagramPacket(bytes, bytes.length, InetAddress.getByName(to.address()), to.number());
    }

    private void datagram(Traffic.Port to, byte[] bytes) {
        try {
            datagrams.send(packet(to, bytes.length > MAX_DATAGRAM ? Arrays.copyOf(bytes, MAX_DATAGRAM) : bytes));
            sent++;
        } catch (IOException e) {
            System.err.println(to + ": " + e);
        }
    }

    private @Nullable Socket connect(Traffic.Port to, boolean begun) {
        try {
            Socket socket = new Socket(to.address(), to.number());
            open.add(socket);
            connected++;
            if (begun) {
                WireTap.connect(socket, address, socket.getLocalPort());
            }
            return socket;
        } catch (Exception e) {
            System.err.println(to + ": " + e);
            return null;
        }
    }

    private void connection(Traffic.Port to, boolean begun, List<byte[]> said) {
        Socket socket = said.isEmpty() ? null : connect(to, begun);
        if (socket == null) {
            return;
        }
        try {
            WireTap.play(socket, said);
            frames += said.size();
        } catch (IOException e) {
            System.err.println(to + " closed the connection: " + e);
        }
    }

    private void raw(Traffic.Port to, byte[] bytes) {
        Socket socket = connect(to, false);
        try {
            if (socket != null) {
                socket.getOutputStream().write(bytes);
            }
        } catch (IOException e) {
            System.err.println(to + " closed the connection: " + e);
        }
    }

    private static void write(Socket socket, int declared, byte[] bytes) {
        try {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(declared);
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            System.err.println("closed the connection: " + e);
        }
    }

    /** What was said is read by then: who ends a connection before reading what comes over it may take back what it said. */
    private void endConnections() throws IOException {
        for (Socket socket : open) {
            try (socket) {
                socket.setSoTimeout(ANSWER_MILLIS);
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                while (in.read() >= 0) {}
            } catch (IOException e) {
                System.err.println(socket + ": " + e);
            }
        }
        open.clear();
    }
}
