package io.understudy.junit.servers;

import java.util.List;
import org.apache.catalina.Manager;

/** The application of a test. Threads: any. */
public interface Application {

    /**
     * Starts a server with the application, whose classes are loaded anew.
     *
     * @param name of the server in reports
     * @param manager of its sessions
     * @throws IllegalStateException if the application does not start
     */
    TomcatServer start(String name, Manager manager);

    /**
     * An application in a WAR file, or a directory with {@code WEB-INF}.
     *
     * @param war relative to the working directory
     * @param classes directories and jars with more classes; if there are any, the test's class path has the rest
     * @param contextPath empty for the root
     * @throws IllegalArgumentException if a file or a directory is not there
     */
    static Application ofWar(String war, List<String> classes, String contextPath) {
        return WarApplication.of(war, classes, contextPath);
    }

    /**
     * A Spring Boot application on the class path of the test.
     *
     * @param main the name of the class that it starts with
     * @param properties each as {@code name=value}
     */
    static Application ofSpringBoot(String main, List<String> properties) {
        return new BootApplication(main, properties);
    }
}
