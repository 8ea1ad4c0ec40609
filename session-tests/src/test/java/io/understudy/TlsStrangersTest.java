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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with certificates in this JVM, and others that have none or other ones, or that hold connections. */
@Tag("cluster")
@Timeout(300)
class TlsStrangersTest {

    private static final String VALUE = "what only members read";

    @TempDir
    private static Path certificates;

    @TempDir
    private Path directory;

    private static KeyTool keys;

    @BeforeAll
    static void makeCertificates() {
        keys = new KeyTool(certificates);
    }

    @Test
    void whoHasAnotherCertificateOrNoneStaysOutsideAndBothSidesSayWhy() throws Exception {
        try (LogLines log = new LogLines("io.understudy");
                TlsNodes nodes = new TlsNodes(directory, 5)) {
            nodes.start(0, keys);
            nodes.start(1, keys);
            nodes.awaitOne(0, 1);
            String view = nodes.node(0).view();
            LiveSession session = nodes.create(0, "a", VALUE);
            Path key = keys.node("b", "stranger");
            Path trust = keys.trust("b");
            Beside.all(
                    () -> nodes.start(2, key, trust, Map.of(), StackCustomizer.NONE),
                    () -> nodes.start(3, Map.of(), StackCustomizer.NONE),
                    () -> nodes.start(4, Map.of(Setting.SECRET, "a secret of the tests"), StackCustomizer.NONE));
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
            nodes.start(0, keys);
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
                nodes.start(1, keys);
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
                nodes.start(i, keys);
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
