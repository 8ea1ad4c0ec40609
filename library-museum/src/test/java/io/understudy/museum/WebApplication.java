package io.understudy.museum;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The class path of the tests, divided into an application and its container. */
final class WebApplication {

    /** Loaded by the application's class loader. */
    static final String SERVLET = "io.understudy.museum.library.LibraryServlet";

    private static final String LIBRARY_CLASSES = "io/understudy/museum/library";

    /** Jars of the container by their names; those of servers are not in this list. */
    private static final String OF_CONTAINER =
            "(understudy|kryo|objenesis|minlog|reflectasm|jgroups|caffeine|HdrHistogram|jspecify|slf4j-api)-.*";

    /** Without the initializers of libraries, which would start frameworks. */
    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
              <absolute-ordering/>
              <servlet>
                <servlet-name>libraries</servlet-name>
                <servlet-class>%s</servlet-class>
                <load-on-startup>1</load-on-startup>
              </servlet>
              <servlet-mapping>
                <servlet-name>libraries</servlet-name>
                <url-pattern>/*</url-pattern>
              </servlet-mapping>
            </web-app>
            """.formatted(SERVLET);

    private WebApplication() {}

    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
    }

    private static boolean ofServer(Path entry) {
        return Stream.of(Server.values()).anyMatch(server -> server.has(entry));
    }

    /** A directory is a module of this project: the container's, or the tests, of which an application has a part. */
    private static boolean ofContainer(Path entry) {
        return Files.isDirectory(entry) || entry.getFileName().toString().matches(OF_CONTAINER);
    }

    /** What the JVM of a node has on its class path: a web application of its own brings the rest. */
    static String classPath(Server server, Layout layout, List<Path> more) {
        Stream<Path> ofTests = classPath().stream()
                .filter(entry -> server.has(entry) || !ofServer(entry))
                .filter(entry -> layout == Layout.FLAT || server.has(entry) || ofContainer(entry));
        return Stream.concat(ofTests, more.stream()).map(Path::toString).collect(joining(File.pathSeparator));
    }

    /** Writes the application as a container unpacks it. */
    static Path unpack(Path directory) throws IOException {
        Path libraries = Files.createDirectories(directory.resolve("WEB-INF/lib"));
        for (Path entry : classPath()) {
            if (Files.exists(entry) && !ofServer(entry) && !ofContainer(entry)) {
                place(entry, libraries.resolve(entry.getFileName()));
            }
        }
        addClasses(LIBRARY_CLASSES, directory);
        Files.writeString(directory.resolve("WEB-INF/web.xml"), WEB_XML);
        return directory;
    }

    /** Adds jars that {@link #unpack} takes for the container's. */
    static void add(String names, Path directory) throws IOException {
        for (Path entry : classPath()) {
            if (entry.getFileName().toString().matches(names)) {
                place(entry, directory.resolve("WEB-INF/lib").resolve(entry.getFileName()));
            }
        }
    }

    /** Copies the classes of a package of the tests. */
    static void addClasses(String path, Path directory) throws IOException {
        Path target =
                Files.createDirectories(directory.resolve("WEB-INF/classes").resolve(path));
        for (Path entry : classPath()) {
            Path classes = entry.resolve(path);
            if (Files.isDirectory(classes)) {
                copyFiles(classes, target);
            }
        }
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path each : files.toList()) {
                Files.copy(each, to.resolve(each.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** As a link, where the file system has those. */
    static void place(Path jar, Path target) throws IOException {
        try {
            Files.createLink(target, jar);
        } catch (FileSystemException | UnsupportedOperationException e) {
            Files.copy(jar, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
