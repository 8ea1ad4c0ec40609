package io.understudy.tomcat.container;

import java.util.Arrays;
import org.apache.catalina.Service;
import org.jspecify.annotations.Nullable;

/**
 * The connectors of a service. Tomcat starts them after the applications; Spring Boot adds them when its own context is
 * complete.
 */
public final class Connectors {

    private Connectors() {}

    /** Whether one of them accepts requests; also if the service is not known. */
    public static boolean accept(@Nullable Service service) {
        return service == null
                || Arrays.stream(service.findConnectors())
                        .anyMatch(connector -> connector.getState().isAvailable());
    }
}
