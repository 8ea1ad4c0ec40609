package io.understudy.testkit;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Settings for nodes that form one cluster of their own on loopback, whatever else runs on this machine. */
public final class LoopbackCluster {

    private static final int FIRST_PORT = 12_000;
    private static final int LAST_PORT = 31_000;
    private static final int MAX_TRIES = 1000;

    /** What JGroups adds to a node's port for its failure detection. */
    public static final int FAILURE_DETECTION = 100;

    /** Given out in this JVM, or tried: a node that was given one may not have taken it yet. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private LoopbackCluster() {}

    /** Settings of {@code nodes} members that know each other's ports. Only the first serves alone at once. */
    public static List<UnderstudyConfig> configs(int nodes) {
        return configs(nodes, Map.of());
    }

    /** The same with some settings given. */
    public static List<UnderstudyConfig> configs(int nodes, Map<Setting, String> settings) {
        String cluster = "test-" + UUID.randomUUID();
        List<Integer> ports = freePorts(nodes);
        String[] hosts = ports.stream().map(port -> "127.0.0.1:" + port).toArray(String[]::new);
        List<UnderstudyConfig> configs = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            UnderstudyConfig.Builder builder = UnderstudyConfig.builder()
                    .clusterName(cluster)
                    .nodeName("node" + (i + 1))
                    .bind("127.0.0.1", ports.get(i))
                    .hosts(hosts)
                    .set(Setting.START_ALONE, i == 0 ? "serve" : "wait 30s");
            settings.forEach(builder::set);
            configs.add(builder.build());
        }
        return configs;
    }

    /**
     * Ports that are free, and given to nobody else in this JVM. They are below those that systems give to outgoing connections, any of which
     * could otherwise take one before the node does; so is the port that a node's failure detection listens on.
     */
    public static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; ports.size() < count; i++) {
                int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
                if (GIVEN.add(port)
                        && GIVEN.add(port + FAILURE_DETECTION)
                        && listen(port, sockets)
                        && listen(port + FAILURE_DETECTION, sockets)) {
                    ports.add(port);
                } else if (i > MAX_TRIES) {
                    throw new IllegalStateException(
                            "no " + count + " free ports from " + FIRST_PORT + " to " + LAST_PORT);
                }
            }
            return ports;
        } finally {
            sockets.forEach(LoopbackCluster::close);
        }
    }

    private static boolean listen(int port, List<ServerSocket> sockets) {
        try {
            sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
            return true;
        } catch (IOException e) {
            return false; // Somebody has it.
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
