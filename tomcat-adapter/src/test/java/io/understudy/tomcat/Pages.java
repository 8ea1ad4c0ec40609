package io.understudy.tomcat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.catalina.Wrapper;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

/** A test's web application: pages by path, and what else it does to its context. Deployed unchanged on each node. */
final class Pages {

    interface Page {
        void serve(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private final Map<String, Page> pages = new LinkedHashMap<>();
    private final List<Consumer<StandardContext>> customizers = new ArrayList<>();

    Pages on(String path, Page page) {
        pages.put(path, page);
        return this;
    }

    Pages with(Consumer<StandardContext> customizer) {
        customizers.add(customizer);
        return this;
    }

    void deployOn(StandardContext context) {
        customizers.forEach(customizer -> customizer.accept(context));
        pages.forEach((path, page) -> {
            Wrapper servlet = Tomcat.addServlet(context, path, new PageServlet(page));
            servlet.setAsyncSupported(true);
            servlet.addMapping(path);
        });
    }

    private static final class PageServlet extends HttpServlet {

        private final transient Page page;

        PageServlet(Page page) {
            this.page = page;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                page.serve(request, response);
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
