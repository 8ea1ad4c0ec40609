package io.understudy.springboot;

import io.understudy.config.ConfigException;
import io.understudy.config.DidYouMean;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import java.io.File;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.boot.system.ApplicationTemp;
import org.springframework.core.env.Environment;

/**
 * Settings as properties of an application: {@code clusterName} is {@code understudy.cluster-name}, in all forms in which
 * Spring Boot reads that. What is not given has its default, but for what the application's own properties say:
 *
 * <ul>
 *   <li>{@code clusterName} is {@code spring.application.name}, as otherwise all applications with the context path {@code /}
 *       on one network would share their sessions;
 *   <li>{@code keepSessions} is {@code on} if {@code server.servlet.session.persistent} is true, as it is under Spring Boot's
 *       developer tools, in the directory that Spring Boot would use or one beside it.
 * </ul>
 */
final class PropertySettings {

    /** Of all properties. */
    static final String PREFIX = "understudy";

    private static final Logger LOG = System.getLogger(PropertySettings.class.getName());

    /** Those that {@code off} disables, and that are not off by default. */
    private static final Set<Setting> SWITCHED_OFF = EnumSet.of(Setting.TAKE_OVER_REHEARSAL, Setting.WARM_UP);

    private final Environment environment;
    private final Binder binder;

    /** @param environment of an application that {@code SpringApplication} started */
    PropertySettings(Environment environment) {
        this.environment = environment;
        this.binder = ServiceVariables.binder(environment);
    }

    /** The property that gives a setting, as {@code understudy.cluster-name}. */
    static String property(Setting setting) {
        return PREFIX + "." + setting.key().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** @throws ConfigException if a property is unknown or its value malformed */
    UnderstudyConfig read() {
        PropertyNames.check(environment);
        Map<Setting, String> given = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String value = value(setting);
            if (value != null) {
                given.put(setting, value);
            }
        }
        nameCluster(given);
        keepSessions(given);
        UnderstudyConfig.Builder builder = UnderstudyConfig.builder();
        given.forEach(builder::set);
        return builder.build();
    }

    private @Nullable String value(Setting setting) {
        String value = binder.bind(property(setting), String.class).orElse(null);
        if (value == null) {
            // A list in YAML: the text of the property itself is nowhere.
            List<String> values = binder.bind(property(setting), Bindable.listOf(String.class))
                    .orElse(List.of());
            return values.isEmpty() ? null : String.join(setting == Setting.ATTRIBUTE_FILTER ? ";" : ",", values);
        }
        return isSwitch(setting) ? switched(value) : value;
    }

    private static boolean isSwitch(Setting setting) {
        return setting.defaultValue().equals("off") || SWITCHED_OFF.contains(setting);
    }

    /** In YAML {@code on} and {@code off} are truth values, which come as these. */
    private static String switched(String value) {
        return switch (value) {
            case "true" -> "on";
            case "false" -> "off";
            default -> value;
        };
    }

    private void nameCluster(Map<Setting, String> given) {
        if (given.containsKey(Setting.CLUSTER_NAME)) {
            return;
        }
        String name = environment.getProperty("spring.application.name", "").trim();
        if (name.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "the cluster is ''{0}'' by default: applications with this cluster name and the same context "
                            + "path share their sessions; set spring.application.name or {1}",
                    Setting.CLUSTER_NAME.defaultValue(),
                    property(Setting.CLUSTER_NAME));
        } else {
            given.put(Setting.CLUSTER_NAME, name);
        }
    }

    private void keepSessions(Map<Setting, String> given) {
        if (!given.containsKey(Setting.KEEP_SESSIONS)
                && environment.getProperty("server.servlet.session.persistent", Boolean.class, false)) {
            given.put(Setting.KEEP_SESSIONS, "on");
            given.computeIfAbsent(
                    Setting.KEEP_DIRECTORY, setting -> storeDirectory().getPath());
        }
    }

    private File storeDirectory() {
        String configured = environment.getProperty("server.servlet.session.store-dir", "");
        if (configured.isEmpty()) {
            return new ApplicationTemp().getDir("understudy-sessions");
        }
        File directory = new File(configured);
        return directory.isAbsolute() ? directory : new File(new ApplicationHome().getDir(), configured);
    }

    /** The setting whose property is nearest to a word. */
    static Setting nearest(String word) {
        Setting[] settings = Setting.values();
        String[] keys = new String[settings.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = settings[i].key();
        }
        return Setting.named(DidYouMean.to(word, keys));
    }
}
