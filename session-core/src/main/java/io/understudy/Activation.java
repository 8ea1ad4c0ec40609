package io.understudy;

/**
 * How attributes that want to know of it are told that they are encoded for the other nodes, and that they are in use
 * again or were made from what another node had encoded: Servlet's {@code HttpSessionActivationListener} (Jakarta Servlet
 * 6.1, section 7.7.2).
 *
 * <p>Threads: those that use the session. Of one session no two commits tell at once. What an attribute does to the
 * session when it is told goes with the commit at hand, or the next one; it must not end the session.
 */
public interface Activation {

    /** Whether values of this class want to know. Asked at each read: to be quick. */
    boolean concerns(Class<?> type);

    /** The value is about to be encoded. It goes on being used here: {@link #didActivate} follows. */
    void willPassivate(String name, Object value);

    /** The value was encoded, or it was just decoded and nobody has it yet. */
    void didActivate(String name, Object value);
}
