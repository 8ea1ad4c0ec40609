package io.understudy.museum.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A library in a web application of its own, which {@code FacesViewsTest}, {@code VaadinViewsTest} or {@code
 * CdiBeansTest} deploys.
 *
 * @param library its name
 * @param version which the design page shows
 * @param exception what the library does not put into the session, for the design page; empty if there is no such thing
 */
record PagesRow(String library, String version, List<String> kept, String exception) {

    private static final Path JARS = Path.of("target", "faces");

    static List<PagesRow> all() throws IOException {
        return List.of(
                new PagesRow(
                        "Vaadin Flow, views",
                        Versions.of("flow-server"),
                        List.of(
                                "views of several tabs",
                                "components with listeners",
                                "input of a component",
                                "values of VaadinSession",
                                "reinitialized session"),
                        "commands of UI.access that wait: Vaadin keeps them in a transient field"),
                beans("Weld in a web application", "cdi", "weld-servlet-shaded"),
                beans("OpenWebBeans in a web application", "openwebbeans", "openwebbeans-web"),
                faces(
                        "Mojarra (Jakarta Faces)",
                        "mojarra",
                        "jakarta.faces",
                        List.of(),
                        "flash: Mojarra keeps it in the application, not in the session (mojarra#1453)"),
                faces(
                        "MyFaces (Jakarta Faces)",
                        "myfaces",
                        "myfaces-impl",
                        List.of("flash over a redirect (Jetty: it may be late)"),
                        ""));
    }

    private static PagesRow beans(String library, String directory, String artifact) throws IOException {
        List<String> kept = List.of("@SessionScoped bean", "long-running conversations with @ConversationScoped beans");
        return new PagesRow(library, version(JARS.resolve(directory), artifact), kept, "");
    }

    private static PagesRow faces(
            String library, String directory, String artifact, List<String> more, String exception) throws IOException {
        List<String> views = List.of(
                "views of several tabs",
                "@ViewScoped bean",
                "@SessionScoped bean",
                "input of a component",
                "component made in Java with a value expression");
        return new PagesRow(
                library,
                version(JARS.resolve(directory), artifact),
                Stream.concat(views.stream(), more.stream()).toList(),
                exception);
    }

    private static String version(Path directory, String artifact) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(jar -> Pattern.compile(Pattern.quote(artifact) + "-(.*)\\.jar")
                            .matcher(jar.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(jar -> jar.group(1))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("expected " + artifact + " in " + directory));
        }
    }
}
