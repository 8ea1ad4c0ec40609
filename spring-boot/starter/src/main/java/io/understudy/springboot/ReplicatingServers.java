package io.understudy.springboot;

import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;

/**
 * Makes the servers of an application replicate its sessions, also one whose factory the application defines itself. Spring
 * Boot asks customizers of the same context only, so the server of a management port keeps the sessions it has.
 */
final class ReplicatingServers implements WebServerFactoryCustomizer<WebServerFactory>, Ordered {

    private static final Logger LOG = System.getLogger(ReplicatingServers.class.getName());

    /** The name that Spring Session gives the filter which replaces the container's sessions. */
    private static final String SPRING_SESSION = "springSessionRepositoryFilter";

    private final ApplicationContext application;
    private final ObjectProvider<UnderstudyConfig> config;
    private final ObjectProvider<Understudy> node;
    private final DeploymentWarning deployment;
    private final TrafficState traffic;

    ReplicatingServers(
            ApplicationContext application,
            ObjectProvider<UnderstudyConfig> config,
            ObjectProvider<Understudy> node,
            DeploymentWarning deployment,
            TrafficState traffic) {
        this.application = application;
        this.config = config;
        this.node = node;
        this.deployment = deployment;
        this.traffic = traffic;
    }

    /** After all others: what they set up for sessions is replaced. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void customize(WebServerFactory factory) {
        EmbeddedServer server = EmbeddedServer.of(factory);
        deployment.embedded();
        if (application.containsBean(SPRING_SESSION)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - Spring Session keeps the sessions of this application (bean ''{1}''), so the application "
                            + "does not use the sessions of its server, which Understudy replicates; remove one of "
                            + "the two, or set understudy.enabled=false",
                    application.getDisplayName(),
                    SPRING_SESSION);
        }
        UnderstudyConfig settings = config.getObject();
        // Started before the server: Tomcat would log why a node can't start, and then fail with less than that.
        traffic.govern(node.getObject());
        server.replicate(factory, settings);
    }
}
