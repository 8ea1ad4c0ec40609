package io.understudy.springboot;

import io.understudy.config.UnderstudyConfig;
import io.understudy.jetty.UnderstudySessionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.session.AbstractSessionManager;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Jetty 12.1. */
final class JettyOfBoot4 {

    private JettyOfBoot4() {}

    static void replicate(WebServerFactory factory, UnderstudyConfig config) {
        ((ConfigurableJettyWebServerFactory) factory).addServerCustomizers(server -> replicate(server, config));
    }

    private static void replicate(Server server, UnderstudyConfig config) {
        // server.servlet.session.persistent gives a context a cache of its own, and then none is asked of the server.
        for (AbstractSessionManager sessions : server.getContainedBeans(AbstractSessionManager.class)) {
            sessions.setSessionCache(null);
        }
        server.addBean(new UnderstudySessionFactory(config));
    }
}
