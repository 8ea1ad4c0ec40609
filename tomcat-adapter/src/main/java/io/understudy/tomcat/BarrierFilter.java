package io.understudy.tomcat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.Arrays;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Response;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/**
 * The barrier behind pages that Tomcat finishes the response after inside the host valve: error pages, and those that an
 * authenticator forwards to, with Tomcat's own response in place of the one that the application is to have.
 *
 * <p>Threads: request threads; it has no state.
 */
final class BarrierFilter implements Filter {

    private static final String NAME = "io.understudy.tomcat.barrier";

    private BarrierFilter() {}

    /** Makes it the first filter of errors and forwards. To be called before the context starts its filters. */
    static void install(Context context) {
        FilterDef definition = new FilterDef();
        definition.setFilterName(NAME);
        definition.setFilterClass(BarrierFilter.class.getName());
        definition.setFilter(new BarrierFilter());
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        if (Arrays.stream(context.findFilterMaps()).anyMatch(map -> NAME.equals(map.getFilterName()))) {
            return;
        }
        FilterMap mapping = new FilterMap();
        mapping.setFilterName(NAME);
        mapping.addURLPattern("/*");
        mapping.setDispatcher(DispatcherType.ERROR.name());
        mapping.setDispatcher(DispatcherType.FORWARD.name());
        context.addFilterMapBefore(mapping);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean tomcats = response instanceof Response;
        chain.doFilter(request, tomcats ? ((Response) response).getResponse() : response);
        RequestScope scope = RequestScope.current();
        if (scope != null && (tomcats || request.getDispatcherType() == DispatcherType.ERROR)) {
            scope.settleOrRefuse();
        }
    }
}
