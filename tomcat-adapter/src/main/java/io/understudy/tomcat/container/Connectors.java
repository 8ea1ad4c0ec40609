package io.understudy.tomcat.container;

import java.util.Arrays;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;

/**
 * The connectors of a service. Tomcat starts them after the applications; Spring Boot adds them when its own context is
 * complete, and closes their ports before its graceful shutdown waits for requests.
 */
public final class Connectors {

    private Connectors() {}

    /** Whether one of them accepts requests; also if the service is not known. */
    public static boolean accept(@Nullable Service service) {
        return service == null || Arrays.stream(service.findConnectors()).anyMatch(Connectors::accepts);
    }

    private static boolean accepts(Connector connector) {
        return connector.getState().isAvailable()
                && (connector.getLocalPort() >= 0 || connector.getProperty("unixDomainSocketPath") != null);
    }
}
