package io.understudy.junit.servers;

import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Container;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Manager;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.DirResourceSet;
import org.apache.catalina.webresources.FileResourceSet;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Starts a Tomcat with a {@link WarApplication}, under a class loader of its own. */
final class WarServer {

    private static final String CLASSES = "/WEB-INF/classes";
    private static final String LIBRARIES = "/WEB-INF/lib/";
    private static final String JSP = "org.apache.jasper.servlet.JspServlet";

    private final WarApplication application;
    private final Path base;
    private final Tomcat tomcat = new Tomcat();
    private final RunningRequests requests = new RunningRequests();
    private final StandardContext context;

    private WarServer(WarApplication application, Path base) {
        this.application = application;
        this.base = base;
        tomcat.setBaseDir(base.toString());
        tomcat.setSilent(true);
        this.context = (StandardContext) tomcat.addWebapp(
                application.contextPath(), application.directory().toString());
    }

    /** @throws IllegalStateException if the application does not start */
    static TomcatServer start(String name, WarApplication application, Manager manager) {
        Path base;
        try {
            base = TemporaryFiles.directory("tomcat");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        WarServer server = new WarServer(application, base);
        boolean started = false;
        try {
            server.configure(manager);
            server.tomcat.start();
            if (!server.context.getState().isAvailable()) {
                throw new IllegalStateException("the application in " + application.directory() + " did not start on "
                        + name + "; see what Tomcat logged");
            }
            started = true;
            return new TomcatServer(name, server.context, server.requests, server::stop);
        } catch (LifecycleException e) {
            throw new IllegalStateException(
                    "the application in " + application.directory() + " did not start on " + name, e);
        } finally {
            if (!started) {
                server.stop();
            }
        }
    }

    private void configure(Manager manager) {
        Connector connector = new Connector();
        connector.setProperty("address", TomcatServer.LOOPBACK);
        connector.setPort(0);
        tomcat.setConnector(connector);
        TomcatServer.prepare(tomcat.getEngine(), requests);
        context.addLifecycleListener(event -> {
            if (event.getType().equals(Lifecycle.BEFORE_START_EVENT)) {
                context.setManager(manager); // In place of one that META-INF/context.xml configures.
                withoutJsp();
            }
        });
        // What these look for needs packages of the JDK that a test does not open, and nothing outlives a test's JVM.
        context.setClearReferencesObjectStreamClassCaches(false);
        context.setClearReferencesRmiTargets(false);
        context.setClearReferencesThreadLocals(false);
        if (application.classes().isEmpty()) {
            isolate();
        } else {
            context.setParentClassLoader(TomcatServer.CLASS_PATH);
            addClasses();
        }
    }

    private void isolate() {
        context.setParentClassLoader(TomcatServer.CONTAINER);
        ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false);
        initialize("org.apache.jasper.servlet.JasperInitializer");
        initialize("org.apache.tomcat.websocket.server.WsSci");
    }

    /** Tomcat would find these on the class path. */
    private void initialize(String initializer) {
        if (present(initializer)) {
            try {
                ServletContainerInitializer made = Class.forName(initializer, true, TomcatServer.CLASS_PATH)
                        .asSubclass(ServletContainerInitializer.class)
                        .getConstructor()
                        .newInstance();
                context.addServletContainerInitializer(made, null);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(initializer + " of this Tomcat can't be used", e);
            }
        }
    }

    private void addClasses() {
        StandardRoot resources = new StandardRoot(context);
        for (Path each : application.classes()) {
            resources.addPreResources(
                    Files.isDirectory(each)
                            ? new DirResourceSet(resources, CLASSES, each.toString(), "/")
                            : new FileResourceSet(resources, LIBRARIES + each.getFileName(), each.toString(), "/"));
        }
        context.setResources(resources);
    }

    /** Tomcat's default has a servlet for JSPs, which can't be loaded if the class path has none. */
    private void withoutJsp() {
        Container jsp = context.findChild("jsp");
        if (jsp != null && !present(JSP)) {
            context.removeServletMapping("*.jsp");
            context.removeServletMapping("*.jspx");
            context.removeChild(jsp);
        }
    }

    private static boolean present(String type) {
        return TomcatServer.CLASS_PATH.getResource(type.replace('.', '/') + ".class") != null;
    }

    private void stop() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException("the server with " + application.directory() + " did not stop", e);
        } finally {
            TemporaryFiles.delete(base);
        }
    }
}
