package io.understudy.jetty;

import io.understudy.session.activation.Activation;
import java.util.Set;
import org.eclipse.jetty.server.Session;

/**
 * Tells attributes that are {@code HttpSessionActivationListener}s, or {@link Session.ValueListener}s of Jetty's. Jetty's session managers know those of their version
 * of Servlet, and tell all that a session has: so each is shown as the only one.
 *
 * <p>Threads: any.
 */
final class SessionActivation implements Activation {

    private static final Set<String> LISTENERS = Set.of(
            "javax.servlet.http.HttpSessionActivationListener", "jakarta.servlet.http.HttpSessionActivationListener");

    private static final ClassValue<Boolean> LISTENING = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return Session.ValueListener.class.isAssignableFrom(type) || listens(type);
        }
    };

    private final UnderstudySession session;
    private final UnderstudySessionCache cache;

    SessionActivation(UnderstudySession session, UnderstudySessionCache cache) {
        this.session = session;
        this.cache = cache;
    }

    private static boolean listens(Class<?> type) {
        for (Class<?> implemented : type.getInterfaces()) {
            if (LISTENERS.contains(implemented.getName()) || LISTENING.get(implemented)) {
                return true;
            }
        }
        return type.getSuperclass() != null && LISTENING.get(type.getSuperclass());
    }

    @Override
    public boolean concerns(Class<?> type) {
        return LISTENING.get(type);
    }

    @Override
    public void willPassivate(String name, Object value) {
        cache.inContext(() -> {
            session.getSessionManager().onSessionPassivation(new SingleAttributeView(session, name, value));
            if (value instanceof Session.ValueListener listener) {
                listener.onSessionPassivation(session);
            }
            return null;
        });
    }

    @Override
    public void didActivate(String name, Object value) {
        cache.inContext(() -> {
            session.getSessionManager().onSessionActivation(new SingleAttributeView(session, name, value));
            if (value instanceof Session.ValueListener listener) {
                listener.onSessionActivation(session);
            }
            return null;
        });
    }
}
