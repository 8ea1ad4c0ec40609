package io.understudy.contract;

import io.understudy.session.adapter.BlockingSession;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** A session of the smallest adapter, as the cases of the contract ask for it. */
record SessionView(BlockingSession session, ServletContext context) implements HttpSession {

    @Override
    public String getId() {
        return session.live().id();
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public long getCreationTime() {
        return session.requireValid().live().creationMillis();
    }

    @Override
    public long getLastAccessedTime() {
        return session.requireValid().live().lastUseMillis();
    }

    @Override
    public int getMaxInactiveInterval() {
        return session.live().maxInactiveSeconds();
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        session.maxInactiveSeconds(seconds);
    }

    @Override
    public boolean isNew() {
        return session.requireValid().live().isNew();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return session.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return Collections.enumeration(session.names());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        session.set(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        session.set(name, null);
    }

    @Override
    public void invalidate() {
        session.invalidate();
    }

    /** What is bound to the session that ends gets to know. */
    void unbind() {
        for (String name : session.names()) {
            if (session.get(name) instanceof HttpSessionBindingListener bound) {
                bound.valueUnbound(new HttpSessionBindingEvent(this, name, bound));
            }
        }
    }
}
