package io.understudy.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The code this process runs. */
final class Code {

    private Code() {}

    /** A number that differs when a class of Understudy, or a library, differs; and with the version of Java. */
    static String fingerprint() throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
        digest.update(Runtime.version().toString().getBytes(StandardCharsets.UTF_8));
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
            for (Path file : files(Path.of(entry))) {
                digest.update(Files.readAllBytes(file));
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private static List<Path> files(Path entry) throws IOException {
        if (!Files.isDirectory(entry)) {
            return Files.exists(entry) ? List.of(entry) : List.of();
        }
        try (Stream<Path> files = Files.walk(entry)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
