package io.understudy.junit;

import java.net.URI;

/**
 * The application of a {@link FailoverTest} as a client sees it: one address on the loopback interface, for the whole run,
 * whichever node is behind it. The client has to keep its cookies.
 *
 * <p>Threads: any.
 */
public final class FailoverServer {

    private final String application;

    FailoverServer(int port, String contextPath) {
        this.application = "http://127.0.0.1:" + port + contextPath;
    }

    /**
     * The address of a page.
     *
     * @param pathAndQuery within the application, encoded, beginning with a slash
     * @throws IllegalArgumentException if it does not begin with a slash, or is no URI
     */
    public URI uri(String pathAndQuery) {
        if (!pathAndQuery.startsWith("/")) {
            throw new IllegalArgumentException("a path in the application begins with '/', found '" + pathAndQuery
                    + "'; write '/" + pathAndQuery + "'");
        }
        return URI.create(application + pathAndQuery);
    }

    @Override
    public String toString() {
        return application;
    }
}
