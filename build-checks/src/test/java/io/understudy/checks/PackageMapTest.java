package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.checks.PackageMap.Length;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** CONTRIBUTING shows the packages of the core as they are; packages and files are small. */
@Tag("cluster")
final class PackageMapTest {

    private static final String PAGE = "CONTRIBUTING.md";
    private static final String BEGIN = "<!-- packages: written by PackageMapTest -->\n\n";
    private static final String END = "\n<!-- end of packages -->";
    private static final String WRITE = "mvn -pl build-checks -am verify -Dtest=PackageMapTest -Dpackages=write";

    private static final int MOST_FILES = 22;
    private static final int MOST_LINES = 450;
    private static final int MOST_LINES_IN_THE_MEDIAN = 120;

    /** Its files are the cases that an adapter passes. */
    private static final String CONTRACT = "session-contract/";

    private static final PackageGraph GRAPH = new PackageGraph(Modules.classesOf("session-core"));
    private static final PackageMap MAP = new PackageMap(GRAPH);

    @Test
    void contributingShowsThePackagesOfToday() throws IOException {
        assertTrue(GRAPH.fromAbove().size() > 30, () -> "only " + GRAPH.fromAbove());
        String text = Documents.text(PAGE);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        assertTrue(
                begin >= BEGIN.length() && end >= begin,
                () -> PAGE + " has no place between '" + BEGIN.strip() + "' and '" + END.strip() + "'");
        if ("write".equals(System.getProperty("packages"))) {
            Files.writeString(
                    Documents.ROOT.resolve(PAGE), text.substring(0, begin) + MAP.markdown() + text.substring(end));
            return;
        }
        assertEquals(
                MAP.markdown(),
                text.substring(begin, end),
                () -> "the packages in " + PAGE + " are not those of the class files; to write them: " + WRITE);
    }

    @Test
    void aPackageHasFewFiles() {
        Map<String, Long> large = Documents.mainSources().stream()
                .filter(file -> !file.endsWith("/package-info.java"))
                .filter(file -> !file.startsWith(CONTRACT))
                .collect(Collectors.groupingBy(
                        file -> file.substring(0, file.lastIndexOf('/')), TreeMap::new, Collectors.counting()));
        assertTrue(large.size() > 60, () -> "only " + large.keySet());
        large.values().removeIf(files -> files <= MOST_FILES);
        assertEquals(
                Map.of(),
                large,
                () -> "packages with more than " + MOST_FILES + " files, and with how many: divide them");
    }

    @Test
    void aFileIsShort() {
        for (Length length : MAP.lengths()) {
            assertTrue(
                    length.lines() <= MOST_LINES,
                    () -> length.file() + " has " + length.lines() + " lines, more than " + MOST_LINES);
        }
        assertTrue(
                MAP.median() <= MOST_LINES_IN_THE_MEDIAN,
                () -> "the median file has " + MAP.median() + " lines, more than " + MOST_LINES_IN_THE_MEDIAN);
    }
}
