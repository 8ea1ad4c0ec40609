package io.understudy.museum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** An implementation of Jakarta Faces in a web application, with a CDI container. Maven puts the jars into a directory. */
enum FacesLibrary {
    /** It keeps the flash in the application, and so on the node. */
    MOJARRA(false),
    MYFACES(true);

    /** Jars that no other test has on its class path: libraries would begin to look for Faces. */
    private static final Path JARS = Path.of("target", "faces").toAbsolutePath();

    private static final Path PAGES = Path.of("src", "test", "webapp");
    private static final String BEANS = "io/understudy/museum/faces";

    private final boolean flashInSession;

    FacesLibrary(boolean flashInSession) {
        this.flashInSession = flashInSession;
    }

    boolean keepsFlashInSession() {
        return flashInSession;
    }

    /** What a container has in any installation, and in these tests has not: expressions, annotations. */
    static List<Path> ofContainer(Server server) throws IOException {
        List<Path> jars = new ArrayList<>(jars("container"));
        jars.addAll(jars(server.name().toLowerCase(Locale.ROOT)));
        return jars;
    }

    private static List<Path> jars(String directory) throws IOException {
        Path jars = JARS.resolve(directory);
        if (!Files.isDirectory(jars)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(jars)) {
            return files.sorted().toList();
        }
    }

    /** Sets the application's context parameter {@code PARTIAL_STATE_SAVING} to false. */
    static void saveWholeState(Path application) throws IOException {
        Path webXml = application.resolve("WEB-INF/web.xml");
        String parameter = """
                <context-param>
                  <param-name>jakarta.faces.PARTIAL_STATE_SAVING</param-name>
                  <param-value>false</param-value>
                </context-param>
                """;
        Files.writeString(webXml, Files.readString(webXml).replace("<servlet>", parameter + "<servlet>"));
    }

    /** Writes the application as a container unpacks it. */
    Path unpack(Path directory) throws IOException {
        try (Stream<Path> pages = Files.walk(PAGES)) {
            for (Path page : pages.toList()) {
                Path target = directory.resolve(PAGES.relativize(page).toString());
                Files.createDirectories(target.getParent());
                Files.copy(page, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Path libraries = Files.createDirectories(directory.resolve("WEB-INF/lib"));
        for (String each : List.of(name().toLowerCase(Locale.ROOT), "cdi")) {
            for (Path jar : jars(each)) {
                WebApplication.place(jar, libraries.resolve(jar.getFileName()));
            }
        }
        WebApplication.addClasses(BEANS, directory);
        return directory;
    }
}
