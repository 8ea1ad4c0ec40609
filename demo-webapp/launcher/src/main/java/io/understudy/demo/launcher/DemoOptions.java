package io.understudy.demo.launcher;

import io.understudy.config.ConfigException;
import io.understudy.config.DidYouMean;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the launcher was asked for.
 *
 * @param ports the first port of each option, {@code 0} for any
 * @param settings of Understudy, given to every node
 */
record DemoOptions(Map<Option, Integer> ports, Map<String, String> settings) {

    private static final int MAX_PORT = 65_535;

    /**
     * Reads {@code --name=value} or {@code name=value}.
     *
     * @throws ConfigException naming the option, its value and a valid one
     */
    static DemoOptions parse(String... arguments) {
        Map<Option, Integer> ports = new EnumMap<>(Option.class);
        for (Option option : Option.values()) {
            ports.put(option, option.defaultPort());
        }
        Map<String, String> settings = new LinkedHashMap<>();
        for (String argument : arguments) {
            String text = argument.startsWith("--") ? argument.substring(2) : argument;
            int equals = text.indexOf('=');
            String key = equals < 0 ? text : text.substring(0, equals);
            Option option = Option.named(key);
            if (option == null
                    && Option.settings().stream().noneMatch(it -> it.key().equals(key))) {
                throw new ConfigException(
                        "unknown option '" + key + "'; did you mean '" + DidYouMean.to(key, Option.keys()) + "'?");
            }
            if (equals < 0) {
                throw new ConfigException("option '" + key + "' needs a value: --" + key + "=...");
            }
            String value = text.substring(equals + 1);
            if (option == null) {
                settings.put(key, value);
            } else {
                ports.put(option, port(option, value));
            }
        }
        // The nodes would fail on a malformed one as well, but three times and later.
        UnderstudyConfig.fromProperties(settings);
        return new DemoOptions(ports, settings);
    }

    int port(Option option) {
        return ports.getOrDefault(option, option.defaultPort());
    }

    String setting(Setting setting) {
        return settings.getOrDefault(setting.key(), setting.defaultValue());
    }

    private static int port(Option option, String value) {
        int last = MAX_PORT - option.count() + 1;
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= last) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message for every wrong port.
        }
        throw new ConfigException("option '" + option.key() + "' must be a port from 1 to " + last
                + ", or 0 for any, was '" + value + "'; the default is " + option.defaultPort());
    }
}
