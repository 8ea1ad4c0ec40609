package io.understudy.springboot;

import io.understudy.config.UnderstudyConfig;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.web.server.WebServerFactory;

/**
 * The servers that the starter knows, by the class of their factory. Each line of Spring Boot has its own names for them, so
 * that what is made for one is loaded only where its factory was met.
 */
enum EmbeddedServer {
    TOMCAT_OF_BOOT_3("org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory"),
    TOMCAT_OF_BOOT_4("org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory"),
    JETTY_OF_BOOT_4("org.springframework.boot.jetty.servlet.JettyServletWebServerFactory");

    private final String factory;

    EmbeddedServer(String factory) {
        this.factory = factory;
    }

    /**
     * The kind of server that a factory makes, also if it is of a class derived from Spring Boot's.
     *
     * @throws UnsupportedServerException if its sessions can't be replicated
     */
    static EmbeddedServer of(WebServerFactory factory) {
        for (Class<?> type = factory.getClass(); type != null; type = type.getSuperclass()) {
            for (EmbeddedServer server : values()) {
                if (type.getName().equals(server.factory)) {
                    return server;
                }
            }
        }
        throw new UnsupportedServerException(
                factory.getClass(), String.valueOf(SpringBootVersion.getVersion()), jettyVersion(factory));
    }

    /** Of what it is made with; empty if it is no Jetty. */
    private static String jettyVersion(WebServerFactory factory) {
        if (!factory.getClass().getName().contains("Jetty")) {
            return "";
        }
        try {
            return Server.getVersion();
        } catch (LinkageError e) {
            return "";
        }
    }

    /** Makes the sessions of the server that this factory is about to make replicated ones. */
    void replicate(WebServerFactory factory, UnderstudyConfig config) {
        switch (this) {
            case TOMCAT_OF_BOOT_3 -> TomcatOfBoot3.replicate(factory, config);
            case TOMCAT_OF_BOOT_4 -> TomcatOfBoot4.replicate(factory, config);
            case JETTY_OF_BOOT_4 -> JettyOfBoot4.replicate(factory, config);
        }
    }
}
