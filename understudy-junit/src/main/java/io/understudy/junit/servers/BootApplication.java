package io.understudy.junit.servers;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.Manager;

/**
 * A Spring Boot application with the embedded Tomcat. Each server has the whole class path of the test, but the container,
 * under a class loader of its own.
 *
 * @param main the class that the application starts with
 * @param properties each as {@code name=value}
 */
record BootApplication(String main, List<String> properties) implements Application {

    /** Those that two applications in one JVM need, unless the test sets others. */
    private static final List<String> ALWAYS = List.of(
            "server.address=" + TomcatServer.LOOPBACK,
            "server.port=0",
            "spring.main.banner-mode=off",
            "spring.main.register-shutdown-hook=false",
            "understudy.enabled=false"); // The starter would share one node among all applications of the JVM.

    /** As the application gets them. */
    String[] arguments() {
        Map<String, String> arguments = new LinkedHashMap<>(); // Spring would take both of two with one name.
        Stream.concat(ALWAYS.stream(), properties.stream())
                .forEach(each -> arguments.put(each.split("=", 2)[0], "--" + each));
        return arguments.values().toArray(String[]::new);
    }

    /** What the application's class loader looks into. */
    static URL[] classPath() {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            try {
                urls.add(new File(entry).toURI().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalStateException("the class path of this JVM has '" + entry + "', which is no file", e);
            }
        }
        return urls.toArray(URL[]::new);
    }

    @Override
    public TomcatServer start(String name, Manager manager) {
        return BootServer.start(name, this, manager);
    }
}
