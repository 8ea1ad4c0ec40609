package io.understudy.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Links between Markdown files lead to files and headings that are there; those in docs stay in docs, which is a site. The
 * tests that pages name are there, too.
 */
@Tag("cluster")
final class LinksTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(#[^)\\s]*)?\\)");
    private static final Pattern PAGE = Pattern.compile("docs/[a-z/-]+\\.md");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)`");

    /** In Jetty, and named as such. */
    private static final Set<String> OF_OTHERS = Set.of("AbstractSessionDataStoreTest");

    @Test
    void linksLeadSomewhere() {
        List<String> broken = new ArrayList<>();
        List<String> documents = Documents.markdown();
        assertTrue(documents.size() > 30, documents::toString);
        for (String name : documents) {
            String text = Documents.text(name).replaceAll("(?s)```.*?```", "").replaceAll("`[^`\n]*`", "");
            Matcher links = LINK.matcher(text);
            while (links.find()) {
                String target = links.group(1);
                String anchor = links.group(2);
                if (!target.matches("[a-z]+:.*") && !leads(name, target, anchor)) {
                    broken.add(name + ": " + links.group());
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leads(String from, String target, String anchor) {
        Path directory = Path.of(from).resolveSibling("").normalize();
        String file = target.isEmpty()
                ? from
                : directory.resolve(target).normalize().toString().replace('\\', '/');
        if (!Documents.exists(file) || (from.startsWith("docs/") && !file.startsWith("docs/"))) {
            return false;
        }
        return anchor == null || headings(file).contains(anchor.substring(1));
    }

    /** The anchors of a file's headings, as GitHub and MkDocs make them. */
    private static List<String> headings(String file) {
        return new Markdown(Documents.lines(file))
                .headings().stream()
                        .map(heading ->
                                heading.text().replaceFirst("^#+\\s*", "").toLowerCase(Locale.ROOT))
                        .map(heading ->
                                heading.replaceAll("[^\\p{L}\\p{N}\\s_-]", "").replaceAll("\\s", "-"))
                        .toList();
    }

    @Test
    void testsThatPagesNameAreThere() {
        Set<String> tests = Documents.testNames();
        assertTrue(tests.size() > 100, () -> "only " + tests);
        List<String> missing = new ArrayList<>();
        for (String name : Documents.markdown()) {
            TEST.matcher(Documents.text(name))
                    .results()
                    .map(each -> each.group(1))
                    .filter(test -> !tests.contains(test) && !OF_OTHERS.contains(test))
                    .forEach(test -> missing.add(name + ": " + test));
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void pagesThatTheCodeNamesAreThere() {
        Set<String> named = new TreeSet<>();
        for (String source : Documents.mainSources()) {
            PAGE.matcher(Documents.text(source)).results().forEach(each -> named.add(each.group()));
        }
        assertTrue(named.size() > 10, named::toString);
        named.removeIf(Documents::exists);
        assertEquals(Set.of(), named);
    }
}
