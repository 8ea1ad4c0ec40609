package io.understudy.tomcat;

import io.understudy.testkit.ChangingApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A directory with a web application whose classes nobody else has. */
final class WebApplication {

    private WebApplication() {}

    /** Compiles the sources, given by class name, into the {@code WEB-INF/classes} of a new application. */
    static Path make(Path directory, Map<String, String> sources, String webXml) throws IOException {
        ChangingApplication.compile(classes(directory), sources);
        Files.writeString(directory.resolve("WEB-INF").resolve("web.xml"), webXml);
        return directory;
    }

    static Path classes(Path directory) {
        return directory.resolve("WEB-INF").resolve("classes");
    }
}
