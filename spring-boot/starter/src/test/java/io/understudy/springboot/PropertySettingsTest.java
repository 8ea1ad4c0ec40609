package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.OnNotReplicable;
import io.understudy.config.session.Toggle;
import io.understudy.testkit.LogLines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** What an application writes into its properties, and what the node gets of it. */
@Tag("cluster")
final class PropertySettingsTest {

    @Test
    void aSettingIsAPropertyWithDashes() {
        assertEquals("understudy.max-attribute-bytes", PropertySettings.property(Setting.MAX_ATTRIBUTE_BYTES));
        assertEquals("understudy.hosts", PropertySettings.property(Setting.HOSTS));
    }

    @Test
    void allFormsThatSpringBootReadsAreRead() {
        UnderstudyConfig config = read(properties(Map.of(
                "understudy.cluster-name", "${team}-shop",
                "team", "blue",
                "understudy.nodeName", "a",
                "understudy.ack_timeout", "9s",
                "understudy.on-not-replicable", "fail",
                "understudy.BINDPORT", "7900")));
        assertEquals("blue-shop", config.clusterName());
        assertEquals("a", config.nodeName());
        assertEquals(Duration.ofSeconds(9), config.ackTimeout());
        assertEquals(OnNotReplicable.FAIL, config.application().onNotReplicable());
        assertEquals(7900, config.bindPort());
    }

    @Test
    void environmentVariablesAreReadInBothForms() {
        UnderstudyConfig config =
                read(variables(Map.of("UNDERSTUDY_CLUSTERNAME", "shop", "UNDERSTUDY_BIND_PORT", "7900")));
        assertEquals("shop", config.clusterName());
        assertEquals(7900, config.bindPort());
    }

    @Test
    void yamlHasListsAndItsOwnNotionOfOn() throws Exception {
        UnderstudyConfig config = read(yaml("""
                understudy:
                  cluster-name: shop
                  session-lock: on
                  keep-sessions: off
                  take-over-rehearsal: off
                  health-port: 0
                  hosts:
                    - 127.0.0.1:7800
                    - 127.0.0.1:7900
                """));
        assertEquals(Toggle.ON, config.application().lock().sessionLock());
        assertEquals(Toggle.OFF, config.retention().keepSessions());
        assertEquals(0, config.rehearsal().percent());
        assertEquals(0, config.healthPort());
        assertEquals(
                List.of(
                        new UnderstudyConfig.HostPort("127.0.0.1", 7800),
                        new UnderstudyConfig.HostPort("127.0.0.1", 7900)),
                config.hosts());
    }

    /** YAML reads {@code off} as false. */
    @Test
    void yamlDisablesWhatCanBeDisabled() throws Exception {
        for (Setting setting : Setting.values()) {
            if (accepts(setting, "off")) {
                PropertySource<?> off = yaml("understudy:\n  " + setting.key() + ": off\n");
                assertDoesNotThrow(() -> read(off), setting.key());
            }
        }
    }

    private static boolean accepts(Setting setting, String value) {
        try {
            UnderstudyConfig.builder().set(setting, value).build();
            return true;
        } catch (ConfigException e) {
            return false;
        }
    }

    /** Of a Kubernetes service {@code understudy-health}. */
    @Test
    void theAddressOfAServiceIsNoSetting() {
        try (LogLines log = new LogLines(PropertyNames.class.getName())) {
            UnderstudyConfig config = read(
                    variables(Map.of("UNDERSTUDY_HEALTH_PORT", "tcp://10.96.3.4:8091", "UNDERSTUDY_BIND_PORT", "7900")),
                    properties(Map.of("understudy.health-port", "8092")));
            assertEquals(8092, config.healthPort());
            assertEquals(7900, config.bindPort());
            assertEquals(1, log.with("WARNING", "is the address of a service").size());
        }
    }

    @Test
    void whatNothingReadsIsRefusedWithTheNearestSetting() {
        Map<String, Object> given =
                Map.of("understudy.bind-prot", "7900", "understudy.cluster.name", "shop", "understudy.enabled", "true");
        String message = assertThrows(ConfigException.class, () -> read(properties(given)))
                .getMessage();
        assertTrue(
                message.contains("unknown setting 'understudy.bind-prot'")
                        && message.contains("did you mean 'understudy.bind-port' (bindPort)?"),
                message);
        assertTrue(message.contains("did you mean 'understudy.cluster-name' (clusterName)?"), message);
    }

    @Test
    void aMalformedValueIsRefused() {
        String message = assertThrows(
                        ConfigException.class, () -> read(properties(Map.of("understudy.ack-timeout", "soon"))))
                .getMessage();
        assertTrue(message.startsWith("setting 'ackTimeout' must be a duration"), message);
    }

    @Test
    void variablesOfAServiceOfThatNameAreOnlyTold() {
        try (LogLines log = new LogLines(PropertyNames.class.getName())) {
            assertEquals(
                    "shop",
                    read(variables(Map.of(
                                    "UNDERSTUDY_SERVICE_HOST", "10.0.0.1",
                                    "UNDERSTUDY_PORT_80_TCP_ADDR", "10.0.0.1",
                                    "UNDERSTUDY_CLUSTER_NAME", "shop")))
                            .clusterName());
            assertEquals(1, log.with("WARNING", "understudy.service.host").size());
        }
    }

    @Test
    void theClusterIsNamedAsTheApplicationUnlessItHasANameOrNeitherHas() {
        assertEquals(
                "shop",
                read(properties(Map.of("spring.application.name", "shop"))).clusterName());
        assertEquals(
                "blue",
                read(properties(Map.of("spring.application.name", "shop", "understudy.cluster-name", "blue")))
                        .clusterName());
        try (LogLines log = new LogLines(PropertySettings.class.getName())) {
            assertEquals("understudy", read(properties(Map.of())).clusterName());
            assertEquals(1, log.with("WARNING", "understudy.cluster-name").size());
        }
    }

    @Test
    void persistentSessionsAreKept(@TempDir Path directory) {
        Map<String, Object> persistent = Map.of(
                "server.servlet.session.persistent", "true", "server.servlet.session.store-dir", directory.toString());
        UnderstudyConfig config = read(properties(persistent));
        assertEquals(Toggle.ON, config.retention().keepSessions());
        assertEquals(directory.toString(), config.retention().keepDirectory());
        config = read(properties(Map.of("understudy.keep-sessions", "off")), properties(persistent));
        assertEquals(Toggle.OFF, config.retention().keepSessions());
    }

    private static PropertySource<?> properties(Map<String, Object> given) {
        return new MapPropertySource("given-" + given.hashCode(), given);
    }

    private static PropertySource<?> variables(Map<String, Object> given) {
        return new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, given);
    }

    private static PropertySource<?> yaml(String text) throws Exception {
        return new YamlPropertySourceLoader()
                .load("application.yml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
                .get(0);
    }

    /** Of an environment with these sources alone, the first before the others. */
    private static UnderstudyConfig read(PropertySource<?>... sources) {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().stream()
                .map(PropertySource::getName)
                .toList()
                .forEach(environment.getPropertySources()::remove);
        for (PropertySource<?> source : sources) {
            environment.getPropertySources().addLast(source);
        }
        ConfigurationPropertySources.attach(environment);
        return new PropertySettings(environment).read();
    }
}
