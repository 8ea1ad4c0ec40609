package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What people read is plain English. Texts that are older than this check have as many findings as
 * {@code prose-baseline.txt} allows them: a number there may only fall, and what is not listed has none.
 */
@Tag("cluster")
final class ProseTest {

    @Test
    void noTextHasMoreFindingsThanAllowed() throws IOException {
        Map<String, Integer> allowed = baseline();
        Map<String, List<String>> found = findings();
        List<String> wrong = new ArrayList<>();
        found.forEach((text, findings) -> {
            int most = allowed.getOrDefault(text, 0);
            if (findings.size() > most) {
                wrong.add(text + " has " + findings.size() + " findings, allowed are " + most + ":\n  "
                        + String.join("\n  ", findings));
            }
        });
        assertTrue(
                wrong.isEmpty(),
                () -> String.join("\n", wrong) + "\n\nThe baseline of all texts would be\n" + lines(found));
    }

    @Test
    void theBaselineNamesTextsThatAreThere() throws IOException {
        Map<String, Integer> unknown = new TreeMap<>(baseline());
        unknown.keySet().removeAll(findings().keySet());
        assertEquals(Map.of(), unknown, "texts without a finding have no line in prose-baseline.txt");
    }

    @Test
    void theReadmeIsShort() {
        List<String> lines = Documents.lines("README.md");
        long words = lines.stream()
                .flatMap(line -> Arrays.stream(line.strip().split("\\s+")))
                .filter(word -> !word.isEmpty())
                .count();
        assertTrue(lines.size() <= 130, () -> "README.md has " + lines.size() + " lines, more than 130");
        assertTrue(words <= 1200, () -> "README.md has " + words + " words, more than 1200");
    }

    @Test
    void eachHabitIsFound() {
        List<String> sentences = List.of(
                "Who is asked answers.",
                "It depends on the view of who comes next.",
                "Of a session that ended nobody is asked.",
                "The node is told of the change.",
                "The name is to be the same.",
                "It was refused.",
                "A" + " a".repeat(35) + ".");
        for (String sentence : sentences) {
            assertEquals(
                    1,
                    Prose.findings("text", new Markdown(List.of("Fine. " + sentence)))
                            .size(),
                    sentence);
        }
        assertEquals(
                List.of("text:3: wider than 120 columns"),
                Prose.findings(
                        "text", new Markdown(List.of("# A title", "", "long ".repeat(25), "", "| a | `told` |"))));
        assertEquals(
                List.of("text:1: 'says': announce, report, receive, query, log: Nothing says so."),
                Prose.findings("text", Javadoc.pieces("/** Nothing says so. */\npublic class Any {}")));
    }

    /** By what they are in: a Markdown file, the javadoc of a module, or a list of texts in the code. */
    private static Map<String, List<String>> findings() {
        Map<String, List<String>> found = new TreeMap<>();
        for (String name : Documents.markdown()) {
            add(found, name, Prose.findings(name, new Markdown(Documents.lines(name))));
        }
        for (String source : Documents.mainSources()) {
            String module = source.substring(0, source.indexOf("/src/main/"));
            add(found, "javadoc of " + module, Prose.findings(source, Javadoc.pieces(Documents.text(source))));
        }
        for (Setting setting : Setting.values()) {
            add(found, "settings", text(setting.key(), setting.description()));
        }
        for (Counter counter : Counter.values()) {
            add(found, "metrics", text(counter.key(), counter.description()));
        }
        return found;
    }

    private static List<String> text(String name, String description) {
        return Prose.findings(name, List.of(new Markdown.Piece(1, description)));
    }

    private static void add(Map<String, List<String>> found, String text, List<String> findings) {
        if (!findings.isEmpty()) {
            found.computeIfAbsent(text, unused -> new ArrayList<>()).addAll(findings);
        }
    }

    private static Map<String, Integer> baseline() throws IOException {
        Map<String, Integer> allowed = new HashMap<>();
        try (var file = ProseTest.class.getResourceAsStream("/prose-baseline.txt")) {
            new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> allowed.put(
                            line.substring(line.indexOf(' ') + 1),
                            Integer.parseInt(line.substring(0, line.indexOf(' ')))));
        }
        return allowed;
    }

    private static String lines(Map<String, List<String>> found) {
        return found.entrySet().stream()
                .map(each -> each.getValue().size() + " " + each.getKey())
                .collect(Collectors.joining("\n"));
    }
}
