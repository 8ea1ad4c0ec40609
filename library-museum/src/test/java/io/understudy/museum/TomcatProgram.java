package io.understudy.museum;

import io.understudy.museum.ServerProcess.Options;
import io.understudy.tomcat.UnderstudyManager;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

/** An embedded Tomcat with the application of {@code LibraryServlet}, until its standard input is closed. */
final class TomcatProgram {

    private TomcatProgram() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.of(arguments);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(options.directory().toString());
        tomcat.setAddDefaultWebXmlToWebapp(false); // It has a servlet for JSPs, which are not on the class path.
        Connector connector = new Connector();
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(options.port());
        tomcat.setConnector(connector);
        StandardContext context = (StandardContext)
                (options.layout() == Layout.WAR
                        ? tomcat.addWebapp(
                                ServerProcess.CONTEXT, options.application().toString())
                        : tomcat.addContext(
                                ServerProcess.CONTEXT, options.directory().toString()));
        if (options.layout() == Layout.FLAT) {
            Wrapper servlet = Tomcat.addServlet(context, "libraries", WebApplication.SERVLET);
            servlet.setLoadOnStartup(1);
            servlet.addMapping("/*");
        }
        context.setFailCtxIfServletStartFails(true);
        UnderstudyManager manager = new UnderstudyManager();
        options.settings().forEach(manager::setProperty);
        context.setManager(manager);
        tomcat.start();
        if (!context.getState().isAvailable()) {
            throw new IllegalStateException("the application did not start: it is " + context.getStateName());
        }
        System.in.transferTo(System.out);
        System.exit(0);
    }
}
