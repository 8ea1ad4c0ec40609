package io.understudy.testkit;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Settings for nodes that form one cluster of their own on loopback, whatever else runs on this machine. */
public final class LoopbackCluster {

    /** What JGroups adds to a node's port for its failure detection. */
    public static final int FAILURE_DETECTION = 100;

    /** Far longer than an acknowledgement takes on a busy machine: who waits for none in vain gives a shorter one. */
    public static final String ACK_TIMEOUT = "60s";

    /** Setting {@code startAlone} of a node that never is to serve alone when it starts. */
    public static final String NOT_ALONE = "wait 10m";

    private LoopbackCluster() {}

    /**
     * Settings of {@code nodes} members that know each other's ports. Only the first serves alone at once; none warms
     * up.
     */
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
                    .set(Setting.START_ALONE, i == 0 ? "serve" : NOT_ALONE)
                    .set(Setting.ACK_TIMEOUT, ACK_TIMEOUT)
                    .set(Setting.WARM_UP, "off");
            settings.forEach(builder::set);
            configs.add(builder.build());
        }
        return configs;
    }

    /**
     * Ports that are free, and that nobody else is given; so are those that the nodes' failure detection listens on.
     */
    public static List<Integer> freePorts(int count) {
        return OwnPorts.take(count);
    }
}
