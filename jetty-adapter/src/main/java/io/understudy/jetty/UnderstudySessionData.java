package io.understudy.jetty;

import io.understudy.session.LiveSession;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.session.SessionContext;
import org.eclipse.jetty.session.SessionData;

/**
 * Jetty's record of a session, standing on the replicated one: attributes are read and written there, and decoded only
 * when they are read.
 *
 * <p>Threads: as its session's, which guards it by the session's lock.
 */
final class UnderstudySessionData extends SessionData {

    private static final long serialVersionUID = 1L;

    private final transient LiveSession live;

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
        _attributes = live.attributes();
        setLastSaved(lastSaved);
    }

    LiveSession live() {
        return live;
    }

    @Override
    public void setMaxInactiveMs(long millis) {
        super.setMaxInactiveMs(millis);
        live.maxInactiveSeconds(seconds(millis));
    }

    /** Takes over what other nodes did: when they used the session, and how long it may be idle. */
    void refresh() {
        setAccessed(live.lastUseMillis());
        _maxInactiveMs = millis(live.maxInactiveSeconds());
    }

    /**
     * Cuts the attributes off the replicated session, so that the events of its end can take them out one by one without
     * removing them on other nodes. One that can't be decoded has no event.
     */
    void detach() {
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
