package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.bean;

import jakarta.enterprise.context.SessionScoped;
import jakarta.inject.Inject;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jboss.weld.context.bound.BoundLiteral;
import org.jboss.weld.context.bound.BoundSessionContext;
import org.jboss.weld.environment.se.WeldContainer;

/** Each node has a container of its own, with the same id, as one application has on all nodes. */
final class Weld {

    private Weld() {}

    /** A bean of the session. */
    @SessionScoped
    static class Prefs implements Serializable {

        private static final long serialVersionUID = 1L;

        private String color = "green";

        String color() {
            return color;
        }

        void color(String to) {
            color = to;
        }
    }

    /** A bean of the session that holds a client proxy of the other. */
    @SessionScoped
    static class Basket implements Serializable {

        private static final long serialVersionUID = 1L;

        @Inject
        Prefs prefs;

        private int count;

        void add() {
            count++;
        }

        String text() {
            return count + prefs.color();
        }
    }

    /** Made when a node needs it first. */
    private static final class Application {

        static final WeldContainer CONTAINER = new org.jboss.weld.environment.se.Weld("museum")
                .disableDiscovery()
                .beanClasses(Prefs.class, Basket.class)
                .initialize();
    }

    static Row row() {
        return Row.of(
                        "Weld",
                        "weld-se-core",
                        bean("session scoped bean that holds a client proxy", Weld::session, Weld::text))
                .after(() -> Application.CONTAINER);
    }

    private static <T> T in(Map<String, Object> session, Callable<T> call) throws Exception {
        BoundSessionContext context = Application.CONTAINER
                .select(BoundSessionContext.class, BoundLiteral.INSTANCE)
                .get();
        context.associate(session);
        context.activate();
        try {
            return call.call();
        } finally {
            context.deactivate();
            context.dissociate(session);
        }
    }

    /** The attributes of a session in which the beans were used. */
    private static Map<String, Object> session() throws Exception {
        HashMap<String, Object> session = new HashMap<>();
        in(session, () -> {
            Basket basket = Application.CONTAINER.select(Basket.class).get();
            basket.add();
            basket.add();
            Application.CONTAINER.select(Prefs.class).get().color("blue");
            return basket.text();
        });
        return session;
    }

    private static String text(Map<String, Object> session) throws Exception {
        return in(
                new HashMap<>(session),
                () -> Application.CONTAINER.select(Basket.class).get().text());
    }
}
