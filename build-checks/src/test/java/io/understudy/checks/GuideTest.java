package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the README and the guide quote is in the code: messages, metrics and settings. Commands with one name are one command. */
@Tag("cluster")
final class GuideTest {

    private static final String IN_THE_LOG = "In the log";
    private static final String METRICS = "docs/guide/metrics.md";
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern METRIC = Pattern.compile("[a-z]+(_[a-z]+)+");
    private static final Pattern CONCATENATED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern JVM = Pattern.compile("(ClassNotFoundException|NoClassDefFoundError): (\\S+)[./]");
    private static final Pattern DOTS = Pattern.compile("\\s*\\.\\.\\.\\s*");
    private static final Pattern XML_SETTING = Pattern.compile("\\b(\\w+)=\"");

    private static Stream<Markdown.Block> blocks(String language) {
        return Documents.guide().stream()
                .flatMap(name -> new Markdown(Documents.lines(name)).blocks().stream())
                .filter(block -> block.language().equals(language));
    }

    /** The sources, with each literal in one piece and as it is logged. */
    private static List<String> sources() {
        return Documents.mainSources().stream()
                .map(name -> CONCATENATED.matcher(Documents.text(name)).replaceAll(""))
                .map(text -> text.replace("''", "'").replace("\\\"", "\""))
                .toList();
    }

    @Test
    void messagesAreInTheCode() {
        List<String> sources = sources();
        List<String> messages = new ArrayList<>();
        for (String name : Documents.guide()) {
            boolean quotes = false;
            for (String line : Documents.lines(name)) {
                List<String> cells = Markdown.cells(line);
                quotes = !cells.isEmpty() && (quotes || cells.get(0).equals(IN_THE_LOG));
                if (quotes) {
                    CODE.matcher(cells.get(0)).results().forEach(each -> messages.add(each.group(1)));
                }
            }
        }
        assertTrue(messages.size() > 30, () -> "only " + messages);
        assertEquals(
                List.of(),
                messages.stream()
                        .filter(message -> sources.stream().noneMatch(source -> has(source, message)))
                        .toList(),
                "no source has these");
    }

    /** Whether a source has all parts of a message in their order, or the package that the JVM does not find. */
    private static boolean has(String source, String message) {
        var jvm = JVM.matcher(message);
        if (jvm.matches()) {
            return source.contains("import " + jvm.group(2).replace('/', '.') + ".");
        }
        int at = 0;
        for (String part : DOTS.split(message, -1)) {
            int found = source.indexOf(part, at);
            if (found < 0) {
                return false;
            }
            at = found + part.length();
        }
        return true;
    }

    @Test
    void metricsAreInTheCode() {
        List<String> sources = sources();
        TreeSet<String> unknown = new TreeSet<>();
        for (String name : Documents.guide()) {
            CODE.matcher(Documents.text(name))
                    .results()
                    .map(each -> each.group(1))
                    .filter(each -> METRIC.matcher(each).matches())
                    .filter(each -> Arrays.stream(Counter.values())
                            .noneMatch(counter -> counter.key().equals(each)))
                    .filter(each -> sources.stream()
                            .noneMatch(source ->
                                    source.contains("\"" + each + "\"") || source.contains("understudy_" + each)))
                    .forEach(each -> unknown.add(each + " in " + name));
        }
        assertEquals(new TreeSet<>(), unknown);
    }

    @Test
    void countersAreInTheGuide() {
        String expected = Arrays.stream(Counter.values())
                .map(counter -> "| `" + counter.key() + "` | " + counter.description() + " |")
                .collect(Collectors.joining("\n"));
        String text = Documents.text(METRICS);
        assertTrue(text.contains(expected), () -> "the counters in " + METRICS + " have to be\n" + expected);
    }

    @Test
    void settingsInExamplesAreInTheCode() {
        List<String> names = new ArrayList<>();
        blocks("properties")
                .flatMap(block -> block.lines().stream())
                .filter(line -> !line.startsWith("#") && line.contains("="))
                .map(line -> line.substring(0, line.indexOf('=')))
                .forEach(names::add);
        blocks("xml")
                .flatMap(block -> block.lines().stream())
                .filter(line -> !line.contains("<dependency"))
                .flatMap(line -> XML_SETTING.matcher(line).results().map(each -> each.group(1)))
                .filter(name -> !name.equals("className"))
                .forEach(names::add);
        assertTrue(names.size() > 20, () -> "only " + names);
        List<String> settings =
                Arrays.stream(Setting.values()).map(Setting::key).toList();
        assertEquals(
                List.of(),
                names.stream()
                        .filter(name -> !settings.contains(inCamelCase(name.replaceFirst("^understudy\\.", ""))))
                        .toList());
    }

    private static String inCamelCase(String kebab) {
        return Pattern.compile("-([a-z])")
                .matcher(kebab)
                .replaceAll(each -> each.group(1).toUpperCase(Locale.ROOT));
    }

    @Test
    void commandsWithOneNameAreOne() {
        Map<String, List<String>> commands = new HashMap<>();
        blocks("bash").forEach(block -> {
            assertTrue(
                    block.comment().matches("<!-- ci: [a-z]+ -->"),
                    () -> "no name above the command in line " + block.line() + ": " + block.lines());
            List<String> before = commands.putIfAbsent(block.comment(), block.lines());
            assertEquals(before == null ? block.lines() : before, block.lines(), block.comment());
        });
        assertTrue(commands.size() >= 8, commands::toString);
    }
}
