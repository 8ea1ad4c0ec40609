package io.understudy.session.activation;

/**
 * Notifies the attributes of a session that implement Servlet's {@code HttpSessionActivationListener} (Jakarta Servlet
 * 6.1, section 7.7.2): before they are encoded for the other nodes, and when they are in use again or were decoded
 * here.
 *
 * <p>Threads: those that use the session. At most one commit of a session notifies at a time. What an attribute does to
 * the session meanwhile goes with this commit, or with the next one. An attribute must not end the session.
 */
public interface Activation {

    /** Whether values of this class want to know. Asked at each read: to be quick. */
    boolean concerns(Class<?> type);

    /** The value is about to be encoded. It goes on being used here: {@link #didActivate} follows. */
    void willPassivate(String name, Object value);

    /** The value was encoded, or it was just decoded and nobody has it yet. */
    void didActivate(String name, Object value);
}
