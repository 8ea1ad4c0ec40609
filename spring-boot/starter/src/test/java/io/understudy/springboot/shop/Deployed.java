package io.understudy.springboot.shop;

import io.understudy.springboot.UnderstudyAutoConfiguration;
import jakarta.servlet.ServletContext;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Enumeration;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

/** An application as a container starts it: with a servlet context, and without a server of its own. */
public final class Deployed {

    private Deployed() {}

    public static void main(String[] arguments) {
        ServletContext container = (ServletContext) Proxy.newProxyInstance(
                ServletContext.class.getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, given) ->
                        method.getReturnType() == Enumeration.class ? Collections.emptyEnumeration() : null);
        try (AnnotationConfigWebApplicationContext application = new AnnotationConfigWebApplicationContext()) {
            application.setServletContext(container);
            application.register(UnderstudyAutoConfiguration.class);
            application.refresh();
        }
    }
}
