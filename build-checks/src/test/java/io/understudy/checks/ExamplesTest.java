package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java in these pages is what a test runs. */
@Tag("cluster")
class ExamplesTest {

    private static final Path ROOT = Path.of("..");

    @ParameterizedTest
    @CsvSource({
        "session-testkit/README.md, session-tests/src/test/java/io/understudy/testkit/KitExamplesTest.java",
        "docs/guide/fail-over-tests.md, understudy-junit/src/test/java/io/understudy/junit/GuideExampleIT.java",
    })
    void examplesAreWhatATestRuns(String readme, String test) throws IOException {
        String code = squeezed(Files.readAllLines(ROOT.resolve(test)));
        List<String> examples = examples(Files.readAllLines(ROOT.resolve(readme)));
        assertTrue(examples.size() > 1, () -> readme + " has examples");
        assertEquals(
                List.of(),
                examples.stream().filter(example -> !code.contains(example)).toList(),
                () -> "in " + readme + ", but not in " + test);
    }

    private static List<String> examples(List<String> lines) {
        List<String> examples = new ArrayList<>();
        List<String> open = null;
        for (String line : lines) {
            if (line.equals("```java")) {
                open = new ArrayList<>();
            } else if (line.equals("```") && open != null) {
                examples.add(squeezed(open));
                open = null;
            } else if (open != null) {
                open.add(line);
            }
        }
        return examples;
    }

    /** Without what differs by indentation only. */
    private static String squeezed(List<String> lines) {
        return lines.stream().map(String::strip).collect(Collectors.joining("\n"));
    }
}
