package io.understudy.junit.samples;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Directories with WEB-INF, each with the classes of one sample. */
public final class SampleWar {

    private SampleWar() {}

    /** Makes the directory {@code target/samples/} with the simple name of the sample, and returns it. */
    public static Path of(Class<?> servlet) throws IOException {
        String name = servlet.getSimpleName();
        String directory = servlet.getPackageName().replace('.', '/');
        Path war = Path.of("target", "samples", name);
        Path classes = war.resolve("WEB-INF").resolve("classes").resolve(directory);
        Files.createDirectories(classes);
        String which = "{Sample.class," + name + ".class," + name + "$*.class}";
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(compiled(servlet).resolve(directory), which)) {
            for (Path file : files) {
                Files.copy(file, classes.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return war;
    }

    /** Makes a WAR file of a sample. */
    public static void pack(Class<?> servlet, Path war) throws IOException {
        Path directory = of(servlet);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war));
                Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(
                        new ZipEntry(directory.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, zip);
            }
        }
    }

    private static Path compiled(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
