package io.understudy.distribution;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/** The distributions, as they were unpacked. */
final class Containers {

    private static final Path UNPACKED = Path.of("target/containers").toAbsolutePath();

    private Containers() {}

    static Path tomcat(String line) throws IOException {
        return only(UNPACKED.resolve("tomcat-" + line));
    }

    static Path jettyHome() throws IOException {
        return only(UNPACKED.resolve("jetty-home"));
    }

    private static Path only(Path directory) throws IOException {
        try (Stream<Path> inside = Files.list(directory)) {
            return inside.findFirst().orElseThrow(() -> new AssertionError(directory + " is empty"));
        }
    }

    /** Copies a directory with all that is in it. */
    static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
