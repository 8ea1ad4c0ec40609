package io.understudy.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.NodeFigures;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in this JVM, over real channels on loopback, that know each other's ports, and of which each has files with
 * certificates of its own, which can be exchanged. Threads: several may start nodes and make requests, each node by one; all else by one.
 */
public final class TlsNodes implements AutoCloseable {

    public static final Duration LIMIT = Await.LIMIT;

    /** A node and its application. */
    public record Node(Understudy understudy, ReplicatedSessions sessions) {

        /** A counter or gauge. */
        public long figure(String name) {
            return NodeFigures.of(understudy).getOrDefault(name, 0L);
        }

        public String view() {
            return NodeFigures.view(understudy);
        }

        /** Waits until it is ready, in a view of so many. */
        public void awaitView(int members) {
            Await.until(
                    LIMIT,
                    () -> view() + ", " + understudy.readiness(),
                    () -> NodeFigures.viewHas(understudy, members)
                            && understudy.readiness().ready()
                            && (members == 1
                                    || understudy.isClusterCoherent())); // The others have said what they have.
        }
    }

    private static final Map<Setting, String> OTHERS = Map.of(Setting.START_ALONE, LoopbackCluster.NOT_ALONE);

    private final Path directory;
    private final String cluster = "test-" + UUID.randomUUID();
    private final List<Integer> ports;
    private final List<String> hosts = new ArrayList<>();
    private String password = KeyTool.PASSWORD;
    private final Map<Integer, Node> nodes = new ConcurrentHashMap<>();

    /** @param directory where the nodes' files go */
    public TlsNodes(Path directory, int nodes) {
        this.directory = directory;
        this.ports = LoopbackCluster.freePorts(nodes);
        ports.forEach(port -> hosts.add("127.0.0.1:" + port));
    }

    /** With which nodes open their keys from now on. */
    public void password(String used) {
        password = used;
    }

    public String cluster() {
        return cluster;
    }

    public int port(int index) {
        return ports.get(index);
    }

    /** Has nodes that start from now on look there, too. */
    public void alsoAsk(int port) {
        hosts.add("127.0.0.1:" + port);
    }

    /** What a node's settings name. */
    public Path keyStore(int index) {
        return directory.resolve("node" + index + "-key.p12");
    }

    public Path trustStore(int index) {
        return directory.resolve("node" + index + "-trust.p12");
    }

    /**
     * Starts a node with these certificates; it is not ready yet. If it is not the first one it looks for others
     * before it serves.
     */
    public Node start(int index, Path key, Path trust) {
        return start(index, key, trust, nodes.isEmpty() ? Map.of() : OTHERS, StackCustomizer.NONE);
    }

    /** The same with one of two certificates of the authority "a", and trust in that. */
    public Node start(int index, KeyTool keys) {
        return start(index, keys.node("a", "n" + index % 2), keys.trust("a"));
    }

    public Node start(int index, Path key, Path trust, Map<Setting, String> more, StackCustomizer stack) {
        KeyTool.put(key, keyStore(index));
        KeyTool.put(trust, trustStore(index));
        return startWithFilesThere(index, more, stack);
    }

    /** Starts a node with the files that are where its settings name them. */
    public Node startWithFilesThere(int index) {
        return startWithFilesThere(index, Map.of(), StackCustomizer.NONE);
    }

    private Node startWithFilesThere(int index, Map<Setting, String> more, StackCustomizer stack) {
        Path file;
        try {
            file = Files.writeString(directory.resolve("password"), password + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<Setting, String> settings = new EnumMap<>(Map.of(
                Setting.TLS_KEY_STORE,
                keyStore(index).toString(),
                Setting.TLS_KEY_STORE_PASSWORD,
                "file:" + file,
                Setting.TLS_TRUST_STORE,
                trustStore(index).toString(),
                Setting.TLS_TRUST_STORE_PASSWORD,
                KeyTool.PASSWORD));
        settings.putAll(more);
        return start(index, settings, stack);
    }

    /** Starts a node without certificates. */
    public Node start(int index, Map<Setting, String> settings, StackCustomizer stack) {
        UnderstudyConfig.Builder config = UnderstudyConfig.builder()
                .clusterName(cluster)
                .nodeName("node" + index)
                .bind("127.0.0.1", ports.get(index))
                .hosts(hosts.toArray(String[]::new))
                .set(Setting.TRANSPORT, "tcp")
                .set(Setting.START_ALONE, "serve")
                .set(Setting.ACK_TIMEOUT, LoopbackCluster.ACK_TIMEOUT)
                .set(Setting.WARM_UP, "off");
        settings.forEach(config::set);
        Understudy node = NodeStart.start(config.build(), TimeSource.SHARED_PROCESS, stack);
        Node started = new Node(node, node.join("/shop", TlsNodes.class::getClassLoader));
        nodes.put(index, started);
        return started;
    }

    public Node node(int index) {
        return started(nodes.get(index), index);
    }

    public void stop(int index) {
        started(nodes.remove(index), index).understudy().close();
    }

    private Node started(@Nullable Node node, int index) {
        return Objects.requireNonNull(
                node, () -> "node " + index + " is not started; those that are: " + nodes.keySet());
    }

    /** Waits until these are ready, in one view of so many. */
    public void awaitOne(int... indices) {
        for (int index : indices) {
            node(index).awaitView(indices.length);
        }
    }

    /** A session of that name, on that node, with one value that all that are ready hold. */
    public LiveSession create(int index, String id, Object value) {
        LiveSession session = node(index).sessions().create(id, 1800);
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "value", value));
        return session;
    }

    /** That value, on another node. */
    public @Nullable Object value(int index, String id) {
        return SessionRequest.find(node(index).sessions(), id).attributes().get("value");
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.understudy().close());
        nodes.clear();
    }
}
