package io.understudy.springboot;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Environment variables that Kubernetes sets for each service of a namespace: beside a service {@code understudy-health}
 * {@code UNDERSTUDY_HEALTH_PORT} is {@code tcp://10.96.3.4:8091} in each container, which nobody gave as the setting.
 */
final class ServiceVariables {

    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private ServiceVariables() {}

    /** Whether the variables of the machine are this source. */
    static boolean hold(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    /** Whether the source has the address of a service under this name, which is no setting then. */
    static boolean isOne(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty property = hold(source) ? source.getConfigurationProperty(name) : null;
        return property != null
                && ADDRESS.matcher(String.valueOf(property.getValue())).matches();
    }

    /** What binds the other properties. */
    static Binder binder(Environment environment) {
        List<ConfigurationPropertySource> sources = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .map(source -> hold(source) ? source.filter(name -> !isOne(source, name)) : source)
                .toList();
        return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
    }
}
