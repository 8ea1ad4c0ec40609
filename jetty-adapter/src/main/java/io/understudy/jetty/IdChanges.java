package io.understudy.jetty;

import io.understudy.session.LiveSession;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.session.SessionManager;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one context whose id is being changed, by the id they had before. Until the change is over, a request
 * with that id finds the session, as one does that came a moment earlier. Neither gets the new id: the change is there
 * to keep that from every client that knew the id before a login.
 *
 * <p>Threads: any.
 */
final class IdChanges {

    private record Change(String formerId, String newId) {}

    /**
     * The ids by which one request has found its sessions.
     *
     * <p>Threads: those of the request.
     */
    static final class Found {

        /** If the request changes the id itself, the new one takes the place of the former. */
        private final Map<UnderstudySession, String> ids = new ConcurrentHashMap<>(1);

        /** The ids that the request bore of sessions that have another one now, until the response tells the client. */
        private final Map<UnderstudySession, String> outdated = new ConcurrentHashMap<>(1);

        /** The last one that the request made, in one context at least. */
        private volatile @Nullable Change change;

        void by(String id, UnderstudySession session) {
            ids.putIfAbsent(session, id);
        }

        /** The response is to give the client the session's current id in place of this one. */
        private void outdated(UnderstudySession session, String id) {
            outdated.put(session, id);
        }

        /** Ends the ids that the response, whose head this is, replaces in the cookies that the request bore. */
        void retireOutdated(ReplicatedRequest exchange, HttpFields head) {
            for (Map.Entry<UnderstudySession, String> entry : outdated.entrySet()) {
                try {
                    retire(exchange, entry.getKey(), entry.getValue(), head);
                } catch (Throwable e) {
                    exchange.failed(entry.getKey(), "ending a session id that the client has replaced by another", e);
                }
            }
        }

        private void retire(ReplicatedRequest exchange, UnderstudySession session, String id, HttpFields head) {
            LiveSession live = session.live();
            boolean told = bears(exchange, id)
                    && head.getValuesList(HttpHeader.SET_COOKIE).stream()
                            .anyMatch(cookie -> cookie.contains("=" + live.id()));
            if (told) {
                exchange.awaits(live.dropSupersededId(id), live.settings());
                outdated.remove(session);
            }
        }

        private static boolean bears(Request request, String id) {
            return Request.getCookies(request).stream()
                    .anyMatch(cookie -> cookie.getValue().startsWith(id));
        }
    }

    private final Map<String, UnderstudySession> sessions = new ConcurrentHashMap<>();

    void begin(String formerId, UnderstudySession session) {
        sessions.put(formerId, session);
    }

    /** The change is over, as far as Jetty goes: by the former id the session is found no more. */
    void end(UnderstudySession session) {
        sessions.values().removeIf(session::equals);
    }

    /**
     * The session that had this id, for the current request; {@code null} if none has, or no request is known. A
     * request that bears the new id, too, finds the session by that only: Jetty refuses two ids of one session.
     */
    @Nullable
    LiveSession find(String id) {
        UnderstudySession session = sessions.get(id);
        ReplicatedRequest exchange = session == null ? null : ExchangeScope.current();
        return session == null
                        || exchange == null
                        || !session.isValid()
                        || RequestedIds.of(exchange, session.getSessionManager())
                                .contains(session.live().id())
                ? null
                : session.live();
    }

    /** The current request has found the session by this id. */
    static void found(UnderstudySession session, String id) {
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange != null) {
            exchange.found().by(id, session);
        }
    }

    /** The current request has changed the session's id, and its client gets the new one. */
    static void changed(UnderstudySession session, String formerId, String newId) {
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange != null) {
            exchange.found().ids.put(session, newId);
            exchange.found().change = new Change(formerId, newId);
        }
    }

    /**
     * The id by which the current request has found the session, if the session has been given another one since, and
     * that is not the client's to know; else {@code null}. It is asked for each time anew: the id may change at any
     * moment of the request, also on another node. After two concurrent changes the lower id finds the session still,
     * and its client gets the other.
     */
    static @Nullable String formerId(UnderstudySession session) {
        ReplicatedRequest exchange = ExchangeScope.current();
        String id = exchange == null ? null : exchange.found().ids.get(session);
        return id == null || id.equals(session.live().id()) || session.isFoundBy(id) ? null : id;
    }

    static boolean bearsFormerId(UnderstudySession session) {
        return formerId(session) != null;
    }

    /** The session has another id than this one, by which the current request looked it up. */
    static void outdated(UnderstudySession session, String id) {
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange != null && !bearsFormerId(session)) {
            exchange.found().outdated(session, id);
        }
    }

    /** The current request is about to change an id. */
    static void begins() {
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange != null) {
            exchange.found().change = null;
        }
    }

    /**
     * A listener's Error has ended the change of an id that the current request makes. The contexts that had not made
     * it make it now: a client has one id for all of them.
     *
     * @param error gets what listeners throw meanwhile
     */
    static void complete(Request request, SessionManager manager, Throwable error) {
        ReplicatedRequest exchange = ExchangeScope.current();
        Change change = exchange == null ? null : exchange.found().change;
        if (change == null) {
            return;
        }
        var server = request.getConnectionMetaData().getConnector().getServer();
        for (SessionManager other : server.getContainedBeans(SessionManager.class)) {
            try {
                if (other.isRunning() && other.isIdInUse(change.formerId())) {
                    other.renewSessionId(
                            change.formerId(),
                            manager.getSessionIdManager().getExtendedId(change.formerId(), request),
                            change.newId(),
                            manager.getSessionIdManager().getExtendedId(change.newId(), request));
                }
            } catch (Throwable e) {
                if (e != error) {
                    error.addSuppressed(e);
                }
            }
        }
    }
}
