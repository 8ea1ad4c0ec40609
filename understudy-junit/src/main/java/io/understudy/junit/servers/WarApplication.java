package io.understudy.junit.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.catalina.Manager;

/**
 * An application in a WAR file, or a directory with {@code WEB-INF}.
 *
 * @param directory has {@code WEB-INF}
 * @param classes directories and jars with more of its classes; if there are any, the test's class path has the rest
 */
record WarApplication(Path directory, List<Path> classes, String contextPath) implements Application {

    /** What each WAR was unpacked to. */
    private static final Map<Path, Path> UNPACKED = new ConcurrentHashMap<>();

    /** @throws IllegalArgumentException if a file or a directory is not there */
    static WarApplication of(String war, List<String> classes, String contextPath) {
        List<Path> existing =
                classes.stream().map(each -> existing("classes", each)).toList();
        return new WarApplication(directory(existing("war", war)), existing, contextPath);
    }

    private static Path existing(String what, String name) {
        Path path = Path.of(name).toAbsolutePath().normalize();
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("'" + what + "' of @FailoverTest is '" + name + "': expected a file or a"
                    + " directory, but there is no " + path + "; build it before the test, or correct the path");
        }
        return path;
    }

    private static Path directory(Path war) {
        return Files.isDirectory(war) ? war : UNPACKED.computeIfAbsent(war, WarApplication::unpack);
    }

    private static Path unpack(Path war) {
        try {
            return TemporaryFiles.unpack(war);
        } catch (IOException e) {
            throw new UncheckedIOException("'war' of @FailoverTest is '" + war + "', which can't be unpacked", e);
        }
    }

    @Override
    public TomcatServer start(String name, Manager manager) {
        return WarServer.start(name, this, manager);
    }
}
