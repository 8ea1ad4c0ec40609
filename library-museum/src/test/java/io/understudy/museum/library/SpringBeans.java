package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.bean;

import jakarta.inject.Provider;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportResource;
import org.springframework.context.annotation.Lazy;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.context.annotation.SessionScope;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

/** Session scoped beans with what Spring injects into them, or puts around them. */
final class SpringBeans {

    private SpringBeans() {}

    /** Public, as its proxies are classes of the context's loader. */
    public interface Greeting {
        String greet();
    }

    /** What an application sees of a bean. */
    public interface Seen {
        String seen();
    }

    static class Service implements Greeting {
        @Override
        public String greet() {
            return "hello";
        }
    }

    @SessionScope
    static class Provided implements Seen, Serializable {

        private static final long serialVersionUID = 1L;

        @Autowired
        private ObjectProvider<Greeting> provider;

        @Autowired
        private Provider<Greeting> standard;

        private final ObjectFactory<Greeting> factory;
        private final ObjectProvider<Greeting> other;

        Provided(ObjectFactory<Greeting> factory, ObjectProvider<Greeting> other) {
            this.factory = factory;
            this.other = other;
        }

        @Override
        public String seen() {
            return List.of(provider.getObject(), standard.get(), factory.getObject(), other.getObject()).stream()
                    .map(Greeting::greet)
                    .toList()
                    .toString();
        }
    }

    @SessionScope
    static class LazyOnes implements Seen, Serializable {

        private static final long serialVersionUID = 1L;

        @Autowired
        @Lazy
        private Greeting field;

        private final Greeting parameter;

        LazyOnes(@Lazy Greeting parameter) {
            this.parameter = parameter;
        }

        @Override
        public String seen() {
            return field.greet() + parameter.greet();
        }
    }

    @SessionScope
    static class LazyClass implements Seen, Serializable {

        private static final long serialVersionUID = 1L;

        @Autowired
        @Lazy
        private Service service;

        @Override
        public String seen() {
            return service.greet();
        }
    }

    @SessionScope
    static class InRequest implements Seen, Serializable {

        private static final long serialVersionUID = 1L;

        @Autowired
        private HttpServletRequest request;

        @Autowired
        private HttpServletResponse response;

        @Autowired
        private WebRequest webRequest;

        private final HttpSession session;

        InRequest(HttpSession session) {
            this.session = session;
        }

        @Override
        public String seen() {
            return request.getRequestURI()
                    + response.getStatus()
                    + webRequest.getContextPath()
                    + session.getAttribute("user");
        }
    }

    /** The proxy's class is made of it, so it is not private. */
    @SessionScope
    static class Transactions implements Seen, Serializable {

        private static final long serialVersionUID = 1L;

        private int count;

        @Override
        @Transactional
        public String seen() {
            return ++count + " " + TransactionSynchronizationManager.isActualTransactionActive();
        }
    }

    @SessionScope
    static class Caching implements Seen, Serializable {

        private static final long serialVersionUID = 1L;

        @Override
        @Cacheable("seen")
        public String seen() {
            return "cached";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Provided.class, LazyOnes.class, LazyClass.class, InRequest.class, Transactions.class, Caching.class})
    @ImportResource("classpath:io/understudy/museum/library/transactions.xml")
    @EnableCaching
    static class Beans {

        @Bean
        Service service() {
            return new Service();
        }

        @Bean
        PlatformTransactionManager transactionManager() {
            return new NoDatabase();
        }

        @Bean
        CacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }
    }

    private static final class NoDatabase extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    /** Made when a node needs it first. */
    private static final class Application {

        static final AnnotationConfigWebApplicationContext CONTEXT = SpringMvc.started("injections", Beans.class);
    }

    /** A node makes the classes of proxies as it makes the first of the beans. */
    static Object start() throws Exception {
        return List.of(scoped(Transactions.class), scoped(Caching.class));
    }

    static List<Sample> samples() {
        return List.of(
                sample("bean with ObjectProvider", Provided.class),
                sample("bean with lazy dependencies", LazyOnes.class),
                sample("bean with request and session", InRequest.class),
                sample("bean with @Transactional (XML)", Transactions.class),
                sample("bean with @Enable... advice", Caching.class)
                        .lostByJdk("BeanFactoryCacheOperationSourceAdvisor", "JDK serialization loses it, too"),
                sample("bean with a lazy dependency by class", LazyClass.class)
                        .lostByJdk("does not implement java.io.Serializable", "its proxy is not serializable"));
    }

    private static Sample sample(String name, Class<? extends Seen> type) {
        return bean(name, () -> scoped(type), (Seen bean) -> inRequest(new MockHttpSession(), bean::seen));
    }

    private static <T> T inRequest(HttpSession session, Callable<T> call) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/page");
        session.setAttribute("user", "ada");
        request.setSession(session);
        ServletRequestAttributes attributes = new ServletRequestAttributes(request, new MockHttpServletResponse());
        RequestContextHolder.setRequestAttributes(attributes);
        try {
            return call.call();
        } finally {
            attributes.requestCompleted();
            RequestContextHolder.resetRequestAttributes();
        }
    }

    /** The bean that Spring's session scope sets. */
    private static Object scoped(Class<? extends Seen> type) throws Exception {
        HttpSession session = new MockHttpSession();
        String name = type.getName();
        inRequest(session, () -> Application.CONTEXT.getBean(name).toString());
        return session.getAttribute("scopedTarget." + name);
    }
}
