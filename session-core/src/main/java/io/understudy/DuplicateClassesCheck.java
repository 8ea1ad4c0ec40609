package io.understudy;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URL;

/**
 * An application that brings Understudy's classes itself, although its container has them. Its own calls, such as {@link
 * Understudy#shared}, then meet other classes than those that replicate its sessions.
 */
final class DuplicateClassesCheck {

    private static final Logger LOG = System.getLogger(DuplicateClassesCheck.class.getName());

    private static final String FILE = "io/understudy/Understudy.class";

    private DuplicateClassesCheck() {}

    /** Looks for the file of a class only: nothing of the second copy is loaded. */
    static void warn(String label, ClassLoader application) {
        URL own = Understudy.class.getResource("Understudy.class");
        URL found = application.getResource(FILE);
        if (own != null && found != null && !found.toString().equals(own.toString())) {
            LOG.log(
                    Level.WARNING,
                    "{0} - has Understudy twice: the application contains {1}, but the container replicates its "
                            + "sessions with {2}. Remove Understudy from the application (WEB-INF/lib; with Maven: "
                            + "scope "
                            + "provided)",
                    label,
                    jar(found),
                    jar(own));
        }
    }

    private static String jar(URL file) {
        String at = file.toString();
        return at.substring(at.startsWith("jar:") ? "jar:".length() : 0, at.length() - FILE.length())
                .replaceFirst("!/$", "");
    }
}
