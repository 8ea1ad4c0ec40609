package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.LogLines;
import io.understudy.tomcat.UnderstudyManager;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatWebServer;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application defines itself, and what makes replication pointless. */
@Tag("container")
final class ReplicatingServersTest {

    private static final String CLUSTER = "own-beans-" + ProcessHandle.current().pid();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnBeans {

        @Bean
        TomcatServletWebServerFactory servers() {
            return new TomcatServletWebServerFactory();
        }

        @Bean
        UnderstudyConfig understudySettings() {
            return ReplicatingServersTest.settings("own");
        }

        /** Of the name that Spring Session's has. */
        @Bean
        String springSessionRepositoryFilter() {
            return "";
        }
    }

    @Test
    void theApplicationsOwnServersAndSettingsAreUsedAndSpringSessionIsTold() {
        try (LogLines log = new LogLines(ReplicatingServers.class.getName())) {
            try (ServletWebServerApplicationContext application = (ServletWebServerApplicationContext)
                    SpringApplication.run(OwnBeans.class, "--server.port=0", "--spring.main.banner-mode=off")) {
                TomcatWebServer server = (TomcatWebServer) application.getWebServer();
                Context context = (Context) server.getTomcat().getHost().findChildren()[0];
                assertInstanceOf(UnderstudyManager.class, context.getManager());
                assertEquals(
                        CLUSTER, application.getBean(Understudy.class).config().clusterName());
            }
            assertEquals(
                    1, log.with("WARNING", "Spring Session keeps the sessions").size());
        }
        // Nobody uses its node any more: else one with other settings is refused.
        Understudy.shared(settings("another")).close();
    }

    private static UnderstudyConfig settings(String nodeName) {
        return UnderstudyConfig.builder()
                .clusterName(CLUSTER)
                .nodeName(nodeName)
                .bind("127.0.0.1", 17_820)
                .build();
    }
}
