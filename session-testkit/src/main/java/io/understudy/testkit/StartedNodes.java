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
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with one application in this JVM, over real channels on loopback, that find each other only by their settings:
 * no {@code hosts}, and no multicast.
 *
 * <p>Threads: one.
 */
public final class StartedNodes implements AutoCloseable {

    private static final Duration LIMIT = Await.LIMIT;

    private record Node(Understudy understudy, ReplicatedSessions sessions) {}

    private final String cluster;
    private final Map<Setting, String> settings;
    private final Map<String, Node> nodes = new LinkedHashMap<>();

    /** @param settings of all nodes */
    public StartedNodes(Map<Setting, String> settings) {
        this("test-" + UUID.randomUUID(), settings);
    }

    public StartedNodes(String cluster, Map<Setting, String> settings) {
        this.cluster = cluster;
        this.settings = settings;
    }

    public String cluster() {
        return cluster;
    }

    /** Starts a node at a free port. */
    public void start(String name) {
        start(name, "127.0.0.1", LoopbackCluster.freePorts(1).get(0));
    }

    public void start(String name, String address, int port) {
        start(name, address, port, Map.of());
    }

    /** @param own settings, which come before those of all nodes */
    public void start(String name, String address, int port, Map<Setting, String> own) {
        Map<Setting, String> all =
                new EnumMap<>(Map.of(Setting.BIND_ADDRESS, address, Setting.BIND_PORT, String.valueOf(port)));
        all.putAll(own);
        start(name, all);
    }

    /** @param own settings, which come before those of all nodes */
    public void start(String name, Map<Setting, String> own) {
        UnderstudyConfig.Builder config = UnderstudyConfig.builder()
                .clusterName(cluster)
                .nodeName(name)
                .set(Setting.START_ALONE, "serve")
                .set(Setting.ACK_TIMEOUT, LoopbackCluster.ACK_TIMEOUT)
                .set(Setting.WARM_UP, "off");
        settings.forEach(config::set);
        own.forEach(config::set);
        Understudy node = NodeStart.start(
                config.build(),
                TimeSource.SHARED_PROCESS,
                nodes.isEmpty() ? NodeStart.first(StackCustomizer.NONE) : StackCustomizer.NONE);
        nodes.put(name, new Node(node, node.join("/shop", StartedNodes.class::getClassLoader)));
    }

    public Understudy node(String name) {
        return started(nodes.get(name), name).understudy();
    }

    public void stop(String name) {
        started(nodes.remove(name), name).understudy().close();
    }

    private Node started(@Nullable Node node, String name) {
        return Objects.requireNonNull(node, () -> name + " is not started; those that are: " + nodes.keySet());
    }

    /** Waits until all that are started are ready, in one view. */
    public void awaitOne() {
        nodes.values().forEach(node -> awaitView(node, nodes.size()));
    }

    /** Waits until each is ready, in a view of its own. */
    public void awaitAlone() {
        nodes.values().forEach(node -> awaitView(node, 1));
    }

    private static void awaitView(Node node, int members) {
        Await.until(
                LIMIT,
                () -> NodeFigures.view(node.understudy()) + ", "
                        + node.understudy().readiness(),
                () -> NodeFigures.viewHas(node.understudy(), members)
                        && node.understudy().readiness().ready()
                        && (members == 1
                                || node.understudy().isClusterCoherent())); // The others have said what they have.
    }

    /** A session begins on each node, and is on each other one. */
    public void replicate() {
        nodes.forEach((from, node) -> {
            String id = UUID.randomUUID().toString();
            LiveSession session = node.sessions().create(id, 1800);
            assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "from", from));
            for (Node other : List.copyOf(nodes.values())) {
                assertEquals(
                        from,
                        SessionRequest.find(other.sessions(), id).attributes().get("from"));
            }
        });
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.understudy().close());
        nodes.clear();
    }
}
