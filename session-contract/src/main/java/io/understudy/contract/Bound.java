package io.understudy.contract;

import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.Serializable;

/** An attribute that is told when it becomes one, and when it is one no more. */
record Bound(String name) implements HttpSessionBindingListener, Serializable {

    @Override
    public void valueBound(HttpSessionBindingEvent event) {
        Events.tell(event.getSession(), "bound " + name);
    }

    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
        Events.tell(event.getSession(), "unbound " + name);
    }
}
