package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guide has every setting once, in the words of the code, with a unit and an example that the code accepts. */
@Tag("cluster")
final class SettingsTableTest {

    private static final String GUIDE = "docs/guide/configuration.md";
    private static final String BEGIN = "<!-- settings: checked by SettingsTableTest -->\n";
    private static final String END = "<!-- end of settings -->";
    private static final List<String> GROUPS = List.of("## Essential", "## Frequent", "## Rare");
    private static final String HEAD = "| Setting | Unit | Default | Example | Meaning |";

    /** What the code answers to a value that is nothing at all, by the unit in the table. */
    private static final Map<String, String> REFUSALS = Map.of(
            "duration", "must be a duration",
            "port", "must be a whole number",
            "bytes", "must be a whole number",
            "requests", "must be a whole number",
            "bytes or %", "must be bytes",
            "% of a processor", "must be 'off', or a share of a processor",
            "choice", "must be (one of|')");

    private static final List<String> WITHOUT_CHECK = List.of(
            "text",
            "text or file",
            "name",
            "address",
            "addresses",
            "URL",
            "file",
            "directory",
            "header name",
            "cookie name",
            "paths",
            "class patterns");

    private static final Map<Setting, String> TLS = Map.of(
            Setting.TLS_KEY_STORE, "key.p12",
            Setting.TLS_KEY_STORE_PASSWORD, "changeit",
            Setting.TLS_TRUST_STORE, "trust.p12",
            Setting.TLS_TRUST_STORE_PASSWORD, "changeit");

    /** What a setting needs beside it. */
    private static final Map<Setting, Map<Setting, String>> BESIDE = Map.of(
            Setting.FORMER_SECRET, Map.of(Setting.SECRET, "0123456789abcdef"),
            Setting.VERSION_COOKIE, Map.of(Setting.VERSION_COOKIE_SECRET, "0123456789abcdef"),
            Setting.VERSION_COOKIE_SECRET, Map.of(Setting.VERSION_COOKIE, "UNDERSTUDY"),
            Setting.KEEP_SESSIONS, Map.of(Setting.KEEP_DIRECTORY, "sessions"),
            Setting.DISCOVERY_DATABASE_USER, Map.of(Setting.DISCOVERY_DATABASE, "jdbc:h2:mem:nodes"),
            Setting.DISCOVERY_DATABASE_PASSWORD, Map.of(Setting.DISCOVERY_DATABASE, "jdbc:h2:mem:nodes"));

    /** An example that only another machine could use is refused for that, and for nothing else. */
    private static final Pattern NOT_HERE = Pattern.compile(
            "names the file '[^']*', which can't be read|must be a network in which this machine has an address");

    private record Row(String group, String setting, String unit, String standard, String example, String meaning) {

        private String exampleText() {
            return example.substring(1, example.length() - 1);
        }

        private String unitAndExample() {
            return unit + " | " + standard + (standard.isEmpty() ? "" : " ") + "| " + example;
        }
    }

    private static List<Row> rows() {
        String text = Documents.text(GUIDE);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        assertTrue(
                begin >= 0 && end > begin, () -> GUIDE + " has no tables between '" + BEGIN.trim() + "' and '" + END);
        List<Row> rows = new ArrayList<>();
        String group = "";
        for (String line : text.substring(begin, end).lines().toList()) {
            List<String> cells = Markdown.cells(line);
            if (line.startsWith("## ")) {
                group = line;
            } else if (cells.size() == 5 && cells.get(0).startsWith("`")) {
                rows.add(new Row(group, cells.get(0), cells.get(1), cells.get(2), cells.get(3), cells.get(4)));
            } else if (!line.isBlank() && line.startsWith("|") && !line.equals(HEAD)) {
                assertEquals("|---|---|---|---|---|", line, GUIDE);
            }
        }
        return rows;
    }

