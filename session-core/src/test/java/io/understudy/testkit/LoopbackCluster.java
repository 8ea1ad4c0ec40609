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
import java.util.UUID;

/** Settings for nodes that form one cluster of their own on loopback, whatever else runs on this machine. */
public final class LoopbackCluster {

    private LoopbackCluster() {}

    /** Settings of {@code nodes} members that know each other's ports. */
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
                    .set(Setting.START_ALONE, "serve");
            settings.forEach(builder::set);
            configs.add(builder.build());
        }
        return configs;
    }

    /** Ports that were free a moment ago, all different. */
    public static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                ports.add(socket.getLocalPort());
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            for (ServerSocket socket : sockets) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // The port stays taken until the process ends; nothing follows from that.
                }
            }
        }
    }
}
