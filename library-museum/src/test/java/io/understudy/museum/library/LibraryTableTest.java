package io.understudy.museum.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the design page says of libraries is what the rows say. */
@Tag("process")
class LibraryTableTest {

    private static final Path PAGE = Path.of("../docs/design/attributes.md");

    private static final String HEAD = "| Library | Version | Comes back as it was | Stays on its node |";

    /** What is no library of applications. */
    private static final Set<String> OURS = Set.of(
            "understudy-core",
            "understudy-testkit",
            "understudy-junit",
            "understudy-jetty",
            "understudy-tomcat",
            "jetty-ee10-webapp",
            "jetty-slf4j-impl",
            "tomcat-embed-core",
            "junit-jupiter",
            "jakarta.servlet-api",
            "jakarta.faces-api");

    private static Stream<Sample> samples() {
        return Rows.all().stream().flatMap(row -> row.samples().stream());
    }

    @Test
    void thereAreManyLibrariesAndObjects() {
        assertTrue(Rows.all().size() >= 40, () -> Rows.all().size() + " libraries");
        assertTrue(samples().count() >= 150, () -> samples().count() + " objects");
        Set<String> names = new HashSet<>();
        for (Row row : Rows.all()) {
            assertTrue(names.add(row.library()), () -> row.library() + " is there twice");
            row.samples()
                    .forEach(sample -> assertTrue(
                            names.add(row.library() + "/" + sample.name()),
                            () -> row.library() + " has " + sample.name() + " twice"));
        }
    }

    @Test
    void exceptionsAreFewAndNeverData() {
        List<Sample> exceptions = samples().filter(Sample::isException).toList();
        assertTrue(exceptions.size() <= 15, () -> exceptions.size() + " exceptions");
        assertEquals(
                List.of(),
                exceptions.stream()
                        .filter(sample ->
                                sample.kind() != Kind.CODE || sample.why().isEmpty())
                        .map(Sample::name)
                        .toList());
    }

    @Test
    void theDesignPageHasTheTable() throws Exception {
        List<String> page = Files.readAllLines(PAGE);
        int head = page.indexOf(HEAD);
        assertTrue(head >= 0, () -> PAGE + " has a line " + HEAD);
        String table = page.subList(head + 2, page.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .collect(Collectors.joining("\n"));
        List<String> lines = new ArrayList<>();
        Rows.all().forEach(row -> lines.add(line(row)));
        for (PagesRow row : PagesRow.all()) {
            lines.add(line(row.library(), row.version(), String.join(", ", row.kept()), row.exception()));
        }
        assertEquals(String.join("\n", lines), table);
    }

    private static String line(Row row) {
        String equal = row.samples().stream()
                .filter(sample -> !sample.stays())
                .map(Sample::name)
                .collect(Collectors.joining(", "));
        String exceptions = row.samples().stream()
                .filter(Sample::stays)
                .map(sample -> sample.name() + ": " + sample.why())
                .collect(Collectors.joining("; "));
        return line(row.library(), Versions.of(row.artifacts().get(0)), equal, exceptions);
    }

    private static String line(String library, String version, String equal, String exceptions) {
        return String.format("| %s | %s | %s | %s |", library, version, equal, exceptions);
    }

    @Test
    void eachDependencyIsOfARow() throws Exception {
        Set<String> used = Rows.all().stream()
                .flatMap(row -> row.artifacts().stream())
                .map(artifact -> artifact.substring(artifact.indexOf(':') + 1))
                .collect(Collectors.toSet());
        Set<String> unused = new TreeSet<>();
        Matcher dependencies = Pattern.compile(
                        "<dependency>\\s*<groupId>[^<]*</groupId>\\s*<artifactId>([^<]*)</artifactId>")
                .matcher(Files.readString(Path.of("pom.xml")));
        while (dependencies.find()) {
            unused.add(dependencies.group(1));
        }
        assertTrue(unused.containsAll(Set.of("guava", "understudy-core")), unused::toString);
        unused.removeAll(used);
        unused.removeAll(OURS);
        assertEquals(Set.of(), unused);
    }
}
