package io.understudy.museum;

import io.understudy.testkit.OwnPorts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What two nodes need to find each other on loopback. */
record Membership(String cluster, List<Integer> ports) {

    /** A cluster of its own. */
    static Membership take() {
        return new Membership("museum-" + UUID.randomUUID(), OwnPorts.take(2));
    }

    /**
     * The settings of a node, which does not warm up.
     *
     * @param number 0 or 1; a node may have the number of one that has ended
     */
    Map<String, String> settings(String node, int number, int healthPort) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("clusterName", cluster);
        settings.put("nodeName", node);
        settings.put("bindPort", String.valueOf(ports.get(number)));
        settings.put("hosts", "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1));
        settings.put("healthPort", String.valueOf(healthPort));
        settings.put("warmUp", "off");
        return settings;
    }
}
