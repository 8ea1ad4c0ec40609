package io.understudy.junit.sites;

import io.understudy.doctor.Likeness;
import io.understudy.doctor.findings.Finding;
import io.understudy.junit.servers.TomcatServer;
import java.util.List;
import java.util.Map;

/** The servers behind the address of one run. Threads: one at a time. */
public interface Site extends AutoCloseable {

    /** A run begins at the address with this port. */
    void begin(int port);

    /** Where the application is on its servers: empty for the root. */
    String contextPath();

    /** The name of the cookie with the session's id. */
    String sessionCookie();

    /**
     * The server for the next request.
     *
     * @param number of the request, from 1 on
     * @param quiet whether no other request is under way
     */
    TomcatServer next(int number, boolean quiet);

    /**
     * The attributes of a session after a request, by name; empty if there is none.
     *
     * @param answered the server of the request
     */
    Map<String, Likeness> session(TomcatServer answered, String id) throws InterruptedException;

    /** What the run did not test, in sentences. */
    List<String> notes();

    /** What the session doctor found. */
    List<Finding> findings();

    @Override
    void close();
}
