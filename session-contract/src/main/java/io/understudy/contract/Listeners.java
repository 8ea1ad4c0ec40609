package io.understudy.contract;

import io.understudy.session.LiveSession;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;

/** What one node tells the application of its sessions. */
final class Listeners implements HttpSessionListener, HttpSessionAttributeListener, HttpSessionIdListener {

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        Events.tell(event.getSession(), "created");
    }

    /** With what the session still holds, as the specification promises. */
    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        HttpSession session = event.getSession();
        String where = session.getAttribute(LiveSession.ENDED_ELSEWHERE) == null ? "" : " elsewhere";
        Events.tell(session, "destroyed " + session.getAttribute("last") + where);
        Events.awaitGate(session.getId());
    }

    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
        Events.tell(event.getSession(), "added " + event.getName() + "=" + event.getValue());
    }

    /** The value of the event is the old one. */
    @Override
    public void attributeReplaced(HttpSessionBindingEvent event) {
        Events.tell(event.getSession(), "replaced " + event.getName() + "=" + event.getValue());
    }

    @Override
    public void attributeRemoved(HttpSessionBindingEvent event) {
        Events.tell(event.getSession(), "removed " + event.getName() + "=" + event.getValue());
    }

    @Override
    public void sessionIdChanged(HttpSessionEvent event, String oldSessionId) {
        Events.tell(oldSessionId, "renamed");
        Events.tell(event.getSession(), "renamed from " + oldSessionId);
    }
}
