package io.understudy.springboot;

import io.understudy.springboot.BootNode.Container;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
final class StartOfBoot3IT extends StartContract {

    StartOfBoot3IT() {
        super(Container.TOMCAT);
    }

    @Test
    void jettyIsRefused() throws IOException {
        assertRefused(
                Container.JETTY,
                List.of(
                        "expected a servlet application with Tomcat on Spring Boot 3 or 4, or with Jetty 12.1 on Spring Boot 4, got",
                        "org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory of Spring Boot 3.",
                        " with Jetty 12.0.",
                        "Upgrade to Spring Boot 4, or use Tomcat"));
    }
}
