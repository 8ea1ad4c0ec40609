package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table in the README of the experiments lists those of the code, in their order, with all of its columns. */
@Tag("cluster")
final class ExperimentsTableTest {

    private static final String README = "benchmarks/README.md";
    private static final String CODE = "benchmarks/src/main/java/io/understudy/benchmarks/Experiments.java";
    private static final Pattern ADDED = Pattern.compile("new Experiment\\(\\s*\"([^\"]+)\",\\s*([A-Z]+),");

    private static List<List<String>> rows() {
        return Documents.lines(README).stream()
                .map(Markdown::cells)
                .filter(cells -> !cells.isEmpty() && cells.get(0).startsWith("`"))
                .toList();
    }

    @Test
    void theTableListsEachExperiment() {
        List<String> expected = ADDED.matcher(Documents.text(CODE))
                .results()
                .map(each -> "`" + each.group(1) + "` " + each.group(2).toLowerCase(Locale.ROOT))
                .toList();
        assertTrue(expected.size() > 20, () -> "only " + expected + " were found in " + CODE);
        assertEquals(
                String.join("\n", expected),
                String.join(
                        "\n",
                        rows().stream()
                                .map(cells -> cells.get(0) + " " + cells.get(1))
                                .toList()),
                () -> "names, and what they judge, in " + CODE + " and in the table of " + README);
    }

    @Test
    void eachRowHasAllColumns() {
        assertEquals(
                List.of(),
                rows().stream()
                        .filter(cells -> cells.size() != 5
                                || cells.stream().anyMatch(String::isEmpty)
                                || !cells.subList(3, 5).stream().allMatch(time -> time.matches("(at most )?\\d+ min")))
                        .map(cells -> cells.get(0))
                        .toList(),
                () -> "name, what it judges, what it shows, minutes small and whole; in " + README);
    }
}
