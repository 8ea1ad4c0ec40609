package io.understudy.jetty;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The properties {@code understudy.*} in the ini files of a Jetty base. Jetty passes on only those that its configuration
 * asks for by name, so a misspelt one would be lost in silence.
 */
final class BaseProperties {

    private static final Pattern PROPERTY = Pattern.compile("(?:-D)?understudy\\.([^=+?\\s]+)\\s*[+?]?=.*");

    private BaseProperties() {}

    /**
     * Looks for names that are no settings.
     *
     * @throws ConfigException naming the file, the name and the nearest setting
     */
    static void check(Path base) {
        try {
            for (Path file : iniFiles(base)) {
                for (String line : Files.readAllLines(file)) {
                    check(file, line.strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the ini files of " + base + " can't be read", e);
        }
    }

    private static List<Path> iniFiles(Path base) throws IOException {
        Path directory = base.resolve("start.d");
        Stream<Path> started = Stream.of(base.resolve("start.ini")).filter(Files::isRegularFile);
        if (!Files.isDirectory(directory)) {
            return started.toList();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return Stream.concat(
                            started,
                            files.filter(file -> file.toString().endsWith(".ini"))
                                    .sorted())
                    .toList();
        }
    }

    private static void check(Path file, String line) {
        Matcher property = PROPERTY.matcher(line);
        if (property.matches()) {
            try {
                Setting.named(property.group(1));
            } catch (ConfigException e) {
                throw new ConfigException(
                        file + ": property 'understudy." + property.group(1) + "': " + e.getMessage());
            }
        }
    }
}
