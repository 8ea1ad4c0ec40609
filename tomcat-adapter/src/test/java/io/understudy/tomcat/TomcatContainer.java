package io.understudy.tomcat;

import io.understudy.Understudy;
import io.understudy.contract.Application;
import io.understudy.contract.ContractContainer;
import io.understudy.contract.Topology;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.session.ManagerBase;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.websocket.server.WsSci;

/** Tomcat, for the contract that all containers keep. */
final class TomcatContainer implements ContractContainer {

    private static final int SECONDS_PER_MINUTE = 60;

    private static final class TomcatServer implements Node {

        private final Tomcat tomcat = new Tomcat();

        TomcatServer(Topology topology, Application application, Optional<Understudy> node) throws Exception {
            Path base = Files.createTempDirectory("understudy-tomcat");
            tomcat.setBaseDir(base.toString());
            TomcatNode.listen(tomcat);
            tomcat.getEngine().setBackgroundProcessorDelay(1);
            StandardContext context = (StandardContext) tomcat.addContext(Application.PATH, base.toString());
            deploy(application, context);
            ManagerBase manager = node.isPresent() ? new UnderstudyManager(node.get()) : new StandardManager();
            manager.setProcessExpiresFrequency(1);
            context.setManager(manager);
            if (topology.dropping()) {
                tomcat.getEngine().getPipeline().addValve(new Dropping((UnderstudyManager) manager));
            }
            tomcat.start();
        }

        private static void deploy(Application application, StandardContext context) {
            Wrapper servlet = Tomcat.addServlet(context, "tasks", application.servlet());
            servlet.setAsyncSupported(true);
            servlet.addMapping(Application.SERVLET_MAPPING);
            servlet.addMapping(Application.ERROR_PAGE);
            FilterDef filter = new FilterDef();
            filter.setFilterName("tasks");
            filter.setFilter(application.filter());
            filter.setAsyncSupported("true");
            context.addFilterDef(filter);
            FilterMap all = new FilterMap();
            all.setFilterName("tasks");
            all.addURLPattern("/*");
            context.addFilterMap(all);
            context.addApplicationLifecycleListener(application.listener());
            context.addApplicationEventListener(application.listener());
            ErrorPage status = new ErrorPage();
            status.setErrorCode(Application.ERROR_STATUS);
            status.setLocation(Application.ERROR_PAGE);
            context.addErrorPage(status);
            ErrorPage exception = new ErrorPage();
            exception.setExceptionType(Throwable.class.getName());
            exception.setLocation(Application.ERROR_PAGE);
            context.addErrorPage(exception);
            context.addServletContainerInitializer(new WsSci(), null);
            context.addServletContainerInitializer((classes, servlets) -> open(servlets, application), null);
            context.setSessionTimeout(Application.INTERVAL_SECONDS / SECONDS_PER_MINUTE);
        }

        /** After {@link WsSci}: initializers run in the order in which they were added. */
        private static void open(ServletContext servlets, Application application) throws ServletException {
            ServerContainer sockets = (ServerContainer) servlets.getAttribute(ServerContainer.class.getName());
            try {
                sockets.addEndpoint(application.endpoint());
            } catch (DeploymentException e) {
                throw new ServletException(e);
            }
        }

        @Override
        public int port() {
            return tomcat.getConnector().getLocalPort();
        }

        @Override
        public void close() {
            try {
                tomcat.stop();
                tomcat.destroy();
            } catch (LifecycleException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Makes each request begin without objects of earlier ones. */
    private static final class Dropping extends ValveBase {

        private final UnderstudyManager manager;

        Dropping(UnderstudyManager manager) {
            super(true);
            this.manager = manager;
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            for (UnderstudySession session : manager.objects()) {
                if (!session.inUse()) {
                    manager.forget(session);
                }
            }
            getNext().invoke(request, response);
        }
    }

    @Override
    public Node start(Topology topology, Application application, Optional<Understudy> node) throws Exception {
        return new TomcatServer(topology, application, node);
    }
}
