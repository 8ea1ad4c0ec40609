package io.understudy.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Markdown files and the sources of the project, below the directory of the root's {@code pom.xml}. */
final class Documents {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final int DEPTH = 6;

    private Documents() {}

    /** Every Markdown file, relative to the root, with slashes. */
    static List<String> markdown() {
        try (Stream<Path> files = Files.find(
                ROOT, DEPTH, (path, attributes) -> path.toString().endsWith(".md") && attributes.isRegularFile())) {
            return files.map(Documents::relative)
                    .filter(name -> !name.contains("target/") && !name.startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What users read: the README and the guide. */
    static List<String> guide() {
        return markdown().stream()
                .filter(name -> name.equals("README.md") || name.startsWith("docs/guide/"))
                .toList();
    }

    /** The Java files that modules deliver or run, relative to the root. */
    static List<String> mainSources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(Documents::relative)
                    .filter(name -> name.contains("src/main/java/") && name.endsWith(".java"))
                    .filter(name -> !name.contains("target/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The simple names of all test classes. */
    static Set<String> testNames() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(Documents::relative)
                    .filter(name -> name.contains("src/test/java/") && name.endsWith("Test.java"))
                    .map(name -> name.substring(name.lastIndexOf('/') + 1, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean exists(String name) {
        return Files.exists(ROOT.resolve(name));
    }

    static List<String> lines(String name) {
        return text(name).lines().toList();
    }

    static String text(String name) {
        try {
            return Files.readString(ROOT.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String relative(Path path) {
        return ROOT.relativize(path).toString().replace('\\', '/');
    }
}
