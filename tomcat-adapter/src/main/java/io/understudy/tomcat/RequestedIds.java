package io.understudy.tomcat;

import io.understudy.session.Admission;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Request;
import org.apache.catalina.util.SessionConfig;
import org.apache.tomcat.util.http.ServerCookie;
import org.apache.tomcat.util.http.ServerCookies;
import org.jspecify.annotations.Nullable;

/**
 * The session ids that one request bears. Of several cookies Tomcat takes the first whose session is on this node, or
 * else the last one, before this node could ask others. A request is one for the first of the sessions that this node
 * can find, so that all nodes that know them choose the same one.
 *
 * <p>Threads: one at a time.
 */
final class RequestedIds {

    /** So many ids that are not known here are looked up on other nodes, whatever a client sends. */
    private static final int MOST = 3;

    private final Request request;
    /** Mostly the only one; {@code null} if the request bears none. */
    private final @Nullable String first;

    private final List<String> others;

    /** How many questions to all nodes are left, for all versions of the application together. */
    private int questions = MOST;

    /** The id of the session that was found. */
    private @Nullable String found;

    /** That session, if it was here at once. */
    private @Nullable UnderstudySession session;

    RequestedIds(Request request) {
        this.request = request;
        String requested = request.getRequestedSessionId();
        List<String> several = requested == null ? List.of() : several(request, requested);
        this.first = several.isEmpty() ? requested : several.get(0);
        this.others = several.isEmpty() ? several : several.subList(1, several.size());
    }

    /** All of them; empty if there is one. */
    private static List<String> several(Request request, String requested) {
        Context context = request.getContext();
        ServerCookies cookies = request.getServerCookies();
        if (context == null || !request.isRequestedSessionIdFromCookie() || cookies.getCookieCount() == 1) {
            return List.of();
        }
        String name = SessionConfig.getSessionCookieName(context);
        Set<String> ids = new LinkedHashSet<>();
        for (int i = 0; i < cookies.getCookieCount(); i++) {
            ServerCookie cookie = cookies.getCookie(i);
            String id = cookie.getName().equals(name) ? cookie.getValue().toString() : null;
            if (id != null && !id.isBlank()) {
                ids.add(id);
            }
        }
        // Another valve may have set an id that is in no cookie: then that is the one.
        return ids.contains(requested) ? List.copyOf(ids) : List.of();
    }

    boolean isEmpty() {
        return first == null;
    }

    private int count() {
        return first == null ? 0 : 1 + others.size();
    }

    private String id(int place) {
        return place == 0 ? Objects.requireNonNull(first) : others.get(place - 1);
    }

    /**
     * Makes this node ready for the sessions with these ids, one after the other, until it has one of them. A session
     * that this node can't look up at the moment does not keep the request from another one: mostly it is over long
     * since.
     *
     * @return what became of the session that was found, or else the worst of what became of all
     */
    Admission admit(UnderstudyManager manager) {
        Admission worst = Admission.PROCEED;
        for (int i = 0; i < count(); i++) {
            String id = id(i);
            session = manager.arrivals().atOnce(id);
            Admission arrival =
                    session != null ? Admission.PROCEED : manager.arrivals().arrive(id, request, mayAsk(i, manager));
            if (session != null || manager.findSession(id) != null) {
                found = id;
                return arrival;
            }
            worst = Admission.worse(worst, arrival);
        }
        return worst;
    }

    /** An application that is joining asks one node and not all, and can't go on without an answer. */
    private boolean mayAsk(int place, UnderstudyManager manager) {
        return place < MOST && (!manager.arrivals().ready() || questions-- > 0);
    }

    /** Whether one of the sessions is here, and a request may find it. */
    boolean found(UnderstudyManager manager) {
        for (int i = 0; i < count(); i++) {
            if (manager.findSession(id(i)) != null) {
                return true;
            }
        }
        return false;
    }

    /** The session of an id that the request bears now. */
    @Nullable
    UnderstudySession session(String borne, UnderstudyManager manager) {
        UnderstudySession known = borne.equals(found) ? session : null;
        return known != null && manager.replicates(known) && !known.over()
                ? known
                : (UnderstudySession) manager.findSession(borne);
    }

    /** Makes the request one for the session that was found, if any was. */
    void take() {
        if (found != null && !found.equals(request.getRequestedSessionId())) {
            request.setRequestedSessionId(found);
        }
    }
}
