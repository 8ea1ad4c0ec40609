package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.TlsNodes;
import io.understudy.testkit.TlsNodes.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates that are exchanged while nodes run, and those with which none starts. */
@Tag("cluster")
@Timeout(300)
class TlsRotationTest {

    @TempDir
    private static Path certificates;

    @TempDir
    private Path directory;

    private static KeyTool keys;

    @BeforeAll
    static void makeCertificates() {
        keys = new KeyTool(certificates);
    }

    private static void awaitLine(LogLines log, int times, String... words) {
        Await.until(
                TlsNodes.LIMIT,
                () -> List.of(words) + " in " + log.with("understudy") + log.with("node"),
                () -> log.with(words).size() >= times);
    }

    /** One session that is counted up by requests to each node in turn. */
    private static final class Counting implements Runnable, AutoCloseable {

        private final TlsNodes nodes;
        private final AtomicBoolean on = new AtomicBoolean(true);
        private final AtomicInteger acknowledged = new AtomicInteger();
        private final Queue<String> others = new ConcurrentLinkedQueue<>();
        private final Thread thread = new Thread(this);

        Counting(TlsNodes nodes) {
            this.nodes = nodes;
            nodes.create(0, "counted", 0);
            thread.start();
        }

        @Override
        public void run() {
            for (int i = 1; on.get(); i++) {
                LiveSession session = SessionRequest.find(nodes.node(i % 3).sessions(), "counted");
                int held = (Integer) session.attributes().get("value");
                if (held != i - 1) {
                    others.add("read " + held + " after " + (i - 1));
                }
                Outcome outcome = SessionRequest.put(session, "value", i);
                if (outcome != Outcome.ACKNOWLEDGED) {
                    others.add(i + " " + outcome);
                }
                acknowledged.set(i);
            }
        }

        void await(int more) {
            int until = acknowledged.get() + more;
            Await.until(TlsNodes.LIMIT, () -> acknowledged + " of " + until, () -> acknowledged.get() >= until);
        }

        @Override
        public void close() {
            on.set(false);
            Await.until(TlsNodes.LIMIT, thread::getState, () -> !thread.isAlive());
        }
    }

    /** Each step at one node after the other, while sessions are written: what an operator does to exchange the CA. */
    @Test
    void certificatesAreExchangedUnderLoadAndNothingIsLost() throws Exception {
        try (LogLines log = new LogLines("io.understudy");
                TlsNodes nodes = new TlsNodes(directory, 5)) {
            for (int i = 0; i < 3; i++) {
                nodes.start(i, keys);
            }
            nodes.awaitOne(0, 1, 2);
            String view = nodes.node(0).view();
            Counting counted = new Counting(nodes);
            try (Counting load = counted) {
                for (int i = 0; i < 3; i++) {
                    KeyTool.put(keys.trust("a", "b"), nodes.trustStore(i));
                }
                awaitLine(log, 3, "the certificates changed", "O=a");
                load.await(50);
                for (int i = 0; i < 3; i++) {
                    KeyTool.put(keys.node("b", "n" + i % 2), nodes.keyStore(i));
                }
                awaitLine(log, 3, "the certificates changed", "O=b");
                load.await(50);
                assertEquals(0, nodes.node(0).figure("connections_distrusted"), "so far all are trusted");
                for (int i = 0; i < 3; i++) {
                    KeyTool.put(keys.trust("b"), nodes.trustStore(i));
                }
                awaitLine(log, 6, "the certificates changed", "O=b");
                Await.until(
                        TlsNodes.LIMIT,
                        () -> log.with("closes its connection"),
                        () -> log.with("closes its connection", "O=a").size() >= 3);
                load.await(200);
            }
            assertEquals(List.of(), List.copyOf(counted.others), "all were acknowledged, and seen by the next request");
            assertTrue(counted.acknowledged.get() > 300);
            assertEquals(view, nodes.node(0).view(), "nobody left meanwhile");
            nodes.start(3, keys.node("a", "n1"), keys.trust("a", "b"), Map.of(), StackCustomizer.NONE);
            nodes.node(3).awaitView(1);
            assertEquals(List.of(), nodes.node(3).sessions().ids());
            awaitLine(log, 1, "node0 - refuses the certificate of 127.0.0.1", "O=a");
            assertEquals(view, nodes.node(0).view());
            nodes.start(4, keys.node("b", "n1"), keys.trust("b"));
            nodes.node(4).awaitView(4);
        }
    }

