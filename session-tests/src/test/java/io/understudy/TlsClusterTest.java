package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.TlsNodes;
import io.understudy.testkit.TlsNodes.Node;
import io.understudy.testkit.wire.WireProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.protocols.TP;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with certificates in this JVM, over real channels on loopback, and others that have none, or other ones. */
@Tag("cluster")
@Timeout(300)
class TlsClusterTest {

    private static final String VALUE = "what nobody else may read";

    @TempDir
    private static Path certificates;

    @TempDir
    private Path directory;

    private static KeyTool keys;

    @BeforeAll
    static void makeCertificates() {
        keys = new KeyTool(certificates);
    }

    private static Node start(TlsNodes nodes, int index) throws IOException {
        return nodes.start(index, keys.node("a", "n" + index % 2), keys.trust("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "auto"})
    void nodesWithCertificatesReplicateAndComeBack(String transport) throws Exception {
        try (TlsNodes nodes = new TlsNodes(directory, 3)) {
            for (int i = 0; i < 3; i++) {
                nodes.start(
                        i,
                        keys.node("a", "n" + i % 2),
                        keys.trust("a"),
                        Map.of(
                                Setting.TRANSPORT,
                                transport,
                                Setting.START_ALONE,
                                i == 0 ? "serve" : LoopbackCluster.NOT_ALONE),
                        StackCustomizer.NONE);
            }
            nodes.awaitOne(0, 1, 2);
            LiveSession session = nodes.create(0, "a", 0);
            for (int i = 1; i <= 100; i++) {
                assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "value", i));
                assertEquals(i, nodes.value(2, "a"));
            }
            nodes.stop(1);
            nodes.awaitOne(0, 2);
            start(nodes, 1);
            nodes.awaitOne(0, 1, 2);
            assertEquals(100, nodes.value(1, "a"));
            String large = "x".repeat(900_000);
            assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "value", large));
            assertEquals(large, nodes.value(1, "a"));
            for (int i = 0; i < 3; i++) {
                Node node = nodes.node(i);
                assertEquals(
                        0, node.figure("handshakes_refused_certificate") + node.figure("handshakes_refused_there"));
                assertTrue(node.figure("certificate_seconds_left") > 300 * 86_400);
                assertEquals(0, node.figure("peers_by_multicast"));
            }
        }
    }

    /**
     * All that is said to a member, and answered, crosses a proxy; without certificates the same search finds what is
     * looked for.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingThatCrossesTheWireCanBeRead(boolean tls) throws Exception {
        List<Integer> outside = LoopbackCluster.freePorts(2);
        try (TlsNodes nodes = new TlsNodes(directory, 2);
                WireProxy first = new WireProxy(outside.get(0), nodes.port(0));
                WireProxy second = new WireProxy(outside.get(1), nodes.port(1))) {
            String proxies = "127.0.0.1:" + outside.get(0) + ",127.0.0.1:" + outside.get(1);
            for (int i = 0; i < 2; i++) {
                int port = outside.get(i);
                Map<Setting, String> wait = Map.of(
                        Setting.START_ALONE, i == 0 ? "serve" : LoopbackCluster.NOT_ALONE, Setting.HOSTS, proxies);
                StackCustomizer behindProxy = stack -> {
                    ((TP) stack.get(0)).setExternalAddr(InetAddress.getLoopbackAddress());
                    ((TP) stack.get(0)).setExternalPort(port);
                    return stack;
                };
                if (tls) {
                    nodes.start(i, keys.node("a", "n" + i), keys.trust("a"), wait, behindProxy);
                } else {
                    nodes.start(i, wait, behindProxy);
                }
            }
            nodes.awaitOne(0, 1);
            nodes.create(0, "a-session's-id", VALUE);
            assertEquals(VALUE, nodes.value(1, "a-session's-id"));
            String wire = new String(first.bytes(), StandardCharsets.ISO_8859_1)
                    + new String(second.bytes(), StandardCharsets.ISO_8859_1);
            assertTrue(wire.length() > 1000, "the proxies hear nothing");
            for (String part : List.of(VALUE.substring(0, 20), "value", "a-session", "node0", nodes.cluster())) {
                assertEquals(!tls, wire.contains(part), part + " in " + wire.length());
            }
        }
    }

    @Test
    void whoHasAnotherCertificateOrNoneStaysOutsideAndBothSidesSayWhy() throws Exception {
        try (LogLines log = new LogLines("io.understudy");
                TlsNodes nodes = new TlsNodes(directory, 5)) {
            start(nodes, 0);
            start(nodes, 1);
            nodes.awaitOne(0, 1);
            String view = nodes.node(0).view();
            LiveSession session = nodes.create(0, "a", VALUE);
            nodes.start(2, keys.node("b", "stranger"), keys.trust("b"), Map.of(), StackCustomizer.NONE);
            nodes.start(3, Map.of(), StackCustomizer.NONE);
            nodes.start(4, Map.of(Setting.SECRET, "a secret of the tests"), StackCustomizer.NONE);
            for (int outside : List.of(2, 3, 4)) {
                nodes.node(outside).awaitView(1);
                assertEquals(List.of(), nodes.node(outside).sessions().ids());
            }
            for (List<String> line : List.of(
                    List.of("node0 - refuses the certificate of 127.0.0.1", "CN=stranger,O=b", "certification path"),
                    List.of("node0 - 127.0.0.1", "does not use TLS"),
                    List.of("node2 - refuses the certificate of 127.0.0.1", "O=a"),
                    List.of("node2 - 127.0.0.1", "refuses this node's certificate", "certificate_unknown"),
                    List.of("node3 - ", "uses TLS, but this node has no 'tlsKeyStore'"),
                    List.of("node4 - ", "uses TLS, but this node has no 'tlsKeyStore'"))) {
                Await.until(
                        TlsNodes.LIMIT,
                        () -> line + " in " + log.with("WARNING"),
                        () -> !log.with(line.toArray(String[]::new)).isEmpty());
            }
            assertEquals(1, log.with("node0 - refuses the certificate of").size(), "once for each host");
            assertEquals(view, nodes.node(0).view());
            assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "value", "more"));
            assertEquals(List.of(), log.with(KeyTool.PASSWORD), "passwords are not logged");
            Node node = nodes.node(0);
            assertTrue(node.figure("handshakes_refused_certificate") + node.figure("handshakes_refused_there") > 0);
            assertTrue(node.figure("handshakes_refused_unencrypted") > 0);
        }
    }

    /** More of them than handshakes are made at once; each is made again when it was closed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoHoldsConnectionsKeepsNobodyOut(boolean dripping) throws Exception {
        try (TlsNodes nodes = new TlsNodes(directory, 2)) {
            start(nodes, 0);
            nodes.awaitOne(0);
            List<Socket> held = new ArrayList<>();
            AtomicBoolean on = new AtomicBoolean(true);
            var holding = Beside.run(() -> {
                while (on.get()) {
                    hold(held, nodes.port(0), dripping);
                }
            });
            try {
                Await.until(TlsNodes.LIMIT, held::size, () -> nodes.node(0).figure("handshakes_refused_late") > 0);
                start(nodes, 1);
                nodes.awaitOne(0, 1);
                nodes.create(1, "a", VALUE);
                assertEquals(VALUE, nodes.value(0, "a"));
            } finally {
                on.set(false);
                holding.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                for (Socket each : held) {
                    each.close();
                }
            }
        }
    }

    /** 100 connections to a port, of which those that ended are made anew. */
    private static void hold(List<Socket> held, int port, boolean dripping) {
        for (int i = 0; i < 100; i++) {
            try {
                if (held.size() <= i) {
                    held.add(connected(port));
                }
                Socket socket = held.get(i);
                socket.setSoTimeout(1);
                if (dripping) {
                    socket.getOutputStream().write(22);
                } else if (ended(socket)) {
                    held.set(i, connected(port));
                }
            } catch (IOException e) {
                if (i < held.size()) {
                    close(held.remove(i));
                }
                return;
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ended(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static Socket connected(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5000);
        return socket;
    }

    private static long late(TlsNodes nodes) {
        return nodes.node(0).figure("handshakes_refused_late");
    }

    /** As a host whose process is frozen: the kernel accepts for it, and nobody answers. */
    @Test
    void oneThatSaysNothingHoldsUpNobody() throws Exception {
        List<Integer> others = LoopbackCluster.freePorts(1);
        try (ServerSocket frozen = new ServerSocket(others.get(0), 200, InetAddress.getLoopbackAddress());
                TlsNodes nodes = new TlsNodes(directory, 3)) {
            assertNotNull(frozen.getInetAddress());
            nodes.alsoAsk(others.get(0));
            for (int i = 0; i < 3; i++) {
                start(nodes, i);
            }
            nodes.awaitOne(0, 1, 2);
            LiveSession session = nodes.create(0, "a", 0);
            // A write that waited for a handshake would end after it, so none would fall between two of their ends.
            Set<Long> between = new HashSet<>();
            AtomicInteger value = new AtomicInteger();
            Await.until(Await.LIMIT, between::toString, () -> {
                long before = late(nodes);
                assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "value", value.incrementAndGet()));
                if (late(nodes) == before) {
                    between.add(before);
                }
                return between.size() >= 3;
            });
        }
    }
}
