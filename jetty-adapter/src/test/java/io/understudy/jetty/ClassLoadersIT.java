package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.ChangingApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that is redeployed again and again, with other classes each time, leaves none of them behind; the
 * other node has the ones before.
 */
@Tag("container")
@Timeout(300)
final class ClassLoadersIT {

    private static final int REDEPLOYMENTS = 20;

    @TempDir
    private Path directory;

    private final List<ContextHandlerCollection> contexts = new ArrayList<>();

    @Test
    void theLoadersOfAllRedeploymentsAreCollected() throws Exception {
        ChangingApplication.compile(classes(0), ChangingApplication.sources(0));
        try (JettyCluster cluster = JettyCluster.of(2).start(config -> {
            ContextHandlerCollection handlers = new ContextHandlerCollection(application(0));
            contexts.add(handlers);
            return JettyNode.of(config, handlers);
        })) {
            Browser browser = new Browser();
            StringBuilder cart = new StringBuilder();
            List<WeakReference<ClassLoader>> old = new ArrayList<>();
            for (int version = 1; version <= REDEPLOYMENTS; version++) {
                ChangingApplication.compile(classes(version), ChangingApplication.sources(version));
                int node = version % 2;
                old.add(redeploy(cluster.node(node), contexts.get(node), version));
                cart.append("v").append(version).append(' ');
                assertEquals(cart.toString(), browser.get(cluster.node(node), "/app/cart?item=v" + version));
            }
            Await.that("the loaders of stopped applications are collected", () -> {
                System.gc();
                return old.stream().allMatch(loader -> loader.get() == null);
            });
        }
    }

    private Path classes(int version) {
        return directory.resolve("v" + version);
    }

    private ServletContextHandler application(int version) {
        try {
            ServletContextHandler context = new ServletContextHandler("/app", ServletContextHandler.SESSIONS);
            URL[] urls = {classes(version).toUri().toURL()};
            context.setClassLoader(new URLClassLoader(urls, ClassLoadersIT.class.getClassLoader()));
            context.addServlet(ChangingApplication.SERVLET, "/cart");
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the loader of the application before */
    private WeakReference<ClassLoader> redeploy(JettyNode node, ContextHandlerCollection handlers, int version)
            throws Exception {
        ServletContextHandler old =
                (ServletContextHandler) handlers.getHandlers().get(0);
        WeakReference<ClassLoader> loader = new WeakReference<>(old.getClassLoader());
        ServletContextHandler renewed = application(version);
        renewed.setServer(node.server);
        renewed.start();
        Callback.Completable redeployed = new Callback.Completable();
        handlers.redeployHandler(old, renewed, redeployed);
        redeployed.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        Await.that("ready", () -> node.understudy.readiness().ready());
        return loader;
    }
}
