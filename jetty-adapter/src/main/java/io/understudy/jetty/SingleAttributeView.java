package io.understudy.jetty;

import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.util.Attributes;
import org.jspecify.annotations.Nullable;

/** A session as if it had but one attribute. Threads: as the session. */
final class SingleAttributeView extends Attributes.Wrapper implements Session {

    private final Session session;
    private final String name;
    private final Object value;

    SingleAttributeView(Session session, String name, Object value) {
        super(session);
        this.session = session;
        this.name = name;
        this.value = value;
    }

    @Override
    public Set<String> getAttributeNameSet() {
        return Set.of(name);
    }

    @Override
    public @Nullable Object getAttribute(String asked) {
        return asked.equals(name) ? value : null;
    }

    /** The application's view is of the whole session. */
    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Jetty's.
    public <T extends Session.API> T getApi() {
        return session.getApi();
    }

    @Override
    public boolean isValid() {
        return session.isValid();
    }

    @Override
    public String getId() {
        return session.getId();
    }

    @Override
    public String getExtendedId() {
        return session.getExtendedId();
    }

    @Override
    public long getLastAccessedTime() {
        return session.getLastAccessedTime();
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        session.setMaxInactiveInterval(seconds);
    }

    @Override
    public int getMaxInactiveInterval() {
        return session.getMaxInactiveInterval();
    }

    @Override
    public void renewId(Request request, Response response) {
        session.renewId(request, response);
    }

    @Override
    public void invalidate() {
        session.invalidate();
    }

    @Override
    public boolean isNew() {
        return session.isNew();
    }

    @Override
    public String encodeURI(Request request, String uri, boolean cookies) {
        return session.encodeURI(request, uri, cookies);
    }
}
