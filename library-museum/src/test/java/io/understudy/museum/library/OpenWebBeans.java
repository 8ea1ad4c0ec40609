package io.understudy.museum.library;

import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import org.apache.openwebbeans.se.OWBInitializer;
import org.apache.webbeans.config.WebBeansContext;
import org.apache.webbeans.context.SessionContext;

/** Each node has a container of its own with the same beans. */
final class OpenWebBeans {

    private OpenWebBeans() {}

    /** Made when a node needs it first. */
    private static final class Application {

        static final SeContainer CONTAINER = new OWBInitializer()
                .disableDiscovery()
                .addBeanClasses(Weld.Prefs.class, Weld.Basket.class)
                .initialize();
    }

    static Row row() {
        return Row.of(
                        "Apache OpenWebBeans",
                        "openwebbeans-se",
                        Sample.bean("context of a session with its beans", OpenWebBeans::context, OpenWebBeans::text))
                .after(() -> Application.CONTAINER);
    }

    @SuppressWarnings("unchecked") // The bean is of this type.
    private static Bean<Weld.Basket> bean() {
        BeanManager beans = Application.CONTAINER.getBeanManager();
        return (Bean<Weld.Basket>) beans.resolve(beans.getBeans(Weld.Basket.class));
    }

    /** The proxies in the bean look for a session's context of the thread. */
    private static void beginRequest() {
        WebBeansContext.currentInstance().getContextsService().startContext(SessionScoped.class, null);
    }

    /** As it is in a session, after a bean was used. */
    private static SessionContext context() {
        beginRequest();
        SessionContext context = new SessionContext();
        context.setActive(true);
        BeanManager beans = Application.CONTAINER.getBeanManager();
        context.get(bean(), beans.createCreationalContext(bean())).add();
        return context;
    }

    private static String text(SessionContext context) {
        beginRequest();
        context.setActive(true);
        return context.get(bean()).text();
    }
}
