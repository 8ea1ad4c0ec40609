package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import io.understudy.doctor.findings.Finding;
import io.understudy.doctor.findings.Kind;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.Forgetful;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.core.session.SessionRegistryImpl;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.session.ConcurrentSessionFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/** The session doctor finds Spring Security's {@code maximumSessions} in the servlet context of the application. */
@Timeout(300)
public abstract class LocalRegistryContract {

    protected abstract ContractContainer container();

    /** As an application with {@code maximumSessions} has it. */
    private static GenericApplicationContext spring() {
        GenericApplicationContext spring = new GenericApplicationContext();
        spring.registerBean(
                FilterChainProxy.class,
                () -> new FilterChainProxy(new DefaultSecurityFilterChain(
                        AnyRequestMatcher.INSTANCE, new ConcurrentSessionFilter(new SessionRegistryImpl()))));
        spring.refresh();
        return spring;
    }

    /** What the doctor has found when this kind is among it. */
    private List<Kind> found(String endEvents, Kind awaited) throws Exception {
        Map<Setting, String> settings = Map.of(Setting.SESSION_DOCTOR, "log", Setting.END_EVENTS, endEvents);
        try (GenericApplicationContext spring = spring();
                Servers servers = new Servers(container(), new Tasks(), 1, settings)) {
            boolean unused = servers.ask(new Browser(), 0, request -> {
                request.getServletContext().setAttribute("spring", spring);
                request.getSession().setAttribute("user", new Forgetful());
                return true;
            });
            Await.until(Await.LIMIT, () -> kinds(servers), () -> kinds(servers).contains(awaited));
            return kinds(servers);
        }
    }

    private static List<Kind> kinds(Servers servers) {
        return servers.cluster().node(0).findings().stream().map(Finding::kind).toList();
    }

    @Test
    void itIsFoundIfOneNodeIsNotifiedOfAnEnd() throws Exception {
        assertEquals(List.of(Kind.DIFFERENT, Kind.LOCAL_REGISTRY), found("once", Kind.LOCAL_REGISTRY));
    }

    @Test
    void itIsNoFindingIfAllNodesAreNotifiedOfAnEnd() throws Exception {
        assertEquals(List.of(Kind.DIFFERENT), found("everywhere", Kind.DIFFERENT));
    }
}
