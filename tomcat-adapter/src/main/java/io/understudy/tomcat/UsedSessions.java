package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.session.LiveSession;
import io.understudy.session.SessionUse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that one request uses, and its uses of them: each is kept here before it begins, until it is over or handed
 * on to the end of Tomcat's access. What the end of the request does here needs no memory, and does not fail.
 *
 * <p>Threads: any.
 */
final class UsedSessions {

    private static final class Used {

        private final UnderstudySession session;
        private @Nullable SessionUse use;

        Used(UnderstudySession session) {
            this.session = session;
        }
    }

    private final UnderstudyManager manager;

    /** Grows only. */
    @GuardedBy("this")
    private final List<Used> all = new ArrayList<>(1);

    UsedSessions(UnderstudyManager manager) {
        this.manager = manager;
    }

    synchronized boolean isEmpty() {
        return all.isEmpty();
    }

    /** As they are now. */
    synchronized List<UnderstudySession> sessions() {
        if (all.size() == 1) {
            return List.of(all.get(0).session); // Of most requests.
        }
        List<UnderstudySession> sessions = new ArrayList<>(all.size());
        for (Used used : all) {
            sessions.add(used.session);
        }
        return sessions;
    }

    synchronized void add(UnderstudySession session) {
        Used unused = used(session);
    }

    @GuardedBy("this")
    private Used used(UnderstudySession session) {
        for (int i = 0; i < all.size(); i++) {
            Used used = all.get(i);
            if (used.session.equals(session)) {
                return used;
            }
        }
        Used used = new Used(session);
        all.add(used);
        return used;
    }

    /** The use of the session, for whoever begins it. */
    synchronized SessionUse useOf(UnderstudySession session) {
        Used used = used(session);
        SessionUse use = used.use;
        if (use == null) {
            use = session.live().use();
            used.use = use;
        }
        return use;
    }

    /** Takes over the calling thread's use of the session, which began without a scope, if it has one. */
    synchronized void adopt(UnderstudySession session) {
        Used used = used(session);
        SessionUse own = used.use == null ? session.uses().own() : null;
        if (own != null) {
            used.use = own;
            session.uses().adopted();
            own.readAnew();
        }
    }

    /** The ticket of the use of the session; 0 if there is none. */
    synchronized long ticketOf(LiveSession session) {
        for (int i = 0; i < all.size(); i++) {
            Used used = all.get(i);
            if (used.session.standsOn(session)) {
                return used.use == null ? 0 : used.use.ticket();
            }
        }
        return 0;
    }

    private synchronized @Nullable Used at(int place) {
        return place < all.size() ? all.get(place) : null;
    }

    private synchronized @Nullable SessionUse use(Used used) {
        return used.use;
    }

    private synchronized @Nullable SessionUse taken(Used used) {
        SessionUse use = used.use;
        used.use = null;
        return use;
    }

    /** The request is answered. */
    void answered() {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            SessionUse use = use(used);
            try {
                if (use != null) {
                    use.responseReady();
                }
            } catch (Throwable e) {
                manager.survived("releasing the attribute values that an answered request has read", e);
            }
        }
    }

    /** Ends the uses. */
    void end(boolean accessEnded) {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            SessionUse use = taken(used);
            if (use != null && !accessEnded) {
                used.session.uses().endedBeforeAccess();
            }
            try {
                if (use != null) {
                    use.end();
                }
            } catch (Throwable e) {
                manager.survived("ending a request's use of a session; the use counts as ended", e);
            }
        }
    }

    /** The request goes on outside the pipeline: its sessions may change any time. */
    void unsettle() {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            used.session.commits().unsettle();
        }
    }

    /** Uses go on until the end of Tomcat's access. If it fails they are here still. */
    void endWithAccess() {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            SessionUse use = use(used);
            if (use != null) {
                used.session.uses().endsWithAccess(use);
                SessionUse handedOn = taken(used);
                assert handedOn == use;
            }
        }
    }

    /** The scope keeps its uses, and is over at the latest with the last access to a session. */
    void endLast(RequestScope scope) {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            if (use(used) != null) {
                used.session.uses().endsLast(scope::overAfterAccess);
            }
        }
    }

    /**
     * Sends what changed since the request settled. Nobody waits for it.
     *
     * @param answered whether uses that end with an access are over for those who come now
     */
    void commitLast(boolean answered) {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            used.session.commits().afterResponse(use(used));
            try {
                if (answered) {
                    used.session.uses().answered();
                }
            } catch (Throwable e) {
                manager.survived("releasing the attribute values that an answered request has read", e);
            }
        }
    }
}
