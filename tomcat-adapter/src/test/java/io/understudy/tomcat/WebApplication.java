package io.understudy.tomcat;

import io.understudy.testkit.ChangingApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** A directory with a web application whose classes nobody else has. */
final class WebApplication {

    private WebApplication() {}

    /** Compiles the sources, given by class name, into the {@code WEB-INF/classes} of a new application. */
    static Path make(Path directory, Map<String, String> sources, String webXml) throws IOException {
        ChangingApplication.compile(classes(directory), sources);
        Files.writeString(directory.resolve("WEB-INF").resolve("web.xml"), webXml);
        return directory;
    }

    /** As {@code /shop}. The class path of the tests is not searched for annotations; it has no class with one. */
    static StandardContext add(Tomcat tomcat, Path application) {
        StandardContext context = (StandardContext) tomcat.addWebapp("/shop", application.toString());
        ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false);
        return context;
    }

    static Path classes(Path directory) {
        return directory.resolve("WEB-INF").resolve("classes");
    }
}
