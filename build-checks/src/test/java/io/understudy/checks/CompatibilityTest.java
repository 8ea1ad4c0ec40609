package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The versions in the README are those that the tests run on, and the page about JGroups is about the version in use. */
@Tag("cluster")
final class CompatibilityTest {

    private static final String HEAD = "| | Versions | Tests run on |";
    private static final String JGROUPS = "docs/design/jgroups-workarounds.md";
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    /** The value of a property in a {@code pom.xml}. */
    private static String property(String pom, String name) {
        return only(pom, "<" + Pattern.quote(name) + ">([^<]+)</");
    }

    private static String only(String file, String pattern) {
        List<String> found = all(file, pattern);
        assertEquals(1, found.size(), () -> file + " has " + found + " for " + pattern);
        return found.get(0);
    }

    private static List<String> all(String file, String pattern) {
        return Pattern.compile(pattern)
                .matcher(Documents.text(file))
                .results()
                .map((MatchResult each) -> each.group(1))
                .toList();
    }

    /** The rows of the README's table that name versions, by their first cell. */
    private static Map<String, List<String>> rows() {
        List<String> lines = Documents.lines("README.md");
        int head = lines.indexOf(HEAD);
        assertTrue(head >= 0, "README.md has no table " + HEAD);
        Map<String, List<String>> rows = new TreeMap<>();
        for (String line : lines.subList(head + 2, lines.size())) {
            List<String> cells = Markdown.cells(line);
            if (cells.isEmpty()) {
                break;
            }
            if (!cells.get(2).isEmpty()) {
                rows.put(cells.get(0), cells.subList(1, 3));
            }
        }
        return rows;
    }

    @Test
    void theReadmeNamesTheVersionsThatTheTestsRunOn() {
        Map<String, String> expected = Map.of(
                "Java", String.join(", ", all(".ci/run", "(?m)^tests jdk-(\\d+) ")),
                "Tomcat", property("pom.xml", "tomcat10.version") + ", " + property("pom.xml", "tomcat.version"),
                "Jetty",
                        property("pom.xml", "jetty.version") + "; EE9: "
                                + property("jetty-adapter/pom.xml", "jetty.ee9.version"),
                "Spring Boot",
                        property("pom.xml", "spring-boot3.version") + ", "
                                + property("pom.xml", "spring-boot4.version"));
        Map<String, String> actual = rows().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, row -> row.getValue().get(1)));
        assertEquals(new TreeMap<>(expected), new TreeMap<>(actual), "'Tests run on' in README.md");
    }

    /** {@code 10.1 and 11} holds 10.1.59 and 11.0.25, and nothing else. */
    @Test
    void theSupportedVersionsAreThoseOfTheTests() {
        rows().forEach((product, cells) -> {
            List<String> supported = numbers(cells.get(0).replaceAll("EE\\d+", ""));
            List<String> tested = numbers(cells.get(1).replaceAll("EE\\d+", ""));
            if (product.equals("Java")) {
                assertEquals(property("pom.xml", "maven.compiler.release"), supported.get(0), "the byte code's");
            } else {
                for (String version : tested) {
                    assertTrue(
                            supported.stream().anyMatch(each -> version.startsWith(each + ".")),
                            () -> product + " " + version + " is none of " + supported);
                }
            }
            for (String version : supported) {
                assertTrue(
                        tested.stream().anyMatch(each -> (each + ".").startsWith(version + ".")),
                        () -> "no test runs on " + product + " " + version);
            }
        });
    }

    private static List<String> numbers(String cell) {
        return Pattern.compile("\\d+(\\.\\d+)*")
                .matcher(cell)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void theWorkaroundsAreForTheVersionOfJGroupsInUse() {
        String version = property("pom.xml", "jgroups.version");
        assertEquals(
                version,
                only(JGROUPS, "JGroups (\\d+\\.\\d+\\.\\d+\\.\\w+)"),
                () -> "JGroups is " + version + " now: try the work-arounds that " + JGROUPS
                        + " lists, and name it there");
    }

    @Test
    void theWorkaroundsAreClassesOfThisProject() {
        TreeSet<String> classes = Documents.mainSources().stream()
                .map(name -> name.substring(name.lastIndexOf('/') + 1, name.length() - ".java".length()))
                .collect(Collectors.toCollection(TreeSet::new));
        TreeSet<String> named = new TreeSet<>();
        for (String line : Documents.lines(JGROUPS)) {
            List<String> cells = Markdown.cells(line);
            if (cells.size() >= 4) {
                CODE.matcher(cells.get(0)).results().forEach(each -> named.add(each.group(1)));
            }
        }
        assertTrue(named.size() > 10, named::toString);
        named.removeAll(classes);
        assertEquals(new TreeSet<>(), named, () -> JGROUPS + " names classes that are not there");
    }
}
