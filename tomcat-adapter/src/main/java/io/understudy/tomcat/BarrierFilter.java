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
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/**
 * The barrier behind an application's error page: Tomcat finishes the response right after it, inside the host valve.
 *
 * <p>Threads: request threads; it has no state.
 */
final class BarrierFilter implements Filter {

    private static final String NAME = "io.understudy.tomcat.barrier";

    private BarrierFilter() {}

    /** Makes it the first filter of error dispatches. To be called before the context starts its filters. */
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
        context.addFilterMapBefore(mapping);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        RequestScope scope = RequestScope.current();
        if (scope != null) {
            scope.settleOrRefuse();
        }
    }
}
