package io.understudy.tomcat;

import io.understudy.tomcat.barrier.BarrierResponse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Response;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.jspecify.annotations.Nullable;

/**
 * The barrier behind pages that Tomcat finishes the response after inside the host valve: error pages, and those that
 * an authenticator forwards to, with Tomcat's own response in place of the one that the application is to have.
 *
 * <p>Threads: request threads; it has no state.
 */
final class BarrierFilter implements Filter {

    private static final String NAME = "io.understudy.tomcat.barrier";

    private BarrierFilter() {}

    /** Makes it the first filter of errors and forwards. To be called before the context starts its filters. */
    static void install(Context context) {
        suspendAfterForward(context);
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

    /**
     * Otherwise Tomcat 10.1 closes a response after a forward if it is wrapped, as each one is here. What follows
     * would come too late: an error page, or a change of the session.
     */
    private static void suspendAfterForward(Context context) {
        try {
            context.setSuspendWrappedResponseAfterForward(true);
        } catch (LinkageError e) {
            return; // Tomcat before 10.1.20 has no choice.
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean tomcats = response instanceof Response;
        ServletResponse barrier = tomcats ? ((Response) response).getResponse() : response;
        RequestScope current = RequestScope.current();
        boolean error = request.getDispatcherType() == DispatcherType.ERROR;
        // Tomcat shows the error page of an asynchronous request outside of a pass, and finishes its response behind
        // it. A forward outside of a pass is one of a thread of the application, whose changes are written through.
        RequestScope scope = current == null && error && BarrierResponse.barrierOf(barrier) instanceof RequestScope own
                ? own
                : current;
        if (scope == null) {
            chain.doFilter(request, barrier);
            return;
        }
        AtomicReference<@Nullable RequestScope> place = RequestScope.currentPlace();
        RequestScope outer = place.getPlain();
        place.setPlain(scope);
        try {
            chain.doFilter(request, barrier);
        } finally {
            place.setPlain(outer);
        }
        if (tomcats || error) {
            scope.settleOrRefuse();
        }
    }
}
