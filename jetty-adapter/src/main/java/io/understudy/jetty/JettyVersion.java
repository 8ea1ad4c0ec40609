package io.understudy.jetty;

import io.understudy.UnderstudyVersion;
import io.understudy.config.ConfigException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.Jetty;

/**
 * Whether the adapter can work with the Jetty that is there. Asked by the constructors of the session factory, before they
 * touch any class that another Jetty may not have.
 */
final class JettyVersion {

    private static final Logger LOG = System.getLogger(JettyVersion.class.getName());

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\b.*");

    private static final int MAJOR = 12;
    private static final int MINOR = 1;

    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private JettyVersion() {}

    /** @throws ConfigException if the Jetty is too old, or the core is of another release than this adapter */
    static void require() {
        UnderstudyVersion.require(JettyVersion.class);
        check(Jetty.VERSION);
    }

    static void check(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        if (!numbers.matches()) {
            return;
        }
        int major = Integer.parseInt(numbers.group(1));
        int minor = Integer.parseInt(numbers.group(2));
        if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
            throw new ConfigException(
                    "this server is Jetty " + version + ": expected Jetty 12.1. Run the applications on Jetty 12.1, "
                            + "which has the environments EE8 to EE11, or remove UnderstudySessionFactory from the "
                            + "configuration");
        }
        if ((major > MAJOR || minor > MINOR) && !TOLD.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    "this server is Jetty {0}, which this release of Understudy was not tested with: expected Jetty "
                            + "12.1. The server starts anyway; check for a newer release of Understudy",
                    version);
        }
    }
}
