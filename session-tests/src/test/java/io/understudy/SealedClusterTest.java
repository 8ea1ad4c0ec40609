package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.wire.WireTap;
import java.io.DataOutputStream;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jgroups.Version;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with secrets in this JVM, over real channels on loopback, and somebody who has none. */
@Tag("cluster")
@Timeout(300)
class SealedClusterTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final String SECRET = "a secret of the tests";
    private static final String NEXT = "the next secret of the tests";
    private static final String VALUE = "what nobody else may read";

    /** A node and its application. */
    private record Node(Understudy understudy, ReplicatedSessions sessions) {

        long count(Counter counter) {
            return understudy.metrics().value(counter);
        }

        long refused() {
            return Stream.of(Counter.values())
                    .filter(counter -> counter.name().startsWith("FRAMES_REFUSED_"))
                    .mapToLong(this::count)
                    .sum();
        }

        void close() {
            understudy.close();
        }
    }

    private final String cluster = "test-" + UUID.randomUUID();
    private final List<Integer> ports = LoopbackCluster.freePorts(4);
    private final Map<Integer, Node> nodes = new ConcurrentHashMap<>();
    private String transport = "tcp";

    @AfterEach
    void close() {
        nodes.values().forEach(Node::close);
    }

    /** Not ready yet. If it is not the first one it looks for others before it serves. */
    private Node start(int index, String secret, String former) {
        return start(
                index,
                Map.of(
                        Setting.SECRET,
                        secret,
                        Setting.FORMER_SECRET,
                        former,
                        Setting.START_ALONE,
                        nodes.isEmpty() ? "serve" : LoopbackCluster.NOT_ALONE),
                StackCustomizer.NONE);
    }

    /** Serves alone if it finds no other at once. Not ready yet. */
    private Node start(int index, Map<Setting, String> settings, StackCustomizer stack) {
        int port = ports.get(index);
        UnderstudyConfig.Builder config = UnderstudyConfig.builder()
                .clusterName(cluster)
                .nodeName("node" + index)
                .bind("127.0.0.1", port)
                .hosts(ports.stream().map(each -> "127.0.0.1:" + each).toArray(String[]::new))
                .set(Setting.TRANSPORT, transport)
                .set(Setting.MULTICAST_PORT, String.valueOf(ports.get(0)))
                .set(Setting.START_ALONE, "serve")
                .set(Setting.ACK_TIMEOUT, LoopbackCluster.ACK_TIMEOUT)
                .set(Setting.WARM_UP, "off");
        settings.forEach(config::set);
        Understudy node = NodeStart.start(config.build(), TimeSource.SHARED_PROCESS, stack);
        Node started = new Node(node, node.join("/shop", getClass()::getClassLoader));
        nodes.put(index, started);
        return started;
    }

    private void stop(int index) {
        nodes.remove(index).close();
    }

    private static void awaitView(Node node, int members) {
        Await.until(
                LIMIT,
                () -> node.understudy().view() + ", " + node.understudy().readiness(),
                () -> NodeFigures.viewHas(node.understudy(), members)
                        && node.understudy().readiness().ready());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void nodesWithASecretReplicateAndComeBack(String kind) {
        transport = kind;
        for (int i = 0; i < 3; i++) {
            start(i, SECRET, "");
        }
        nodes.values().forEach(node -> awaitView(node, 3));
        LiveSession session = nodes.get(0).sessions().create("a", 1800);
        for (int i = 0; i < 100; i++) {
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "count", i));
            assertEquals(i, find(nodes.get(2).sessions(), "a").attributes().get("count"));
        }
        stop(1);
        awaitView(nodes.get(0), 2);
        awaitView(start(1, SECRET, ""), 3);
        assertEquals(99, find(nodes.get(1).sessions(), "a").attributes().get("count"));
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "count", 100));
        for (Counter quiet : List.of(
                Counter.FRAMES_REFUSED_ALTERED, Counter.FRAMES_REFUSED_SECRET, Counter.FRAMES_REFUSED_UNSEALED)) {
            nodes.forEach((index, node) -> assertEquals(0, node.count(quiet), () -> quiet + " at " + index));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void whoHasAnotherSecretOrNoneStaysOutsideAndBothSidesSayWhy(String kind) {
        transport = kind;
        try (LogLines log = new LogLines("io.understudy")) {
            start(0, SECRET, "");
            start(1, SECRET, "");
            awaitView(nodes.get(0), 2);
            awaitView(nodes.get(1), 2);
            String view = nodes.get(0).understudy().view();
            assertEquals(Outcome.ACKNOWLEDGED, put(nodes.get(0).sessions().create("a", 1800), "cart", VALUE));
            Beside.all(
                    () -> start(2, Map.of(Setting.SECRET, NEXT), StackCustomizer.NONE),
                    () -> start(3, Map.of(), StackCustomizer.NONE));
            for (int outside : List.of(2, 3)) {
                awaitView(nodes.get(outside), 1);
                assertEquals(List.of(), nodes.get(outside).sessions().ids());
            }
            for (List<String> line : List.of(
                    List.of("node0 - ", "do not open with this cluster's secret", "the sender has another secret"),
                    List.of("node0 - ", "do not open with this cluster's secret", "the sender has no secret"),
                    List.of("node2 - ", "frames of this node do not open there"),
                    List.of("node3 - ", "this node has no 'secret'"))) {
                Await.until(
                        LIMIT,
                        () -> line + " in " + log.with("WARNING"),
                        () -> !log.with(line.toArray(String[]::new)).isEmpty());
            }
            assertEquals(view, nodes.get(0).understudy().view());
            assertEquals(List.of(), log.with(SECRET), "secrets are not logged");
            assertEquals(List.of(), log.with(NEXT), "secrets are not logged");
            assertTrue(nodes.get(0).count(Counter.FRAMES_REFUSED_SECRET) > 0);
            assertTrue(nodes.get(0).count(Counter.FRAMES_REFUSED_UNSEALED) > 0);
            assertTrue(nodes.get(3).count(Counter.FRAMES_REFUSED_SECRET) > 0);
        }
    }

    @Test
    void nothingThatCrossesTheWireCanBeReadOrPlayedAgain() throws Exception {
        WireTap tap = new WireTap();
        start(0, Map.of(Setting.SECRET, SECRET), stack -> {
            ((TP) stack.get(0)).setSocketFactory(tap);
            return stack;
        });
        start(1, SECRET, "");
        awaitView(nodes.get(0), 2);
        awaitView(nodes.get(1), 2);
        LiveSession session = nodes.get(0).sessions().create("a-session's-id", 1800);
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "cart", VALUE));
        String wire = new String(tap.bytes(), StandardCharsets.ISO_8859_1);
        assertTrue(wire.length() > 1000, "the tap hears nothing");
        for (String part : List.of(VALUE, "cart", "a-session", "node0", cluster, SECRET)) {
            assertFalse(wire.contains(part), part);
        }
        List<byte[]> captured = tap.frames();
        assertTrue(captured.size() > 10, () -> captured.size() + " frames");
        String view = nodes.get(1).understudy().view();
        long replayed = nodes.get(1).count(Counter.FRAMES_REFUSED_REPLAYED);
        long refused = nodes.get(1).refused();
        try (Socket intruder = WireTap.connect(ports.get(1), "127.0.0.1", 9)) {
            WireTap.play(intruder, captured);
            Await.until(
                    LIMIT,
                    () -> captured.size() + " frames, " + (nodes.get(1).refused() - refused),
                    () -> nodes.get(1).refused() - refused >= captured.size());
        }
        assertTrue(nodes.get(1).count(Counter.FRAMES_REFUSED_REPLAYED) > replayed);
        assertEquals(view, nodes.get(1).understudy().view());

        stop(1);
        awaitView(nodes.get(0), 1);
        Node restarted = start(1, SECRET, "");
        awaitView(restarted, 2);
        long before = restarted.refused();
        try (Socket intruder = WireTap.connect(ports.get(1), "127.0.0.1", 9)) {
            WireTap.play(intruder, captured);
            Await.until(
                    LIMIT,
                    () -> captured.size() + " frames, " + (restarted.refused() - before),
                    () -> restarted.refused() - before >= captured.size());
        }
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "cart", "more"));
        awaitView(restarted, 2);
    }

    @Test
    void anIntruderByTcpChangesNothing() throws Exception {
        start(0, Map.of(Setting.SECRET, SECRET), stack -> {
            for (Protocol protocol : stack) {
                if (protocol instanceof VERIFY_SUSPECT2 verify) {
                    verify.setTimeout(30_000); // That a suspect is asked counts here, and not how fast it answers.
                }
            }
            return stack;
        });
        start(1, SECRET, "");
        awaitView(nodes.get(0), 2);
        awaitView(nodes.get(1), 2);
        Node target = nodes.get(0);
        LiveSession session = target.sessions().create("a", 1800);
        String view = target.understudy().view();
        long length = target.count(Counter.FRAMES_REFUSED_LENGTH);
        for (int declared : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 20, 0}) {
            try (Socket intruder = WireTap.connect(ports.get(0), "127.0.0.1", 9)) {
                new DataOutputStream(intruder.getOutputStream()).writeInt(declared);
                WireTap.awaitEnd(intruder);
            }
        }
        Await.until(
                LIMIT,
                () -> "" + target.count(Counter.FRAMES_REFUSED_LENGTH),
                () -> target.count(Counter.FRAMES_REFUSED_LENGTH) - length == 4);
        Random random = new Random(3);
        long unsealed = target.count(Counter.FRAMES_REFUSED_UNSEALED);
        try (Socket intruder = WireTap.connect(ports.get(0), "127.0.0.1", 9)) {
            List<byte[]> noise = Stream.generate(() -> new byte[1 + random.nextInt(5000)])
                    .limit(200)
                    .toList();
            noise.forEach(random::nextBytes);
            WireTap.play(intruder, noise);
            Await.until(
                    LIMIT,
                    () -> "" + target.count(Counter.FRAMES_REFUSED_UNSEALED),
                    () -> target.count(Counter.FRAMES_REFUSED_UNSEALED) - unsealed >= 199);
        }
        // Failure detection's own port: whoever claims to be the member that is watched breaks its connection.
        int watched = ports.get(1) + LoopbackCluster.FAILURE_DETECTION;
        for (int i = 0; i < 20; i++) {
            try (Socket intruder =
                    WireTap.connect(ports.get(0) + LoopbackCluster.FAILURE_DETECTION, "127.0.0.1", watched)) {
                byte[] noise = new byte[1 + random.nextInt(1500)];
                random.nextBytes(noise);
                // A message, and the length of another of 2 GB.
                intruder.getOutputStream()
                        .write(ByteBuffer.allocate(noise.length + 8)
                                .putInt(noise.length)
                                .put(noise)
                                .putInt(Integer.MAX_VALUE)
                                .array());
                WireTap.awaitEnd(intruder);
            }
        }
        // As a member that is suspected is asked, and leaves the view only if it does not answer.
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "cart", VALUE));
        awaitView(target, 2);
        assertEquals(view, target.understudy().view());
    }

    @Test
    void anIntruderByMulticastChangesNothing() throws Exception {
        transport = "udp";
        InetAddress group = InetAddress.getByName(Setting.MULTICAST_ADDRESS.defaultValue());
        List<byte[]> captured = new ArrayList<>();
        try (MulticastSocket intruder = new MulticastSocket(new InetSocketAddress(group, ports.get(0)))) {
            intruder.joinGroup(
                    new InetSocketAddress(group, ports.get(0)),
                    NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
            intruder.setNetworkInterface(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
            intruder.setSoTimeout(50);
            start(0, SECRET, "");
            start(1, SECRET, "");
            awaitView(nodes.get(0), 2);
            awaitView(nodes.get(1), 2);
            Node target = nodes.get(1);
            LiveSession session = nodes.get(0).sessions().create("a", 1800);
            for (int i = 0; i < 50; i++) {
                assertEquals(Outcome.ACKNOWLEDGED, put(session, "cart", VALUE + i));
            }
            DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
            try {
                while (captured.size() < 40) {
                    packet.setLength(packet.getData().length);
                    intruder.receive(packet);
                    captured.add(Arrays.copyOf(packet.getData(), packet.getLength()));
                }
            } catch (SocketTimeoutException e) {
                // That was all.
            }
            assertTrue(captured.size() > 20, () -> captured.size() + " datagrams");
            for (byte[] frame : captured) {
                assertFalse(new String(frame, StandardCharsets.ISO_8859_1).contains(VALUE));
            }
            String view = target.understudy().view();
            long replayed = target.count(Counter.FRAMES_REFUSED_REPLAYED);
            for (byte[] frame : captured) {
                intruder.send(new DatagramPacket(frame, frame.length, group, ports.get(0)));
            }
            Await.until(
                    LIMIT,
                    () -> "" + target.count(Counter.FRAMES_REFUSED_REPLAYED),
                    () -> target.count(Counter.FRAMES_REFUSED_REPLAYED) > replayed);
            long unsealed = target.count(Counter.FRAMES_REFUSED_UNSEALED);
            // JGroups' version and flags of a single message, then a length of 2 GB wherever one is read.
            byte[] huge = new byte[200];
            Arrays.fill(huge, (byte) 0x7f);
            huge[0] = (byte) (Version.version >> 8);
            huge[1] = (byte) Version.version;
            huge[2] = 0;
            intruder.send(new DatagramPacket(huge, huge.length, group, ports.get(0)));
            Await.until(
                    LIMIT,
                    () -> "" + target.count(Counter.FRAMES_REFUSED_UNSEALED),
                    () -> target.count(Counter.FRAMES_REFUSED_UNSEALED) > unsealed);
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "cart", VALUE));
            assertEquals(view, target.understudy().view());
        }
    }

    /** Each step is taken by one node after the other, while requests go on. */
    @Test
    void secretsAreExchangedUnderLoadAndNothingIsLost() throws Exception {
        for (int i = 0; i < 3; i++) {
            start(i, SECRET, "");
        }
        nodes.values().forEach(node -> awaitView(node, 3));
        AtomicBoolean on = new AtomicBoolean(true);
        AtomicInteger serving = new AtomicInteger();
        AtomicInteger acknowledged = new AtomicInteger(-1);
        LiveSession session = nodes.get(0).sessions().create("a", 1800);
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "count", 0));
        ReentrantLock turn = new ReentrantLock(true); // Fair: who stops a node gets its turn between two writes.
        Thread writer = new Thread(() -> {
            for (int i = 1; on.get(); i++) {
                turn.lock();
                try {
                    Node node = nodes.get(serving.get());
                    if (put(find(node.sessions(), "a"), "count", i) == Outcome.ACKNOWLEDGED) {
                        acknowledged.set(i);
                    }
                } finally {
                    turn.unlock();
                }
            }
        });
        writer.start();
        try {
            for (List<String> step : List.of(List.of(SECRET, NEXT), List.of(NEXT, SECRET), List.of(NEXT, ""))) {
                for (int i = 0; i < 3; i++) {
                    turn.lock();
                    try {
                        serving.set((i + 1) % 3); // As a load balancer that drains a node.
                    } finally {
                        turn.unlock();
                    }
                    stop(i);
                    start(i, step.get(0), step.get(1));
                    awaitView(nodes.get(i), 3);
                }
            }
        } finally {
            on.set(false);
            writer.join();
        }
        assertTrue(acknowledged.get() > 9, () -> acknowledged + " changes, in nine restarts");
        for (Node node : nodes.values()) {
            awaitView(node, 3);
            int held = (Integer) find(node.sessions(), "a").attributes().get("count");
            assertTrue(held >= acknowledged.get(), () -> held + " of " + acknowledged);
        }
        awaitView(start(3, NEXT, ""), 4);
    }
}
