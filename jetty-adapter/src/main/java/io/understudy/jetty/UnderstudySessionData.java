package io.understudy.jetty;

import io.understudy.session.LiveSession;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.session.SessionContext;
import org.eclipse.jetty.session.SessionData;
import org.eclipse.jetty.session.SessionManager;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's record of a session, standing on the replicated one: attributes are read and written there, and decoded only
 * when they are read.
 *
 * <p>Threads: as its session's, which guards it by the session's lock.
 */
final class UnderstudySessionData extends SessionData {

    private static final long serialVersionUID = 1L;

    /** In the session, for all nodes: its age, by the clock of no node, when its cookie was set. */
    private static final String COOKIE_SET = "jetty.cookieSet";

    private final transient LiveSession live;
    private final boolean refreshesCookie;

    /** @param lastSaved 0 for a session that is new to the application */
    UnderstudySessionData(LiveSession live, SessionContext context, long lastSaved) {
        super(
                live.id(),
                context.getCanonicalContextPath(),
                context.getVhost(),
                live.creationMillis(),
                live.lastUseMillis(),
                live.lastUseMillis(),
                millis(live.maxInactiveSeconds()));
        this.live = live;
        SessionManager manager = context.getSessionManager();
        this.refreshesCookie = manager.getMaxCookieAge() > 0 && manager.getRefreshCookieAge() > 0;
        _attributes = live.attributes();
        setLastSaved(lastSaved);
    }

    LiveSession live() {
        return live;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributesWith(name).get(name);
    }

    @Override
    public @Nullable Object setAttribute(String name, @Nullable Object value) {
        Map<String, Object> attributes = attributesWith(name);
        Object before = value == null ? attributes.remove(name) : attributes.put(name, value);
        if (value != null || before != null) {
            setDirty(name);
        }
        return before;
    }

    /** Nobody changes a login in place: a request that uses it must not keep others from a logout on another node. */
    private Map<String, Object> attributesWith(String name) {
        boolean replicated = _attributes == live.attributes(); // Not after the session's end.
        return Logins.ATTRIBUTE.equals(name) && replicated ? live.unchangingAttributes() : _attributes;
    }

    @Override
    public void setMaxInactiveMs(long millis) {
        super.setMaxInactiveMs(millis);
        live.maxInactiveSeconds(seconds(millis));
    }

    /** When the client last got the session's cookie, on any node: at first when the session was created. */
    @Override
    public long getCookieSet() {
        return live.creationMillis() + (live.containerAttributes().get(COOKIE_SET) instanceof Long age ? age : 0);
    }

    /** Noted only where it counts. Jetty sets it with the id, too, and each note is a change of the session. */
    @Override
    public void setCookieSet(long time) {
        if (live != null && refreshesCookie) {
            live.containerAttributes().put(COOKIE_SET, time - live.creationMillis());
        }
    }

    /** Takes over what other nodes did: when they used the session, and how long it may be idle. */
    void refresh() {
        setAccessed(live.lastUseMillis());
        _maxInactiveMs = millis(live.maxInactiveSeconds());
    }

    /**
     * Cuts the attributes off the replicated session, so that the events of its end can take them out one by one without
     * removing them on other nodes. One that can't be decoded has no event. Does not fail.
     */
    void detach(UnderstudySessionCache cache) {
        try {
            cache.inContext(() -> {
                detach();
                return null;
            });
        } catch (Throwable e) {
            cache.survived("reading the attributes of a session that ends", e);
        }
    }

    private void detach() {
        Map<String, Object> last = new ConcurrentHashMap<>();
        for (String name : live.attributes().keySet()) {
            Object value = live.attributes().get(name);
            if (value != null) {
                last.put(name, value);
            }
        }
        _attributes = last;
    }

    /** Rounded up, as a session must not end before its time; 0 is never. */
    static int seconds(long millis) {
        return millis <= 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.toSeconds(millis + 999));
    }

    private static long millis(int seconds) {
        return seconds <= 0 ? -1 : TimeUnit.SECONDS.toMillis(seconds);
    }
}
