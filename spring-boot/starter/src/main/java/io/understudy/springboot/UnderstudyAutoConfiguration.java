package io.understudy.springboot;

import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Replicates the sessions of the embedded server of a web application: Tomcat with Spring Boot 3 and 4, Jetty with Spring
 * Boot 4. The settings are the properties below {@code understudy}, or those of the application's own {@link
 * UnderstudyConfig} bean. {@code understudy.enabled=false} switches it off.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@Conditional(OnEnabled.class)
public final class UnderstudyAutoConfiguration {

    UnderstudyAutoConfiguration() {}

    /** @throws ConfigException if a property is unknown or its value malformed: the application does not start */
    @Bean
    @ConditionalOnMissingBean
    UnderstudyConfig understudyConfig(Environment environment) {
        return new PropertySettings(environment).read();
    }

    /**
     * The node, which the server's applications share; for injection, too. Starts when the server is made: tests without a
     * server have none. Its own use of the node is over before the server's, which stops later and still commits.
     *
     * @throws ConfigException if a port is taken or an address is not of this machine
     */
    @Bean(destroyMethod = "close")
    @Lazy
    Understudy understudy(UnderstudyConfig config) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // The channel's threads inherit this thread's loader, and may outlive the application that developer tools
        // restart.
        thread.setContextClassLoader(Understudy.class.getClassLoader());
        try {
            return Understudy.shared(config);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Bean
    DeploymentWarning understudyDeployment(ApplicationContext application) {
        return new DeploymentWarning(application);
    }

    @Bean
    TrafficState understudyTrafficState(ApplicationContext application) {
        return new TrafficState(application);
    }

    /** An application of Spring Boot 4 that is made for a container does not have the classes that this names. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.web.server.WebServerFactoryCustomizer")
    static class EmbeddedServers {

        EmbeddedServers() {}

        @Bean
        WebServerFactoryCustomizer<WebServerFactory> understudyServers(
                ApplicationContext application,
                ObjectProvider<UnderstudyConfig> config,
                ObjectProvider<Understudy> node,
                DeploymentWarning deployment,
                TrafficState traffic) {
            return new ReplicatingServers(application, config, node, deployment, traffic);
        }
    }
}
