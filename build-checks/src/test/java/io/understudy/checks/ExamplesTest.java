package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java in these pages is what a test runs. */
@Tag("cluster")
class ExamplesTest {

    private static final Path ROOT = Path.of("..");
    private static final String PACKAGES = "session-tests/src/test/java/io/understudy/PackageExamplesTest.java";

    @ParameterizedTest
    @CsvSource({
        "session-testkit/README.md, session-tests/src/test/java/io/understudy/testkit/KitExamplesTest.java",
        "docs/guide/fail-over-tests.md, understudy-junit/src/test/java/io/understudy/junit/GuideExampleIT.java",
        "docs/guide/write-an-adapter.md, session-contract/src/test/java/io/understudy/httpserver"
                + " session-contract/src/test/java/io/understudy/contract"
                + " session-core/src/main/java/io/understudy/session/adapter",
        "session-core/src/main/java/io/understudy/package-info.java, " + PACKAGES,
        "session-core/src/main/java/io/understudy/session/package-info.java, " + PACKAGES,
    })
    void examplesAreWhatATestRuns(String readme, String tests) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String test : tests.split(" ", -1)) {
            all.append(code(ROOT.resolve(test)));
        }
        String code = all.toString();
        List<String> examples = examples(Files.readAllLines(ROOT.resolve(readme)));
        assertFalse(examples.isEmpty(), () -> readme + " has examples");
        assertEquals(
                List.of(),
                examples.stream().filter(example -> !code.contains(example)).toList(),
                () -> "in " + readme + ", but not in " + tests);
    }

    /** What a file has, or all Java files of a directory. */
    private static String code(Path place) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return squeezed(lines);
    }

    /** The blocks of Java in a page, or in a comment. */
    private static List<String> examples(List<String> lines) {
        List<String> examples = new ArrayList<>();
        List<String> open = null;
        for (String each : lines) {
            String line = each.replaceFirst("^ \\* ?", "");
            if (line.equals("```java") || line.equals("<pre>{@code")) {
                open = new ArrayList<>();
            } else if ((line.equals("```") || line.equals("}</pre>")) && open != null) {
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
