package io.understudy.springboot;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Finds properties below {@code understudy} that nothing reads. An environment variable of that kind is only told in a
 * warning: {@code UNDERSTUDY_SERVICE_HOST} and its like are set in every container beside a service of that name.
 */
final class PropertyNames {

    private static final Logger LOG = System.getLogger(PropertyNames.class.getName());
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(PropertySettings.PREFIX);

    /** Without dashes and in lower case, as Spring Boot compares them. */
    private static final Set<String> KNOWN = Stream.concat(
                    Arrays.stream(Setting.values()).map(setting -> setting.key().toLowerCase(Locale.ROOT)),
                    Stream.of("enabled"))
            .collect(Collectors.toUnmodifiableSet());

    private PropertyNames() {}

    /** @throws ConfigException naming the properties that are not known, each with the nearest that is */
    static void check(Environment environment) {
        Set<String> unknown = new TreeSet<>();
        Set<String> variables = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                boolean machine = ServiceVariables.hold(source);
                names.stream()
                        .filter(name -> PREFIX.isAncestorOf(name)
                                && (!known(name, machine) || ServiceVariables.isOne(source, name)))
                        .forEach(name -> (machine ? variables : unknown).add(complaint(source, name)));
            }
        }
        if (!variables.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "environment variables that begin like settings of Understudy, but are none: {0}",
                    String.join("; ", variables));
        }
        if (!unknown.isEmpty()) {
            throw new ConfigException(String.join("; ", unknown));
        }
    }

    private static boolean known(ConfigurationPropertyName name, boolean machine) {
        int length = name.getNumberOfElements() - (name.isLastElementIndexed() ? 1 : 0);
        // UNDERSTUDY_BIND_PORT is read as understudy.bind.port; elsewhere a dot is none of a setting's.
        return (machine || length == 2) && KNOWN.contains(word(name, length));
    }

    private static String word(ConfigurationPropertyName name, int length) {
        StringBuilder word = new StringBuilder();
        for (int i = PREFIX.getNumberOfElements(); i < length; i++) {
            word.append(name.getElement(i, Form.UNIFORM));
        }
        return word.toString();
    }

    private static String complaint(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        if (ServiceVariables.isOne(source, name)) {
            return "'" + name + "'" + origin(source.getConfigurationProperty(name)) + " is the address of a service";
        }
        Setting nearest = PropertySettings.nearest(word(name, name.getNumberOfElements()));
        return "unknown setting '" + name + "'" + origin(source.getConfigurationProperty(name)) + "; did you mean '"
                + PropertySettings.property(nearest) + "' (" + nearest.key() + ")?";
    }

    private static String origin(@Nullable ConfigurationProperty property) {
        return property == null || property.getOrigin() == null ? "" : " in " + property.getOrigin();
    }
}
