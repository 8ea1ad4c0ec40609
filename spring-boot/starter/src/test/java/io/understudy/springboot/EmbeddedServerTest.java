package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Which servers are known. */
@Tag("rules")
final class EmbeddedServerTest {

    @Test
    void aFactoryOfTheApplicationsOwnIsKnownByTheOneItExtends() {
        assertEquals(EmbeddedServer.TOMCAT_OF_BOOT_3, EmbeddedServer.of(new TomcatServletWebServerFactory() {}));
    }

    @Test
    void reactiveApplicationsAndOtherServersAreRefused() {
        assertRefused(new TomcatReactiveWebServerFactory(), "TomcatReactiveWebServerFactory");
        assertRefused(new WebServerFactory() {}, EmbeddedServerTest.class.getName());
    }

    private static void assertRefused(WebServerFactory factory, String actual) {
        String message = assertThrows(UnsupportedServerException.class, () -> EmbeddedServer.of(factory))
                .getMessage();
        assertTrue(message.contains("expected a servlet application") && message.contains(actual), message);
    }
}
