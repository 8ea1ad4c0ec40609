package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.TlsNodes;
import io.understudy.testkit.TlsNodes.Node;
import io.understudy.testkit.wire.WireProxy;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jgroups.protocols.TP;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with certificates in this JVM, over real channels on loopback. */
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
            nodes.start(1, keys);
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
        try (TlsNodes nodes = new TlsNodes(directory, 2)) {
            startBehindProxy(nodes, 0, outside, tls);
            // Not before: a proxy accepts, so the first node would wait for the answer of another one.
            try (WireProxy first = new WireProxy(outside.get(0), nodes.port(0));
                    WireProxy second = new WireProxy(outside.get(1), nodes.port(1))) {
                startBehindProxy(nodes, 1, outside, tls);
                nodes.awaitOne(0, 1);
                nodes.create(0, "a-session's-id", VALUE);
                assertEquals(VALUE, nodes.value(1, "a-session's-id"));
                String wire = new String(first.bytes(), StandardCharsets.ISO_8859_1)
                        + new String(second.bytes(), StandardCharsets.ISO_8859_1);
                assertTrue(wire.length() > 1000, "the proxies hear nothing");
                for (String part : List.of(VALUE.substring(0, 20), "value", "a-session", "node0", nodes.cluster())) {
                    assertEquals(!tls, wire.contains(part), part + " in " + wire.length());
                }
                // While they reach each other: else the first one waits until the second one counts as dead.
                nodes.stop(0);
                nodes.stop(1);
            }
        }
    }

    private static void startBehindProxy(TlsNodes nodes, int index, List<Integer> outside, boolean tls) {
        int port = outside.get(index);
        Map<Setting, String> more = Map.of(
                Setting.START_ALONE,
                index == 0 ? "serve" : LoopbackCluster.NOT_ALONE,
                Setting.HOSTS,
                "127.0.0.1:" + outside.get(0) + ",127.0.0.1:" + outside.get(1));
        StackCustomizer behindProxy = stack -> {
            ((TP) stack.get(0)).setExternalAddr(InetAddress.getLoopbackAddress());
            ((TP) stack.get(0)).setExternalPort(port);
            return stack;
        };
        if (tls) {
            nodes.start(index, keys.node("a", "n" + index), keys.trust("a"), more, behindProxy);
        } else {
            nodes.start(index, more, behindProxy);
        }
    }
}
