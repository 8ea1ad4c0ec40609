package io.understudy.springboot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.web.context.WebApplicationContext;

/**
 * Warns of an application that is deployed in a container. It names no class of embedded servers: such an application
 * of Spring Boot 4 does not have them.
 */
final class DeploymentWarning implements SmartInitializingSingleton {

    private static final Logger LOG = System.getLogger(DeploymentWarning.class.getName());

    private final ApplicationContext application;
    private boolean embedded;

    DeploymentWarning(ApplicationContext application) {
        this.application = application;
    }

    /** The application has a server of its own. */
    void embedded() {
        embedded = true;
    }

    /** By now an embedded server is made. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!embedded && application instanceof WebApplicationContext context && deployed(context)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - the sessions of this application are not replicated: it is deployed in a container, and "
                            + "the Understudy starter is for embedded servers. Install understudy-tomcat or "
                            + "understudy-jetty in the container, as in its quick start, and remove the starter "
                            + "from the application",
                    application.getDisplayName());
        }
    }

    private static boolean deployed(WebApplicationContext context) {
        Object container = context.getServletContext();
        return container != null && !container.getClass().getName().startsWith("org.springframework.mock.");
    }
}
