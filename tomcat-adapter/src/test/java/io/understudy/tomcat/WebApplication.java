package io.understudy.tomcat;

import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/** A directory with a web application whose classes nobody else has. */
final class WebApplication {

    private WebApplication() {}

    /** Compiles the sources, given by class name, into the {@code WEB-INF/classes} of a new application. */
    static Path make(Path directory, Map<String, String> sources, String webXml) throws IOException {
        Path webInf = Files.createDirectories(directory.resolve("WEB-INF"));
        Path classes = Files.createDirectories(webInf.resolve("classes"));
        Path sourceDirectory = Files.createTempDirectory("understudy-sources");
        List<String> arguments = new java.util.ArrayList<>(List.of(
                "-d",
                classes.toString(),
                "-classpath",
                HttpServlet.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = sourceDirectory.resolve(source.getKey() + ".java");
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (result != 0) {
            throw new IOException("the test's web application does not compile");
        }
        Files.writeString(webInf.resolve("web.xml"), webXml);
        return directory;
    }
}
