package io.understudy.codec.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Serializable;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The design page lists all that JDK serialization restores and the filter refuses, and nothing else. */
@Tag("cluster")
class ExceptionsTableTest {

    private static final Path PAGE = Path.of("../docs/design/attributes.md");

    private static final String HEAD = "| What | Why |";

    /** At default settings. */
    private static final ClassFilter FILTER =
            new ClassFilter(ExceptionsTableTest.class::getClassLoader, Set.of(), "", ClassList.any());

    /** A line of the page, with what it covers. */
    private record Exceptions(String what, String why, List<String> covered) {

        List<String> marked(char mark) {
            return covered.stream()
                    .filter(line -> line.charAt(0) == mark)
                    .map(line -> line.substring(2))
                    .toList();
        }

        boolean coversOfJdk(String name) {
            return Stream.of('+', '-')
                    .flatMap(mark -> marked(mark).stream())
                    .anyMatch(pattern -> matches(pattern, name));
        }

        private static boolean matches(String pattern, String name) {
            if (pattern.startsWith("*")) {
                return name.endsWith(pattern.substring(1));
            } else if (pattern.endsWith("**")) {
                return name.startsWith(pattern.substring(0, pattern.length() - 2));
            }
            return pattern.endsWith(".")
                    ? name.startsWith(pattern)
                    : name.equals(pattern) || name.startsWith(pattern + "$");
        }
    }

    private static List<Exceptions> rows() throws IOException {
        List<Exceptions> rows = new ArrayList<>();
        String what = "";
        try (var in = Objects.requireNonNull(ExceptionsTableTest.class.getResourceAsStream("exceptions.txt"))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith("What: ")) {
                    what = line.substring("What: ".length());
                } else if (line.startsWith("Why: ")) {
                    rows.add(new Exceptions(what, line.substring("Why: ".length()), new ArrayList<>()));
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    rows.get(rows.size() - 1).covered().add(line);
                }
            }
        }
        return rows;
    }

    private static Set<String> all(char mark) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Exceptions row : rows()) {
            for (String name : row.marked(mark)) {
                assertTrue(names.add(name), () -> name + " is in two rows");
            }
        }
        return names;
    }

    @Test
    void theDesignPageHasTheRowsAndTheyAreFew() throws Exception {
        List<String> page = Files.readAllLines(PAGE);
        String table = page.subList(page.indexOf(HEAD) + 2, page.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .collect(Collectors.joining("\n"));
        List<Exceptions> rows = rows();
        assertEquals(
                rows.stream()
                        .map(row -> "| " + row.what() + " | " + row.why() + " |")
                        .collect(Collectors.joining("\n")),
                table);
        assertTrue(rows.size() <= 15, () -> rows.size() + " rows");
        rows.forEach(row -> assertTrue(!row.what().isEmpty() && !row.why().isEmpty(), row::toString));
    }

    /** A new name has to be put into a row, or gets a row of its own. */
    @Test
    void eachGadgetIsInOneRow() throws Exception {
        assertEquals(new TreeSet<>(GadgetNames.REFUSED), all('-'));
        assertEquals(new TreeSet<>(Gadgets.KINDS), all('='));
    }

    @Test
    void whatRowsNameIsRefused() throws Exception {
        for (String name : all('-')) {
            assertNotNull(FILTER.objectionToName(name.endsWith(".") ? name + "Any" : name), name);
        }
        for (String name : all('=')) {
            assertNotNull(Gadgets.objection(loaded(name)), name);
        }
        for (String name : all('?')) {
            assertTrue(FILTER.objectionToName(name) != null || FILTER.objection(loaded(name)) != null, name);
        }
    }

    private static Class<?> loaded(String name) throws ClassNotFoundException {
        return Class.forName(name, false, ExceptionsTableTest.class.getClassLoader());
    }

    /** Public classes of the API that a program can make and serialize. */
    private static List<Class<?>> serializableOfJdk() throws IOException {
        List<Class<?>> classes = new ArrayList<>();
        for (var module : ModuleFinder.ofSystem().findAll()) {
            String name = module.descriptor().name();
            for (var exported : module.descriptor().exports()) {
                if (name.startsWith("java.") && !exported.isQualified()) {
                    addClasses(name, exported.source(), classes);
                }
            }
        }
        return classes;
    }

    private static void addClasses(String module, String packageName, List<Class<?>> classes) throws IOException {
        Path directory = FileSystems.getFileSystem(URI.create("jrt:/"))
                .getPath("modules", module, packageName.replace('.', '/'));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class")) {
                    add(packageName + "." + name.substring(0, name.length() - ".class".length()), classes);
                }
            }
        }
    }

    @SuppressWarnings("EmptyCatch") // Of a module that is not resolved.
    private static void add(String name, List<Class<?>> classes) {
        try {
            Class<?> type = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
            if (Serializable.class.isAssignableFrom(type)
                    && Modifier.isPublic(type.getModifiers())
                    && !Modifier.isAbstract(type.getModifiers())) {
                classes.add(type);
            }
        } catch (ClassNotFoundException e) {
        }
    }

    @Test
    void eachRefusedClassOfTheJdkIsInARow() throws Exception {
        List<Class<?>> classes = serializableOfJdk();
        assertTrue(classes.size() > 500, () -> classes.size() + " classes");
        List<Exceptions> rows = rows();
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : classes) {
            String name = type.getName();
            if (FILTER.objection(type) != null && rows.stream().noneMatch(row -> row.coversOfJdk(name))) {
                missing.add(name);
            }
        }
        missing.remove("java.net.URL"); // Only the JDK's form of it is refused.
        assertEquals(Set.of(), missing);
    }

    @Test
    void theRowsOfTheJdkCoverRefusedClasses() throws Exception {
        List<Class<?>> classes = serializableOfJdk();
        Set<String> unused = new TreeSet<>();
        for (String pattern : all('+')) {
            if (classes.stream()
                    .noneMatch(type -> Exceptions.matches(pattern, type.getName()) && FILTER.objection(type) != null)) {
                unused.add(pattern);
            }
        }
        assertEquals(Set.of(), unused);
    }

    /** What stands in for what bytes must not name needs no line in an application's list. */
    @Test
    void standInsAreInNoList() {
        assertEquals(List.of(), ListedNames.of(WrittenHandler.class));
        assertEquals(List.of(), ListedNames.of(WrittenUrl.class));
    }
}
