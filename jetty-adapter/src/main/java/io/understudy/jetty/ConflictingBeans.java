package io.understudy.jetty;

import io.understudy.config.ConfigException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.session.SessionCacheFactory;
import org.eclipse.jetty.session.SessionDataStoreFactory;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.component.Container;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * What else makes session caches and stores, so that sessions would silently not be replicated. As a bean of the server it
 * is refused: Jetty takes the first that it finds, for all contexts. That a context has a cache of its own is told, as that
 * can be meant.
 *
 * <p>As a listener of the server it is one of all that the server contains, also of what is deployed later.
 */
final class ConflictingBeans implements Container.InheritedListener, LifeCycle.Listener {

    private static final Logger LOG = System.getLogger(ConflictingBeans.class.getName());

    /** @throws ConfigException if the server has another factory than this one */
    static void refuse(Server server, UnderstudySessionFactory ours) {
        for (Object bean : server.getBeans()) {
            if (bean == ours) {
                continue;
            }
            if (bean instanceof UnderstudySessionFactory) {
                throw new ConfigException(
                        "the server has two beans UnderstudySessionFactory: expected one for all contexts; remove "
                                + "the other, and give a context its own settings with setApplicationProperty");
            }
            if (bean instanceof SessionCacheFactory || bean instanceof SessionDataStoreFactory) {
                throw new ConfigException(
                        "the server has the bean " + bean.getClass().getName()
                                + ", which also makes session caches or stores: expected UnderstudySessionFactory "
                                + "only, because Jetty uses the first such bean; remove the other, or the module "
                                + "that adds it (session-...)");
            }
        }
    }

    @Override
    public void lifeCycleStarted(LifeCycle event) {
        look(event);
    }

    /** What is started before it is added, as deployers do. */
    @Override
    public void beanAdded(Container parent, Object child) {
        if (child instanceof SessionManager manager && manager.isStarted()) {
            look(child);
        }
    }

    @Override
    public void beanRemoved(Container parent, Object child) {}

    private static void look(Object started) {
        if (started instanceof SessionManager manager
                && !(manager.getSessionCache() instanceof UnderstudySessionCache)) {
            Context context = manager.getContext();
            LOG.log(
                    Level.WARNING,
                    "{0} - its sessions are not replicated, because it has a session cache of its own, {1}. Remove "
                            + "that cache (setSessionCache, also in WEB-INF/jetty-web.xml): "
                            + "UnderstudySessionFactory then makes a cache that replicates",
                    context == null || context.getContextPath() == null ? manager : context.getContextPath(),
                    manager.getSessionCache() == null
                            ? "none"
                            : manager.getSessionCache().getClass().getName());
        }
    }
}
