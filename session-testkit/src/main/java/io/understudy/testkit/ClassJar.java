package io.understudy.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Makes a jar of the place that a class comes from, directory or jar, as if it were of another version. */
public final class ClassJar {

    private static final String MANIFEST = "META-INF/MANIFEST.MF";

    private ClassJar() {}

    /** @return {@code jar}, whose manifest has that version of the implementation */
    public static Path of(Class<?> type, Path jar, String version) throws IOException {
        Path place = Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
        if (Files.isDirectory(place)) {
            return pack(place, jar, version);
        }
        try (FileSystem inside = FileSystems.newFileSystem(place)) {
            return pack(inside.getPath("/"), jar, version);
        }
    }

    private static Path pack(Path root, Path jar, String version) throws IOException {
        Manifest manifest = new Manifest();
        if (Files.exists(root.resolve(MANIFEST))) {
            try (InputStream in = Files.newInputStream(root.resolve(MANIFEST))) {
                manifest.read(in);
            }
        }
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        Files.createDirectories(jar.toAbsolutePath().getParent());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                Stream<Path> all = Files.walk(root)) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            for (Path file : files) {
                String name = root.relativize(file).toString();
                if (!name.equals(MANIFEST)) {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(file, out);
                    out.closeEntry();
                }
            }
        }
        return jar;
    }
}
