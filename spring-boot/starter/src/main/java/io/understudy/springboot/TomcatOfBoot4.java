package io.understudy.springboot;

import io.understudy.config.UnderstudyConfig;
import io.understudy.tomcat.UnderstudyManager;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Tomcat 11. */
final class TomcatOfBoot4 {

    private TomcatOfBoot4() {}

    /** The manager replaces the one that {@code server.servlet.session.persistent} sets. */
    static void replicate(WebServerFactory factory, UnderstudyConfig config) {
        ((ConfigurableTomcatWebServerFactory) factory)
                .addContextCustomizers(context -> context.setManager(new UnderstudyManager(config)));
    }
}
