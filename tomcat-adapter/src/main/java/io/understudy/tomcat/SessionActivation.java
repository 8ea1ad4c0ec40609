package io.understudy.tomcat;

import io.understudy.session.activation.Activation;
import io.understudy.threads.ContextLoader;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.util.function.BiConsumer;

/** Tells attributes that are {@link HttpSessionActivationListener}s, in the application's class loader. Threads: any. */
final class SessionActivation implements Activation {

    private final UnderstudySession session;
    private final ClassLoader application;

    SessionActivation(UnderstudySession session, ClassLoader application) {
        this.session = session;
        this.application = application;
    }

    @Override
    public boolean concerns(Class<?> type) {
        return HttpSessionActivationListener.class.isAssignableFrom(type);
    }

    @Override
    public void willPassivate(String name, Object value) {
        tell(value, HttpSessionActivationListener::sessionWillPassivate);
    }

    @Override
    public void didActivate(String name, Object value) {
        tell(value, HttpSessionActivationListener::sessionDidActivate);
    }

    private void tell(Object value, BiConsumer<HttpSessionActivationListener, HttpSessionEvent> event) {
        ContextLoader.during(
                application,
                () -> event.accept((HttpSessionActivationListener) value, new HttpSessionEvent(session.getSession())));
    }
}
