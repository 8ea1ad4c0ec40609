package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.ChildFirst;
import io.understudy.testkit.ClassJar;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.session.DefaultSessionCache;
import org.eclipse.jetty.session.DefaultSessionCacheFactory;
import org.eclipse.jetty.session.NullSessionDataStore;
import org.eclipse.jetty.session.NullSessionDataStoreFactory;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers and contexts that were told of other session caches and stores, or bring Understudy themselves. */
@Tag("container")
@Timeout(300)
final class ConflictingBeansIT {

    private final UnderstudyConfig config = LoopbackCluster.configs(1).get(0);

    @TempDir
    private Path directory;

    @Test
    void aServerWithAnotherFactoryDoesNotStart() {
        refuses(new DefaultSessionCacheFactory(), DefaultSessionCacheFactory.class.getName());
        refuses(new NullSessionDataStoreFactory(), NullSessionDataStoreFactory.class.getName());
        refuses(new UnderstudySessionFactory(config), "two beans UnderstudySessionFactory");
    }

    private void refuses(Object bean, String named) {
        for (boolean first : List.of(true, false)) {
            Server server = new Server();
            server.addBean(first ? bean : new UnderstudySessionFactory(config));
            server.addBean(first ? new UnderstudySessionFactory(config) : bean);
            String message = assertThrows(ConfigException.class, server::start).getMessage();
            assertTrue(message.contains(named) && message.contains("remove the other"), message);
        }
    }

    @Test
    void aContextWithACacheOfItsOwnIsNamedOnceAlsoWhenItIsDeployedLater() throws Exception {
        Server server = new Server();
        server.addBean(new UnderstudySessionFactory(config));
        ContextHandlerCollection contexts = new ContextHandlerCollection(
                context("/own"), new ServletContextHandler("/ours", ServletContextHandler.SESSIONS));
        server.setHandler(contexts);
        try (LogLines log = new LogLines("io.understudy")) {
            server.start();
            assertEquals(
                    1,
                    log.with("WARNING", "/own - ", DefaultSessionCache.class.getName())
                            .size());
            ServletContextHandler later = context("/later");
            Callback.Completable deployed = new Callback.Completable();
            contexts.deployHandler(later, deployed);
            deployed.get();
            later.start();
            contexts.manage(later);
            assertEquals(
                    1,
                    log.with("WARNING", "/later - ", DefaultSessionCache.class.getName())
                            .size());
            server.stop();
            assertEquals(2, log.with("are not replicated").size());
        }
    }

    private static ServletContextHandler context(String path) {
        ServletContextHandler context = JettyNode.webapp(Map.of(), List.of());
        context.setContextPath(path);
        DefaultSessionCache cache = new DefaultSessionCache(context.getSessionHandler());
        cache.setSessionDataStore(new NullSessionDataStore());
        context.getSessionHandler().setSessionCache(cache);
        return context;
    }

    @Test
    void anApplicationThatBringsUnderstudyIsNamedOnce() throws Exception {
        Path jar = ClassJar.of(Understudy.class, directory.resolve("WEB-INF/lib/understudy-core.jar"), "1.0.0");
        ServletContextHandler context = JettyNode.webapp(Map.of(), List.of());
        try (LogLines log = new LogLines("io.understudy");
                ChildFirst loader = new ChildFirst(List.of(jar.toUri().toURL()), List.of("io.understudy."), List.of());
                JettyNode node = JettyNode.of(config, context)) {
            context.setClassLoader(loader);
            node.start();
            assertEquals(1, log.with("WARNING", "/app@node1 - ", jar.toString()).size());
        }
    }
}
