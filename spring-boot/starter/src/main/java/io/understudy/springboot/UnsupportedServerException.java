package io.understudy.springboot;

import org.springframework.boot.web.server.WebServerFactory;

/** The sessions of an embedded server can't be replicated; the message names what it is, and which ones can be. */
final class UnsupportedServerException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * @param factory what makes the server
     * @param boot Spring Boot's version
     * @param jetty Jetty's version; empty if it is another server
     */
    UnsupportedServerException(Class<? extends WebServerFactory> factory, String boot, String jetty) {
        super("Understudy can't replicate the sessions of this server: expected a servlet application with Tomcat on "
                + "Spring Boot 3 or 4, or with Jetty 12.1 on Spring Boot 4, got " + factory.getName()
                + " of Spring Boot " + boot
                + (jetty.isEmpty() ? "" : " with Jetty " + jetty));
    }
}
