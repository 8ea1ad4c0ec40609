package io.understudy.demo.launcher;

import io.understudy.config.Setting;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The launcher's own options. What is not among them may be a setting of Understudy, for all nodes alike. */
enum Option {
    PORT("port", 8080, 1, "of the front door and the dashboard"),
    NODE_PORT("nodePort", 8081, 3, "of the three containers, this one and the next two"),
    HEALTH_PORT("healthPort", 8091, 3, "of the nodes' health, this one and the next two"),
    CLUSTER_PORT("clusterPort", 7800, 3, "the nodes talk to each other on, this one and the next two");

    /** Settings that are different on each node, or that the launcher decides. */
    private static final Set<Setting> OWN = EnumSet.of(
            Setting.NODE_NAME,
            Setting.BIND_ADDRESS,
            Setting.BIND_PORT,
            Setting.HOSTS,
            Setting.SECURITY,
            Setting.HEALTH_PORT);

    private final String key;
    private final int defaultPort;
    private final int count;
    private final String meaning;

    Option(String key, int defaultPort, int count, String meaning) {
        this.key = key;
        this.defaultPort = defaultPort;
        this.count = count;
        this.meaning = meaning;
    }

    String key() {
        return key;
    }

    int defaultPort() {
        return defaultPort;
    }

    /** How many ports in a row. */
    int count() {
        return count;
    }

    static @Nullable Option named(String key) {
        for (Option option : values()) {
            if (option.key.equals(key)) {
                return option;
            }
        }
        return null;
    }

    static List<Setting> settings() {
        return new ArrayList<>(EnumSet.complementOf(EnumSet.copyOf(OWN)));
    }

    /** All names that are understood. */
    static String[] keys() {
        List<String> keys = new ArrayList<>();
        for (Option option : values()) {
            keys.add(option.key);
        }
        settings().forEach(setting -> keys.add(setting.key()));
        return keys.toArray(String[]::new);
    }

    static String help() {
        StringBuilder help = new StringBuilder("Options, each as --name=value or name=value:\n");
        for (Option option : values()) {
            String meaning = "TCP port " + option.meaning + "; 0 is any";
            line(help, option.key, String.valueOf(option.defaultPort), meaning);
        }
        help.append("Settings of Understudy, for all nodes:\n");
        settings().forEach(setting -> line(help, setting.key(), setting.defaultValue(), setting.description()));
        return help.toString();
    }

    private static void line(StringBuilder help, String key, String defaultValue, String meaning) {
        help.append(String.format("  %-18s %s (%s)%n", key, meaning, defaultValue.isEmpty() ? "none" : defaultValue));
    }
}
