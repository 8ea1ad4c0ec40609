package io.understudy.museum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A CDI container in a web application that has no other library. */
enum CdiLibrary {
    WELD("cdi", "org.jboss.weld.environment.servlet.Listener", "no jar"),
    OPEN_WEB_BEANS(
            "openwebbeans",
            "org.apache.webbeans.servlet.WebBeansConfigurationListener",
            "(openwebbeans-(impl|spi)|xbean-(asm9|finder)-shaded"
                    + "|jakarta\\.(enterprise\\.(cdi-api|lang-model)|inject-api|interceptor-api|annotation-api))-.*");

    private static final Path JARS = Path.of("target", "faces").toAbsolutePath();

    private static final String BEANS = "io/understudy/museum/cdi";

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
              <distributable/>
              <absolute-ordering/>
              <listener>
                <listener-class>%s</listener-class>
              </listener>
              <servlet>
                <servlet-name>beans</servlet-name>
                <servlet-class>io.understudy.museum.cdi.BeansServlet</servlet-class>
                <load-on-startup>1</load-on-startup>
              </servlet>
              <servlet-mapping>
                <servlet-name>beans</servlet-name>
                <url-pattern>/*</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    private static final String BEANS_XML = """
            <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="annotated"/>
            """;

    private final String directory;
    private final String listener;
    private final String more;

    /**
     * A library.
     *
     * @param directory where Maven puts jars that no other test has on its class path
     * @param listener starts the container
     * @param more names of jars that other tests have, too
     */
    CdiLibrary(String directory, String listener, String more) {
        this.directory = directory;
        this.listener = listener;
        this.more = more;
    }

    /** Writes the application as a container unpacks it. */
    Path unpack(Path application) throws IOException {
        Path webInf =
                Files.createDirectories(application.resolve("WEB-INF/lib")).getParent();
        try (Stream<Path> jars = Files.list(JARS.resolve(directory))) {
            for (Path jar : jars.toList()) {
                WebApplication.place(jar, webInf.resolve("lib").resolve(jar.getFileName()));
            }
        }
        WebApplication.add(more, application);
        WebApplication.addClasses(BEANS, application);
        Files.writeString(webInf.resolve("beans.xml"), BEANS_XML);
        Files.writeString(webInf.resolve("web.xml"), WEB_XML.formatted(listener));
        return application;
    }
}
