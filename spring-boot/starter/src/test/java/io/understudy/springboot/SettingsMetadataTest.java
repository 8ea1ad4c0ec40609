package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Editors complete and explain the properties, in the words of the code. */
@Tag("rules")
final class SettingsMetadataTest {

    private static final String FILE = "META-INF/spring-configuration-metadata.json";

    /** What is different with Spring Boot. */
    private static final Map<Setting, String> ALSO = Map.of(
            Setting.CLUSTER_NAME, " By default spring.application.name, if that is set.",
            Setting.KEEP_SESSIONS, " By default on if server.servlet.session.persistent is true.");

    @Test
    void theMetadataHasEverySettingWithItsDefaultAndMeaning() throws IOException {
        try (InputStream file = SettingsMetadataTest.class.getClassLoader().getResourceAsStream(FILE)) {
            String text = file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(
                    metadata(),
                    text,
                    () -> "src/main/resources/" + FILE + " has not the settings of the code; it is to be\n"
                            + metadata());
        }
    }

    private static String metadata() {
        return """
                {
                  "groups": [
                    {
                      "name": "understudy",
                      "type": "io.understudy.config.UnderstudyConfig"
                    }
                  ],
                  "properties": [
                %s
                  ]
                }
                """.formatted(Stream.concat(
                        Stream.of(property(
                                "understudy.enabled",
                                "java.lang.Boolean",
                                "Whether the sessions of the embedded server are replicated.",
                                "true")),
                        Arrays.stream(Setting.values()).map(SettingsMetadataTest::property))
                .collect(Collectors.joining(",\n")));
    }

    private static String property(Setting setting) {
        boolean number = setting.defaultValue().matches("-?\\d+");
        return property(
                PropertySettings.property(setting),
                number ? "java.lang.Integer" : "java.lang.String",
                setting.description().replace("`", "") + ALSO.getOrDefault(setting, ""),
                number || setting.defaultValue().isEmpty()
                        ? setting.defaultValue()
                        : '"' + setting.defaultValue() + '"');
    }

    private static String property(String name, String type, String description, String value) {
        return """
                    {
                      "name": "%s",
                      "type": "%s",
                      "description": "%s"%s
                    }""".formatted(
                        name,
                        type,
                        description.replace("\\", "\\\\").replace("\"", "\\\""),
                        value.isEmpty() ? "" : ",\n  \"defaultValue\": " + value)
                .indent(4)
                .stripTrailing();
    }
}
