package io.understudy.demo.launcher.node;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of a node process, as {@code key=value}.
 *
 * @param container {@code jetty} or {@code tomcat}
 * @param work a directory of its own, for what the container unpacks
 * @param settings of Understudy
 */
public record NodeArguments(
        String name, String container, int httpPort, Path war, Path work, Map<String, String> settings) {

    private static final String SETTING_PREFIX = "understudy.";

    public NodeArguments {
        settings = Map.copyOf(settings);
    }

    /** The arguments that {@link #parse} reads back. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add("name=" + name);
        arguments.add("container=" + container);
        arguments.add("httpPort=" + httpPort);
        arguments.add("war=" + war);
        arguments.add("work=" + work);
        settings.forEach((key, value) -> arguments.add(SETTING_PREFIX + key + "=" + value));
        return arguments;
    }

    static NodeArguments parse(String... arguments) {
        Map<String, String> own = new LinkedHashMap<>();
        Map<String, String> settings = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("expected key=value, was '" + argument + "'");
            }
            String key = argument.substring(0, equals);
            String value = argument.substring(equals + 1);
            if (key.startsWith(SETTING_PREFIX)) {
                settings.put(key.substring(SETTING_PREFIX.length()), value);
            } else {
                own.put(key, value);
            }
        }
        return new NodeArguments(
                required(own, "name"),
                required(own, "container"),
                Integer.parseInt(required(own, "httpPort")),
                Path.of(required(own, "war")),
                Path.of(required(own, "work")),
                settings);
    }

    UnderstudyConfig config() {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(Setting.NODE_NAME.key(), name);
        return UnderstudyConfig.fromProperties(all);
    }

    private static String required(Map<String, String> own, String key) {
        String value = own.get(key);
        if (value == null) {
            throw new IllegalArgumentException("argument '" + key + "' is missing, given were " + own.keySet());
        }
        return value;
    }
}
