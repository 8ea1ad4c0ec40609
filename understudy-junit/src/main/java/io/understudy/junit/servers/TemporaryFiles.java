package io.understudy.junit.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Files that only tests need. */
final class TemporaryFiles {

    /** Holds them all, and is deleted when the JVM ends: Tomcat makes {@code catalina.home} anew for each server. */
    private static final class Root {
        static final Path DIRECTORY = make();

        private Root() {}

        private static Path make() {
            try {
                Path directory = Files.createTempDirectory("understudy-junit").toRealPath();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory), "understudy-junit-files"));
                return directory;
            } catch (IOException e) {
                throw new UncheckedIOException("no directory for temporary files", e);
            }
        }
    }

    private TemporaryFiles() {}

    /** Makes a directory, which is deleted when the JVM ends if not before. */
    static Path directory(String name) throws IOException {
        return Files.createTempDirectory(Root.DIRECTORY, name);
    }

    /** Unpacks a WAR into a directory of its own, which is deleted when the JVM ends. */
    static Path unpack(Path war) throws IOException {
        Path directory = directory("war");
        try (InputStream file = Files.newInputStream(war);
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = directory.resolve(entry.getName()).normalize();
                if (!target.startsWith(directory)) {
                    throw new IOException(war + " has an entry outside of itself: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.resolveSibling("."));
                    Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        return directory;
    }

    /** Deletes a directory, as far as it can be deleted. */
    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // It is among the temporary files.
        }
    }
}
