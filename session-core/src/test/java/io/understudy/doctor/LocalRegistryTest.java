package io.understudy.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.classes.ClassList;
import io.understudy.doctor.findings.Finding;
import io.understudy.doctor.findings.Kind;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.core.session.SessionInformation;
import org.springframework.security.core.session.SessionRegistry;
import org.springframework.security.core.session.SessionRegistryImpl;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.debug.DebugFilter;
import org.springframework.security.web.session.ConcurrentSessionFilter;
import org.springframework.security.web.session.DisableEncodeUrlFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/** The session doctor looks for {@code maximumSessions} of Spring Security, in contexts made with Spring's own classes. */
@Tag("rules")
class LocalRegistryTest {

    /** A map of another library than the JDK, as a data grid has. */
    private static final class Grid<K, V> extends ConcurrentHashMap<K, V> {
        private static final long serialVersionUID = 1;
    }

    /** Counts elsewhere. */
    private static final class Counting extends SessionRegistryImpl {
        @Override
        public List<SessionInformation> getAllSessions(Object principal, boolean includeExpired) {
            return List.of();
        }
    }

    /** Counts as its superclass does. */
    private static final class Logging extends SessionRegistryImpl {
        @Override
        public void removeSessionInformation(String id) {
            super.removeSessionInformation(id);
        }
    }

    /** A chain of the application that fails. */
    private static final class Failing implements SecurityFilterChain {
        @Override
        public boolean matches(HttpServletRequest request) {
            return true;
        }

        @Override
        public List<Filter> getFilters() {
            throw new UnsupportedOperationException("no list of filters");
        }
    }

    private final List<Object> attributes = new ArrayList<>(List.of("a value of the application"));
    private final List<GenericApplicationContext> contexts = new ArrayList<>();
    private final ClassLoader loader = LocalRegistryTest.class.getClassLoader();
    private final GuardedCodec codec = new GuardedCodec(() -> loader, Set.of(), "", ClassList.any());
    private final SessionDoctor doctor = new SessionDoctor("shop@node", codec, () -> loader, 1 << 20, 1 << 20);

    LocalRegistryTest() {
        doctor.endsOnce(() -> attributes);
    }

    @AfterEach
    void close() {
        contexts.forEach(GenericApplicationContext::close);
        codec.close();
    }

    private GenericApplicationContext start(Supplier<Filter> bean) {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean("securityOfTheShop", Filter.class, bean, definition -> definition.setLazyInit(true));
        context.refresh();
        contexts.add(context);
        return context;
    }

    private static FilterChainProxy chains(Filter... filters) {
        return new FilterChainProxy(new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, filters));
    }

    private static FilterChainProxy counting(SessionRegistry registry) {
        return chains(new DisableEncodeUrlFilter(), new ConcurrentSessionFilter(registry));
    }

    /** An application that has used its filter. */
    private GenericApplicationContext started(Filter filter) {
        GenericApplicationContext context = start(() -> filter);
        context.getBean("securityOfTheShop");
        return context;
    }

    private List<Kind> found() {
        doctor.examine(List.of(), 0);
        assertEquals(0, doctor.failures());
        return doctor.findings().stream().map(Finding::kind).toList();
    }

    private List<Kind> foundWith(SessionRegistry registry) {
        attributes.add(started(counting(registry)));
        return found();
    }

    @Test
    void maximumSessionsIsFoundOnce() {
        assertEquals(List.of(Kind.LOCAL_REGISTRY), foundWith(new SessionRegistryImpl()));
        assertEquals(List.of(Kind.LOCAL_REGISTRY), foundWith(new SessionRegistryImpl()));
        String line = doctor.findings().get(0).toString();
        assertTrue(line.startsWith("application: maximumSessions of Spring Security"), line);
        assertTrue(line.contains("endEvents = everywhere"), line);
    }

    @Test
    void aContextThatStartsLaterIsFound() {
        assertEquals(List.of(), found());
        assertEquals(List.of(Kind.LOCAL_REGISTRY), foundWith(new SessionRegistryImpl()));
    }

    @Test
    void aContextThatIsNotStartedYetIsFoundWhenItIs() {
        GenericApplicationContext context = new GenericApplicationContext();
        contexts.add(context);
        attributes.add(context);
        assertEquals(List.of(), found());
        context.registerBean(FilterChainProxy.class, () -> counting(new SessionRegistryImpl()));
        context.refresh();
        assertEquals(List.of(Kind.LOCAL_REGISTRY), found());
    }

    @Test
    void aLazyBeanIsNotCreatedAndFoundWhenTheApplicationHasCreatedIt() {
        GenericApplicationContext context = start(() -> counting(new SessionRegistryImpl()));
        attributes.add(context);
        assertEquals(List.of(), found());
        assertFalse(context.getBeanFactory().containsSingleton("securityOfTheShop"));
        context.getBean("securityOfTheShop");
        assertEquals(List.of(Kind.LOCAL_REGISTRY), found());
    }

    @Test
    void aParentContextIsSearched() {
        GenericApplicationContext child = started(new DisableEncodeUrlFilter());
        child.setParent(started(counting(new SessionRegistryImpl())));
        attributes.add(child);
        assertEquals(List.of(Kind.LOCAL_REGISTRY), found());
    }

    @Test
    void aDebugFilterIsLookedInto() {
        attributes.add(started(new DebugFilter(counting(new SessionRegistryImpl()))));
        assertEquals(List.of(Kind.LOCAL_REGISTRY), found());
    }

    @Test
    void aProxyIsLookedInto() {
        SessionRegistry proxy = (SessionRegistry) new ProxyFactory(new SessionRegistryImpl()).getProxy();
        assertFalse(SessionRegistryImpl.class.isInstance(proxy));
        assertEquals(List.of(Kind.LOCAL_REGISTRY), foundWith(proxy));
    }

    @Test
    void aSubclassThatCountsInMemoryIsFound() {
        assertEquals(List.of(Kind.LOCAL_REGISTRY), foundWith(new Logging()));
    }

    @Test
    void aRegistryThatTheNodesMayShareIsNoFinding() {
        ProxyFactory other = new ProxyFactory(SessionRegistry.class, (MethodInterceptor) call -> List.of());
        assertEquals(List.of(), foundWith((SessionRegistry) other.getProxy()));
        assertEquals(List.of(), foundWith(new Counting()));
        assertEquals(List.of(), foundWith(new SessionRegistryImpl(new Grid<>(), new Grid<>())));
    }

    @Test
    void aLoginWithoutMaximumSessionsIsNoFinding() {
        attributes.add(started(chains(new DisableEncodeUrlFilter())));
        assertEquals(List.of(), found());
    }

    @Test
    void aFailureIsCountedOnceAndTheNextContextIsSearched() {
        attributes.add(started(new FilterChainProxy(new Failing())));
        attributes.add(started(counting(new SessionRegistryImpl())));
        doctor.examine(List.of(), 0);
        assertEquals(1, doctor.failures());
        doctor.examine(List.of(), 0);
        assertEquals(1, doctor.failures());
        assertEquals(Kind.LOCAL_REGISTRY, doctor.findings().get(0).kind());
    }

    @Test
    void aClosedContextIsPassedOver() {
        GenericApplicationContext context = started(counting(new SessionRegistryImpl()));
        context.close();
        attributes.add(context);
        assertEquals(List.of(), found());
    }
}
