package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.classes.ClassList;
import io.understudy.doctor.Finding;
import io.understudy.doctor.Kind;
import io.understudy.doctor.SessionDoctor;
import jakarta.servlet.Filter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockServletContext;
import org.springframework.security.core.session.SessionInformation;
import org.springframework.security.core.session.SessionRegistry;
import org.springframework.security.core.session.SessionRegistryImpl;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.session.ConcurrentSessionFilter;
import org.springframework.security.web.session.DisableEncodeUrlFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.GenericWebApplicationContext;

/** The session doctor looks for {@code maximumSessions} of Spring Security, in contexts made with Spring's own classes. */
@Tag("process")
class LocalRegistryTest {

    /** Stands for one in a database. */
    private static final class SharedRegistry implements SessionRegistry {
        @Override
        public List<Object> getAllPrincipals() {
            return List.of();
        }

        @Override
        public List<SessionInformation> getAllSessions(Object principal, boolean includeExpired) {
            return List.of();
        }

        @Override
        public SessionInformation getSessionInformation(String id) {
            return null;
        }

        @Override
        public void refreshLastRequest(String id) {}

        @Override
        public void registerNewSession(String id, Object principal) {}

        @Override
        public void removeSessionInformation(String id) {}
    }

    private final MockServletContext servlets = new MockServletContext();
    private final List<GenericWebApplicationContext> contexts = new ArrayList<>();
    private final ClassLoader loader = getClass().getClassLoader();
    private final GuardedCodec codec = new GuardedCodec(() -> loader, Set.of(), "", ClassList.any());
    private final SessionDoctor doctor = new SessionDoctor("shop@node", codec, () -> loader, 1 << 20, 1 << 20);

    LocalRegistryTest() {
        doctor.endsOnce(() -> Collections.list(servlets.getAttributeNames()).stream()
                .map(servlets::getAttribute)
                .filter(Objects::nonNull)
                .toList());
    }

    @AfterEach
    void close() {
        contexts.forEach(GenericWebApplicationContext::close);
        codec.close();
    }

    private void start(String attribute, Filter... filters) {
        GenericWebApplicationContext context = new GenericWebApplicationContext(servlets);
        context.registerBean(
                "springSecurityFilterChain",
                FilterChainProxy.class,
                () -> new FilterChainProxy(new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, filters)));
        context.refresh();
        contexts.add(context);
        servlets.setAttribute(attribute, context);
    }

    private List<Finding> findings() {
        doctor.examine(List.of(), 0);
        assertEquals(0, doctor.failures());
        return doctor.findings();
    }

    @Test
    void maximumSessionsIsFoundOnce() {
        start(
                WebApplicationContext.ROOT_WEB_APPLICATION_CONTEXT_ATTRIBUTE,
                new DisableEncodeUrlFilter(),
                new ConcurrentSessionFilter(new SessionRegistryImpl()));
        Finding finding = findings().get(0);
        assertEquals(Kind.LOCAL_REGISTRY, finding.kind());
        assertTrue(finding.toString().contains("endEvents = everywhere"), finding::toString);
        assertEquals(1, findings().size());
    }

    @Test
    void aContextThatStartsLaterIsFound() {
        servlets.setAttribute("text", "a value of the application");
        assertEquals(List.of(), findings());
        start(
                "org.springframework.web.servlet.FrameworkServlet.CONTEXT.shop",
                new ConcurrentSessionFilter(new SessionRegistryImpl()));
        assertEquals(1, findings().size());
    }

    @Test
    void aRegistryThatTheNodesShareIsNoFinding() {
        start(
                WebApplicationContext.ROOT_WEB_APPLICATION_CONTEXT_ATTRIBUTE,
                new ConcurrentSessionFilter(new SharedRegistry()));
        assertEquals(List.of(), findings());
    }

    @Test
    void aLoginWithoutMaximumSessionsIsNoFinding() {
        start(WebApplicationContext.ROOT_WEB_APPLICATION_CONTEXT_ATTRIBUTE, new DisableEncodeUrlFilter());
        assertEquals(List.of(), findings());
    }
}
