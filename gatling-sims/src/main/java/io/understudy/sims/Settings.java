package io.understudy.sims;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * What a simulation is told: each component is the system property {@code sim.<name>}, or {@code <name>=<value>} at
 * {@link Run}.
 *
 * @param sessions how many clients there are, each with a session of its own
 * @param rate how many writes per second they make together
 * @param seconds half the time they write, not counting what happens in the middle
 * @param kills how many times a node is killed and started again, one after the other
 * @param absent how long a killed node stays away, in seconds; by default well above the time failure detection takes
 * @param coherence whether responses of the demo cluster wait for acknowledgements
 * @param transport of the demo cluster
 * @param door where the front door and the launcher's page of a running demo are; empty starts one
 * @param token what the launcher of that demo printed
 */
record Settings(
        int sessions,
        int rate,
        int seconds,
        int kills,
        int absent,
        String coherence,
        String transport,
        URI door,
        String token) {

    private static final String PREFIX = "sim.";

    /** Each setting with its default. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "sessions", "1000",
            "rate", "250",
            "seconds", "20",
            "kills", "1",
            "absent", "10",
            "coherence", "coherent",
            "transport", "tcp",
            "door", "",
            "token", "");

    /** How long no client and no outage may need more than it was asked to, for each kill and once more; seconds. */
    private static final long GRACE_SECONDS = 180;

    private static final URI NO_DOOR = URI.create("");

    /**
     * Reads the properties that begin with {@code sim.}; the others are not looked at.
     *
     * @throws IllegalArgumentException naming the setting, its value and what is valid
     */
    static Settings from(Properties properties) {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                known(name.substring(PREFIX.length()));
            }
        }
        return new Settings(
                number(properties, "sessions", 1, 100_000),
                number(properties, "rate", 1, 100_000),
                number(properties, "seconds", 1, 3_600),
                number(properties, "kills", 0, 1_000),
                number(properties, "absent", 0, 3_600),
                choice(properties, "coherence", "coherent", "incoherent"),
                choice(properties, "transport", "tcp", "udp"),
                address(properties, "door"),
                text(properties, "token"));
    }

    /**
     * Splits {@code name=value} and returns it as a system property and its value.
     *
     * @throws IllegalArgumentException if it has another form or names no setting
     */
    static Map.Entry<String, String> property(String argument) {
        int equals = argument.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("'" + argument + "' must be <setting>=<value>; settings are " + names());
        }
        return Map.entry(PREFIX + known(argument.substring(0, equals)), argument.substring(equals + 1));
    }

    /** As {@code -D} options for a JVM. */
    List<String> toOptions() {
        return Map.of(
                        "sessions", sessions,
                        "rate", rate,
                        "seconds", seconds,
                        "kills", kills,
                        "absent", absent,
                        "coherence", coherence,
                        "transport", transport,
                        "door", door,
                        "token", token)
                .entrySet()
                .stream()
                .map(entry -> "-D" + PREFIX + entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    /** The same for a demo that runs. */
    Settings at(DemoProcess.Ready demo) {
        return new Settings(sessions, rate, seconds, kills, absent, coherence, transport, demo.door(), demo.token());
    }

    /** Whether there is a demo to use. */
    boolean runsAlready() {
        return !door.equals(NO_DOOR);
    }

    boolean coherent() {
        return coherence.equals("coherent");
    }

    /** The pause from one write of a client to its next, in milliseconds. */
    long paceMillis() {
        return Math.max(1, 1_000L * sessions / rate);
    }

    /** How long it takes until all clients have begun, in seconds: gently, so that starting is not what is measured. */
    int rampSeconds() {
        return Math.max(1, Math.min(120, sessions / 100));
    }

    /** When a simulation is ended although it is not done, in seconds. */
    long longestSeconds() {
        return rampSeconds() + 2L * seconds + (kills + 1L) * (absent + GRACE_SECONDS);
    }

    private static String known(String name) {
        if (!DEFAULTS.containsKey(name)) {
            throw new IllegalArgumentException("unknown setting '" + name + "'; settings are " + names());
        }
        return name;
    }

    private static String names() {
        return DEFAULTS.keySet().stream().sorted().collect(Collectors.joining(", "));
    }

    private static String text(Properties properties, String name) {
        return properties.getProperty(PREFIX + name, DEFAULTS.get(name)).trim();
    }

    private static int number(Properties properties, String name, int min, int max) {
        try {
            int value = Integer.parseInt(text(properties, name));
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message for every wrong number.
        }
        throw wrong(properties, name, "a whole number from " + min + " to " + max);
    }

    private static String choice(Properties properties, String name, String... choices) {
        String text = text(properties, name);
        if (!Arrays.asList(choices).contains(text)) {
            throw wrong(properties, name, "one of " + String.join(", ", choices));
        }
        return text;
    }

    private static URI address(Properties properties, String name) {
        try {
            URI uri = URI.create(text(properties, name).replaceFirst("/$", ""));
            if (uri.equals(NO_DOOR)) {
                return uri;
            }
            if ("http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawPath().isEmpty()) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // Falls through to the one message for every wrong address.
        }
        throw wrong(properties, name, "http://<host>:<port>");
    }

    private static IllegalArgumentException wrong(Properties properties, String name, String rule) {
        return new IllegalArgumentException("setting '" + name + "' must be " + rule + ", was '"
                + text(properties, name) + "'; the default is '" + DEFAULTS.get(name) + "'");
    }
}
