package io.understudy.tomcat.container;

import io.understudy.UnderstudyVersion;
import io.understudy.config.ConfigException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.util.ServerInfo;

/**
 * Whether the adapter can work with the Tomcat that is there. Asked by the constructors of what Tomcat makes by name, before
 * they touch any class that another Tomcat may not have.
 */
public final class TomcatVersion {

    private static final Logger LOG = System.getLogger(TomcatVersion.class.getName());

    /** The newest that the tests run on. */
    private static final int TESTED = 11;

    /** Of the Servlet API 6.0, which Tomcat 10.1 is the first to have. Version numbers may be hidden by who runs the server. */
    private static final String NEEDED = "jakarta.servlet.ServletConnection";

    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private TomcatVersion() {}

    /** @throws ConfigException if the Tomcat is too old, or the core is of another release than this adapter */
    public static void require() {
        UnderstudyVersion.require(TomcatVersion.class);
        check(ServerInfo.getServerInfo(), ServerInfo.getServerNumber(), TomcatVersion.class.getClassLoader());
    }

    static void check(String server, String number, ClassLoader loader) {
        try {
            Class.forName(NEEDED, false, loader);
        } catch (ClassNotFoundException e) {
            throw new ConfigException("this server is " + server
                    + ", which has no Servlet API 6.0: expected Tomcat 10.1 or 11. Run the application on one of "
                    + "these, or remove Understudy's Manager, Valve and Listener from the configuration");
        }
        if (major(number) > TESTED && !TOLD.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    "this server is {0}, which this release of Understudy was not tested with: expected Tomcat 10.1 "
                            + "or 11. The server starts anyway; check for a newer release of Understudy",
                    server);
        }
    }

    /** 0 if it is hidden. */
    private static int major(String number) {
        int end = number.indexOf('.');
        try {
            return Integer.parseInt(end < 0 ? number : number.substring(0, end));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
