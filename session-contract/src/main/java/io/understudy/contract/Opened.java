package io.understudy.contract;

import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** An attribute with something that can't be sent: closed when it is passivated, opened when it is activated. */
final class Opened implements HttpSessionActivationListener, HttpSessionBindingListener, Serializable {

    private static final long serialVersionUID = 1L;

    private final String name;
    private int count;
    private transient @Nullable StringBuilder resource = new StringBuilder("open");

    Opened(String name) {
        this.name = name;
    }

    void count() {
        count++;
    }

    String seen() {
        return (resource == null ? "closed" : resource) + " " + count;
    }

    @Override
    public void sessionWillPassivate(HttpSessionEvent event) {
        turn(event, resource != null, "passivated");
        resource = null;
    }

    @Override
    public void sessionDidActivate(HttpSessionEvent event) {
        turn(event, resource == null, "activated");
        resource = new StringBuilder("open");
    }

    /** By turns. */
    private void turn(HttpSessionEvent event, boolean right, String what) {
        if (!right) {
            Events.tell(event.getSession(), "wrong: " + name + " " + what + " twice");
        }
    }

    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
        Events.tell(event.getSession(), "unbound " + seen());
    }
}
