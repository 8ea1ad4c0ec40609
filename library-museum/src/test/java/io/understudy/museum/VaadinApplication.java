package io.understudy.museum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A web application with Vaadin Flow, built for production. Vaadin finds its view, and registers its servlet. */
final class VaadinApplication {

    /** Flow and the libraries that it needs, without those that a container of these tests has for itself. */
    private static final String JARS = "(flow-(server|push)|signals|atmosphere-runtime|gentyref|gwt-elemental"
            + "|throw-if-servlet3|jackson-.*|jsoup|commons-(io|fileupload2-.*))-[0-9].*";

    private static final String VIEWS = "io/understudy/museum/vaadin";

    private VaadinApplication() {}

    /** Writes the application as a container unpacks it. */
    static Path unpack(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("WEB-INF/lib"));
        WebApplication.add(JARS, directory);
        WebApplication.addClasses(VIEWS, directory);
        // What Vaadin's build writes; scripts are not in it, as no browser runs them.
        write(directory, "config/flow-build-info.json", "{\"productionMode\":true}");
        write(directory, "webapp/index.html", "<!DOCTYPE html><html><head></head><body></body></html>");
        return directory;
    }

    private static void write(Path directory, String file, String text) throws IOException {
        Path target = directory.resolve("WEB-INF/classes/META-INF/VAADIN").resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, text);
    }
}
