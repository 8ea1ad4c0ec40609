package io.understudy.tomcat;

import jakarta.servlet.ServletContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import org.apache.catalina.Cluster;
import org.apache.catalina.Context;
import org.apache.catalina.Manager;

/** What stands beside a manager in Tomcat's configuration and is not what it looks like: told once, with the way out. */
final class ContextChecks {

    private static final Logger LOG = System.getLogger(UnderstudyManager.class.getName());

    private ContextChecks() {}

    static void started(UnderstudyManager manager) {
        Context context = manager.getContext();
        Cluster cluster = context.getCluster();
        if (cluster != null) {
            LOG.log(
                    Level.WARNING,
                    "{0} - the <Cluster> of {1} ({2}) does not replicate the sessions of this application: its "
                            + "UnderstudyManager does. Remove the <Cluster>, unless other applications use it",
                    manager,
                    cluster.getContainer() == null ? context : cluster.getContainer(),
                    cluster.getClass().getName());
        }
        // Without the file there is nothing to add to: embedded, and servlets by annotations.
        if (!context.getDistributable()
                && context.getResources() != null
                && context.getResources().getResource("/WEB-INF/web.xml").exists()) {
            LOG.log(
                    Level.INFO,
                    "{0} - its web.xml, or a web-fragment.xml of its jars, has no <distributable/>; Understudy "
                            + "replicates its sessions anyway. Add <distributable/> if the application can run on "
                            + "several nodes at once: Understudy does not need it, but other containers replicate "
                            + "distributable applications only",
                    manager);
        }
    }

    /** What the application put into its servlet context. */
    static Collection<Object> contextAttributes(Context context) {
        ServletContext servlets = context.getServletContext();
        return Collections.list(servlets.getAttributeNames()).stream()
                .map(servlets::getAttribute)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Tomcat takes the last Manager that it reads, and destroys those before it. */
    static void destroyed(UnderstudyManager manager, Set<String> settings) {
        Context context = manager.getContext();
        Manager successor = context == null ? null : context.getManager();
        if (successor != null && successor != manager) {
            LOG.log(
                    Level.WARNING,
                    "{0} - two Managers: the UnderstudyManager with the settings {1} was replaced by {2}, so these "
                            + "settings have no effect{3}. Remove one of them: conf/context.xml is read first, then "
                            + "the context.xml.default "
                            + "of the host, then the application''s own",
                    manager,
                    settings,
                    successor.getClass().getName(),
                    successor instanceof UnderstudyManager ? "" : ", and sessions are not replicated");
        }
    }
}
