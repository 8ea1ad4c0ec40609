package io.understudy.discovery;

import io.understudy.config.ConfigException;
import io.understudy.config.Discovery;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * The JDBC drivers that Understudy sees: the libraries beside it, which the JDK's DriverManager does not know where it looked for drivers before, as in
 * Tomcat, and those that were registered with it.
 */
final class Drivers {

    private Drivers() {}

    /** @throws ConfigException if none of them takes the URL */
    static Driver of(Discovery settings) {
        List<Driver> all = new ArrayList<>();
        Iterator<Driver> services =
                ServiceLoader.load(Driver.class, Drivers.class.getClassLoader()).iterator();
        while (next(services, all)) {
            if (takes(all.get(all.size() - 1), settings.database())) {
                return all.get(all.size() - 1);
            }
        }
        List<Driver> registered = DriverManager.drivers().toList();
        for (Driver driver : registered) {
            if (takes(driver, settings.database())) {
                return driver;
            }
        }
        all.addAll(registered);
        throw new ConfigException("setting 'discoveryDatabase' is '" + settings.shownDatabase()
                + "', for which no JDBC driver was found: put the driver's jar beside Understudy's (found: "
                + (all.isEmpty()
                        ? "none"
                        : all.stream()
                                .map(driver -> driver.getClass().getName())
                                .distinct()
                                .collect(Collectors.joining(", ")))
                + ")");
    }

    /** Adds the next one; one that can't be loaded is passed over. */
    private static boolean next(Iterator<Driver> services, List<Driver> all) {
        while (true) {
            try {
                if (!services.hasNext()) {
                    return false;
                }
                all.add(services.next());
                return true;
            } catch (ServiceConfigurationError e) {
                // A driver of another database, for another JDK or without its libraries.
            }
        }
    }

    private static boolean takes(Driver driver, String url) {
        try {
            return driver.acceptsURL(url);
        } catch (SQLException e) {
            return false;
        }
    }
}
