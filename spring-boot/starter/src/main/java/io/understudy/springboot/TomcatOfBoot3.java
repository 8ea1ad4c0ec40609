package io.understudy.springboot;

import io.understudy.config.UnderstudyConfig;
import io.understudy.tomcat.UnderstudyManager;
import org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Tomcat 10.1. */
final class TomcatOfBoot3 {

    private TomcatOfBoot3() {}

    /** The manager replaces the one that {@code server.servlet.session.persistent} sets. */
    static void replicate(WebServerFactory factory, UnderstudyConfig config) {
        ((ConfigurableTomcatWebServerFactory) factory)
                .addContextCustomizers(context -> context.setManager(new UnderstudyManager(config)));
    }
}
