package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people read is plain English. */
@Tag("cluster")
final class ProseTest {

    @Test
    void textsAreInPlainEnglish() {
        List<String> findings = findings();
        assertTrue(findings.isEmpty(), () -> findings.size() + " findings:\n" + String.join("\n", findings));
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
        assertEquals(
                List.of(),
                Prose.findings(
                        "text",
                        Javadoc.pieces("/** Fine. <pre>\n * a\n *\n * told\n * </pre> */\npublic class Any {}")),
                "what is preformatted is no prose, with an empty line in it, either");
    }

    /** Those of all Markdown files, of the javadoc of all modules, and of the texts in the code. */
    private static List<String> findings() {
        List<String> found = new ArrayList<>();
        for (String name : Documents.markdown()) {
            found.addAll(Prose.findings(name, new Markdown(Documents.lines(name))));
        }
        for (String source : Documents.mainSources()) {
            found.addAll(Prose.findings(source, Javadoc.pieces(Documents.text(source))));
        }
        for (Setting setting : Setting.values()) {
            found.addAll(text("setting " + setting.key(), setting.description()));
        }
        for (Counter counter : Counter.values()) {
            found.addAll(text("metric " + counter.key(), counter.description()));
        }
        return found;
    }

    private static List<String> text(String name, String description) {
        return Prose.findings(name, List.of(new Markdown.Piece(1, description)));
    }
}
