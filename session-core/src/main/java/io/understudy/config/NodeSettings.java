package io.understudy.config;

import io.understudy.config.UnderstudyConfig.HostPort;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The settings that all applications of a node have in common, as text: what {@link UnderstudyConfig.Builder} reads. */
final class NodeSettings {

    /** Whose values are not to be shown. */
    private static final Set<Setting> SECRET = EnumSet.of(
            Setting.SECRET,
            Setting.FORMER_SECRET,
            Setting.TLS_KEY_STORE_PASSWORD,
            Setting.TLS_TRUST_STORE_PASSWORD,
            Setting.DISCOVERY_DATABASE,
            Setting.DISCOVERY_DATABASE_PASSWORD);

    private NodeSettings() {}

    static Map<Setting, String> asText(UnderstudyConfig config) {
        Map<Setting, String> all = new EnumMap<>(Setting.class);
        all.put(Setting.CLUSTER_NAME, config.clusterName());
        all.put(Setting.NODE_NAME, config.nodeName());
        all.put(Setting.TRANSPORT, config.transport().name());
        all.put(Setting.BIND_ADDRESS, config.bindAddress().getHostAddress());
        all.put(Setting.BIND_PORT, String.valueOf(config.bindPort()));
        all.put(Setting.HOSTS, config.hosts().stream().map(HostPort::toString).collect(Collectors.joining(",")));
        all.put(Setting.MULTICAST_ADDRESS, BindAddress.text(config.multicastAddress()));
        all.put(Setting.MULTICAST_PORT, String.valueOf(config.multicastPort()));
        all.put(Setting.SECURITY, config.security().name());
        all.put(
                Setting.START_ALONE,
                config.startAloneAfter().isZero()
                        ? "serve"
                        : "wait " + config.startAloneAfter().toMillis() + "ms");
        all.put(
                Setting.WARM_UP,
                config.warmUp().isZero() ? "off" : config.warmUp().toMillis() + "ms");
        all.put(Setting.TOUCH_INTERVAL, config.touchInterval().toMillis() + "ms");
        all.put(Setting.RECONCILE_INTERVAL, config.reconcileInterval().toMillis() + "ms");
        all.put(Setting.TOMBSTONE_HORIZON, config.tombstoneHorizon().toMillis() + "ms");
        all.put(Setting.MAX_ATTRIBUTE_BYTES, String.valueOf(config.maxAttributeBytes()));
        all.put(Setting.MAX_WAITING_REQUESTS, String.valueOf(config.maxWaitingRequests()));
        all.put(Setting.HEALTH_PORT, String.valueOf(config.healthPort()));
        all.putAll(config.rehearsal().asText());
        all.putAll(config.secrets().asText());
        all.putAll(config.tls().asText());
        all.putAll(config.discovery().asText());
        all.putAll(config.retention().asText());
        all.putAll(config.memory().asText());
        return all;
    }

    static List<String> differences(UnderstudyConfig expected, UnderstudyConfig given) {
        Map<Setting, String> others = asText(given);
        return asText(expected).entrySet().stream()
                .filter(setting -> !setting.getValue().equals(others.get(setting.getKey())))
                .map(setting -> difference(
                        setting.getKey(), setting.getValue(), Objects.requireNonNull(others.get(setting.getKey()))))
                .toList();
    }

    private static String difference(Setting setting, String expected, String given) {
        return SECRET.contains(setting)
                ? setting.key() + " = another value (not shown)"
                : setting.key() + " = '" + expected + "', got '" + given + "'";
    }
}
