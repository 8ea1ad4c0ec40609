package io.understudy.junit.servers;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Manager;
import org.apache.catalina.core.StandardContext;
import org.jspecify.annotations.Nullable;

/**
 * Starts a {@link BootApplication}. Spring is loaded anew for each server, and this module needs none: the names are those
 * of Spring Boot 3 and 4.
 */
final class BootServer {

    private static final String SPRING_APPLICATION = "org.springframework.boot.SpringApplication";
    private static final String INITIALIZER = "org.springframework.context.ApplicationContextInitializer";
    private static final String APPLICATION_CONTEXT = "org.springframework.context.ConfigurableApplicationContext";
    private static final String BEANS = "org.springframework.beans.factory.config.SingletonBeanRegistry";

    /** Of Spring Boot 3, and of 4. */
    private static final List<String> CUSTOMIZERS = List.of(
            "org.springframework.boot.web.embedded.tomcat.TomcatContextCustomizer",
            "org.springframework.boot.tomcat.TomcatContextCustomizer");

    private final ClassLoader loader;
    private final Manager manager;
    private final RunningRequests requests = new RunningRequests();
    private final AtomicReference<@Nullable StandardContext> context = new AtomicReference<>();

    private BootServer(ClassLoader loader, Manager manager) {
        this.loader = loader;
        this.manager = manager;
    }

    /** @throws IllegalStateException if the application does not start, or has no embedded Tomcat */
    static TomcatServer start(String name, BootApplication application, Manager manager) {
        URLClassLoader loader = new URLClassLoader(name, BootApplication.classPath(), TomcatServer.CONTAINER);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        boolean started = false;
        try {
            TomcatServer server = new BootServer(loader, manager).start(name, application, () -> close(loader));
            started = true;
            return server;
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(
                    application.main() + " did not start on " + name + ": " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "'application' of @FailoverTest is " + application.main()
                            + ": expected a class of a Spring Boot 3 or 4"
                            + " application with spring-boot-starter-web on the class path of the test",
                    e);
        } finally {
            thread.setContextClassLoader(before);
            if (!started) {
                close(loader);
            }
        }
    }

    private TomcatServer start(String name, BootApplication application, Runnable afterwards)
            throws ReflectiveOperationException {
        Class<?> type = loader.loadClass(SPRING_APPLICATION);
        Class<?>[] sources = {loader.loadClass(application.main())};
        Object spring = type.getConstructor(Class[].class).newInstance((Object) sources);
        Class<?> initializer = loader.loadClass(INITIALIZER);
        Object initializers = Array.newInstance(initializer, 1);
        Array.set(initializers, 0, proxy(initializer, this::register));
        type.getMethod("addInitializers", initializers.getClass()).invoke(spring, initializers);
        Closeable running =
                (Closeable) type.getMethod("run", String[].class).invoke(spring, (Object) application.arguments());
        StandardContext deployed = context.get();
        if (deployed == null) {
            close(running);
            throw new IllegalStateException(application.main() + " has no embedded Tomcat: expected"
                    + " spring-boot-starter-tomcat on the class path, and no other server");
        }
        return new TomcatServer(name, deployed, requests, () -> {
            try {
                close(running);
            } finally {
                afterwards.run();
            }
        });
    }

    /** Adds a bean that Spring Boot calls when it has made the server. */
    private void register(Object applicationContext) {
        try {
            Object beans = loader.loadClass(APPLICATION_CONTEXT)
                    .getMethod("getBeanFactory")
                    .invoke(applicationContext);
            for (String customizer : CUSTOMIZERS) {
                if (present(customizer)) {
                    Object bean = proxy(loader.loadClass(customizer), made -> customize((Context) made));
                    loader.loadClass(BEANS)
                            .getMethod("registerSingleton", String.class, Object.class)
                            .invoke(beans, "understudyFailoverTest", bean);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this release of Spring Boot has other names than 3.5 and 4.0", e);
        }
    }

    private boolean present(String type) {
        return loader.getResource(type.replace('.', '/') + ".class") != null;
    }

    /** The first is the application's; one of another port may follow. */
    private void customize(Context made) {
        if (context.compareAndSet(null, (StandardContext) made)) {
            made.setManager(manager);
            TomcatServer.prepare((Engine) made.getParent().getParent(), requests);
        }
    }

    /** An object of an interface of one method, which has one parameter and returns nothing. */
    private static Object proxy(Class<?> type, Consumer<Object> method) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, arguments) -> {
            if (called.getDeclaringClass() != Object.class) {
                method.accept(arguments[0]);
                return null;
            }
            return switch (called.getName()) {
                case "equals" -> self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                default -> "@FailoverTest";
            };
        });
    }

    private static void close(Closeable part) {
        try {
            part.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
