package io.understudy.checks;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The modules of this build, as they are on disk. */
final class Modules {

    /** Modules of modules are two directories down. */
    private static final int DEPTH = 2;

    private final List<Path> directories;

    private Modules(List<Path> directories) {
        this.directories = directories;
    }

    /**
     * Those below a directory.
     *
     * @param root where the parent's {@code pom.xml} is
     */
    static Modules below(Path root) throws IOException {
        try (Stream<Path> found = Files.find(root, DEPTH + 1, (path, attributes) -> path.endsWith("pom.xml"))) {
            List<Path> directories =
                    new ArrayList<>(found.map(Path::getParent).sorted().toList());
            directories.remove(root);
            return new Modules(directories);
        }
    }

    /** Of the build that this process is a part of, which runs in a module's directory. */
    static Modules here() throws IOException {
        return below(Path.of("..").toRealPath());
    }

    /** What one module delivers. */
    static JavaClasses classesOf(String module) {
        return new ClassFileImporter().importPath(Path.of("..", module, "target", "classes"));
    }

    JavaClasses testClasses() {
        return new ClassFileImporter().importPaths(existing("target/test-classes"));
    }

    /** The reports of Surefire, of all runs whose files are still there. */
    List<Path> reports() throws IOException {
        List<Path> reports = new ArrayList<>();
        for (Path directory : existing("target/surefire-reports")) {
            try (Stream<Path> files = Files.list(directory)) {
                files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                        .forEach(reports::add);
            }
        }
        return reports;
    }

    private List<Path> existing(String directory) {
        return directories.stream()
                .map(module -> module.resolve(directory))
                .filter(Files::isDirectory)
                .toList();
    }
}