    private static Row row(Setting setting) {
        List<Row> found = rows().stream()
                .filter(row -> row.setting().equals("`" + setting.key() + "`"))
                .toList();
        assertEquals(
                1,
                found.size(),
                () -> GUIDE + " has to have one row of " + setting.key() + ", in one of its groups:\n| `"
                        + setting.key() + "` | UNIT | " + standard(setting) + " | `EXAMPLE` | " + setting.description()
                        + " |");
        return found.get(0);
    }

    private static String standard(Setting setting) {
        return setting.defaultValue().isEmpty() ? "" : "`" + setting.defaultValue() + "`";
    }

    @ParameterizedTest
    @EnumSource
    void eachSettingIsInTheGuide(Setting setting) {
        Row row = row(setting);
        assertTrue(GROUPS.contains(row.group()), () -> setting.key() + " is in the group '" + row.group() + "'");
        String expected = "| " + row.setting() + " | " + row.unit() + " | " + standard(setting)
                + (standard(setting).isEmpty() ? "" : " ") + "| " + row.example() + " | " + setting.description()
                + " |";
        String actual = "| " + row.setting() + " | " + row.unitAndExample() + " | " + row.meaning() + " |";
        assertEquals(expected, actual, () -> "in " + GUIDE);
    }

    @Test
    void theGuideHasNoOtherSettings() {
        TreeSet<String> unknown =
                new TreeSet<>(rows().stream().map(Row::setting).toList());
        Arrays.stream(Setting.values()).forEach(setting -> unknown.remove("`" + setting.key() + "`"));
        assertEquals(new TreeSet<>(), unknown, GUIDE);
    }

    @ParameterizedTest
    @EnumSource
    void theUnitIsThatOfTheCode(Setting setting) {
        String unit = row(setting).unit();
        String refusal = REFUSALS.get(unit);
        if (refusal == null) {
            assertTrue(WITHOUT_CHECK.contains(unit), () -> "unit '" + unit + "' of " + setting.key());
        } else {
            String message = assertThrows(
                            ConfigException.class, () -> with(setting, "!").build())
                    .getMessage();
            assertTrue(
                    Pattern.compile("'" + setting.key() + "' " + refusal)
                            .matcher(message)
                            .find(),
                    () -> "unit '" + unit + "', but the code answers: " + message);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCodeAcceptsTheExample(Setting setting) {
        String example = row(setting).exampleText();
        try {
            with(setting, example).build();
        } catch (ConfigException e) {
            assertTrue(NOT_HERE.matcher(e.getMessage()).find(), () -> "'" + example + "': " + e.getMessage());
        }
    }

    private static UnderstudyConfig.Builder with(Setting setting, String value) {
        UnderstudyConfig.Builder builder = UnderstudyConfig.builder();
        Map<Setting, String> given = new EnumMap<>(Setting.class);
        given.putAll(TLS.containsKey(setting) ? TLS : BESIDE.getOrDefault(setting, Map.of()));
        given.put(setting, value);
        given.forEach(builder::set);
        return builder;
    }

    @Test
    void theSettingsOfOneApplicationAreNamed() {
        String text = Documents.text(GUIDE);
        String section = text.substring(text.indexOf("## Settings of one application"));
        String list = section.substring(section.indexOf("\n\n`"), section.indexOf(".\n\nOn Tomcat"));
        List<String> named = Pattern.compile("`(\\w+)`")
                .matcher(list)
                .results()
                .map((MatchResult each) -> each.group(1))
                .toList();
        for (Setting setting : Setting.values()) {
            assertEquals(isOfApplication(setting), named.contains(setting.key()), setting.key() + " in " + GUIDE);
        }
    }

    private static boolean isOfApplication(Setting setting) {
        try {
            UnderstudyConfig.defaults().application().with(setting.key(), setting.defaultValue());
            return true;
        } catch (ConfigException e) {
            return !e.getMessage().contains("belongs to the node");
        }
    }
}