    /** Its connection would serve it for as long as it lasts. */
    @Test
    void whoIsNotTrustedAnyMoreIsCutOff() throws Exception {
        try (LogLines log = new LogLines("io.understudy");
                TlsNodes nodes = new TlsNodes(directory, 3)) {
            nodes.start(0, keys.node("a", "n0"), keys.trust("a", "b"));
            nodes.start(1, keys.node("a", "n1"), keys.trust("a", "b"));
            nodes.start(2, keys.node("b", "n0"), keys.trust("a", "b"));
            nodes.awaitOne(0, 1, 2);
            LiveSession session = nodes.create(0, "s", "before");
            KeyTool.put(keys.trust("a"), nodes.trustStore(0));
            KeyTool.put(keys.trust("a"), nodes.trustStore(1));
            awaitLine(log, 1, "node0 - closes its connection", "O=b");
            nodes.awaitOne(0, 1);
            assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "value", "after"));
            nodes.node(2).awaitView(1);
            assertEquals("before", nodes.value(2, "s"));
            awaitLine(log, 1, "node2 - 127.0.0.1", "refuses this node's certificate");
        }
    }

    @Test
    void aDamagedFileIsToldOfOnceAndTheFormerStaysInForce() throws Exception {
        try (LogLines log = new LogLines("io.understudy");
                TlsNodes nodes = new TlsNodes(directory, 2)) {
            Node first = nodes.start(0, keys);
            nodes.awaitOne(0);
            byte[] damaged = Files.readAllBytes(keys.node("a", "n1"));
            damaged[damaged.length / 2] ^= 1;
            KeyTool.put(Files.write(directory.resolve("damaged.p12"), damaged), nodes.keyStore(0));
            awaitLine(
                    log,
                    1,
                    "WARNING node0 - the certificates changed, but the new ones can't be used",
                    "'tlsKeyStore'");
            nodes.start(1, keys);
            nodes.awaitOne(0, 1);
            // A CA by which its own certificate is not trusted: nobody would let it in.
            KeyTool.put(keys.node("a", "n1"), nodes.keyStore(0));
            KeyTool.put(keys.trust("b"), nodes.trustStore(0));
            awaitLine(
                    log, 1, "WARNING node0 - the certificates changed, but the new ones can't be used", "would refuse");
            KeyTool.put(keys.trust("a", "b"), nodes.trustStore(0));
            awaitLine(log, 1, "INFO node0 - the certificates changed", "CN=n1");
            assertEquals(2, log.with("WARNING node0 - the certificates changed").size(), "once for each cause");
            assertEquals(0, first.figure("connections_distrusted"));
            nodes.create(0, "s", "x");
            assertEquals("x", nodes.value(1, "s"));
        }
    }

    /** As Kubernetes exchanges what it mounts: files of the same name and time, behind a link to another directory. */
    @Test
    void filesBehindLinksAreExchanged() throws Exception {
        Path mounted = Files.createDirectory(directory.resolve("mounted"));
        for (String authority : List.of("a", "b")) {
            Path version = Files.createDirectory(mounted.resolve(authority));
            Files.copy(keys.node(authority, "n0"), version.resolve("key.p12"));
            Files.copy(keys.trust("a", "b"), version.resolve("trust.p12"));
        }
        Path data = Files.createSymbolicLink(mounted.resolve("..data"), Path.of("a"));
        try (LogLines log = new LogLines("io.understudy");
                TlsNodes nodes = new TlsNodes(directory, 1)) {
            for (String file : List.of("key.p12", "trust.p12")) {
                Path named = file.equals("key.p12") ? nodes.keyStore(0) : nodes.trustStore(0);
                Files.createSymbolicLink(named, data.resolve(file));
            }
            nodes.startWithFilesThere(0);
            nodes.awaitOne(0);
            Path next = Files.createSymbolicLink(mounted.resolve("..data_tmp"), Path.of("b"));
            Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
            awaitLine(log, 1, "node0 - the certificates changed", "O=b");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"server only", "client only", "ended", "not yet", "other CA", "no key", "no certificate"})
    void withWhatMembersWouldRefuseNobodyStarts(String kind) throws IOException {
        try (TlsNodes nodes = new TlsNodes(directory, 1)) {
            Path key = switch (kind) {
                case "server only" -> keys.node("a", "server", "-ext", "eku=serverAuth");
                case "client only" -> keys.node("a", "client", "-ext", "eku=clientAuth");
                case "ended" -> keys.node("a", "ended", "-startdate", "-10d", "-validity", "5");
                case "not yet" -> keys.node("a", "early", "-startdate", "+2d");
                case "no key" -> keys.trust("a");
                default -> keys.node("a", "n0");
            };
            Path trust = kind.equals("other CA")
                    ? keys.trust("b")
                    : kind.equals("no certificate") ? keys.node("a", "n0") : keys.trust("a");
            String message = String.valueOf(assertThrows(ConfigException.class, () -> nodes.start(0, key, trust))
                    .getMessage());
            String setting = kind.equals("no certificate") ? "tlsTrustStore" : "tlsKeyStore";
            assertTrue(message.startsWith("setting '" + setting + "' names '"), message);
            String expected = switch (kind) {
                case "server only" -> "clientAuth";
                case "client only" -> "serverAuth";
                case "ended" -> "expired on";
                case "not yet" -> "NotBefore";
                case "no key" -> "no key";
                case "no certificate" -> "no trusted certificate";
                default -> "certification path";
            };
            assertTrue(message.contains(expected), message);
        }
    }

    @Test
    void wrongPasswordsAndFilesAreRefusedByName() throws IOException {
        Path none = directory.resolve("none");
        try (TlsNodes nodes = new TlsNodes(directory, 1)) {
            nodes.password("wrong");
            String message = String.valueOf(assertThrows(ConfigException.class, () -> nodes.start(0, keys))
                    .getMessage());
            assertTrue(message.contains("'tlsKeyStorePassword' does not open"), message);
            nodes.password(KeyTool.PASSWORD);
            Path text = Files.writeString(none, "no such file");
            message = String.valueOf(assertThrows(ConfigException.class, () -> nodes.start(0, text, keys.trust("a")))
                    .getMessage());
            assertTrue(message.contains("not a complete PKCS12 or JKS file"), message);
        }
    }

    @Test
    void aCertificateThatEndsSoonIsToldOf() throws IOException {
        try (LogLines log = new LogLines("io.understudy");
                TlsNodes nodes = new TlsNodes(directory, 1)) {
            Node node = nodes.start(0, keys.node("a", "brief", "-validity", "5"), keys.trust("a"));
            awaitLine(log, 1, "WARNING node0 - the certificate of this node (CN=brief,O=a) expires on");
            long days = node.figure("certificate_seconds_left") / 86_400;
            assertTrue(days >= 3 && days <= 5, days + " days");
            assertEquals(1, log.with("certificate of this node").size());
        }
    }
}
