package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.SessionUse;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that one request uses, in any context, and its uses of them: one of each session, however often the
 * request accesses it. Each is kept here before it begins, until the request is over. What the end of the request
 * does here needs no memory, and does not fail.
 *
 * <p>Threads: any.
 */
final class UsedSessions {

    private static final class Used {

        private final UnderstudySession session;
        private @Nullable SessionUse use;

        /** The request's accesses that have not ended. */
        private int accesses;

        /** What became of changes that threads of no pass made while the request went on: the worst. */
        private Outcome outside = Outcome.UNCHANGED;

        Used(UnderstudySession session) {
            this.session = session;
        }
    }

    /** From that many on they are not looked for one by one. */
    private static final int MANY = 16;

    private final UnderstudyManager manager;

    private static final Used[] NONE = {};

    /** Grows only; the first {@link #count} are there. */
    @GuardedBy("this")
    private Used[] all = NONE;

    @GuardedBy("this")
    private int count;

    /** Those after the first few, by the container's session object and, once a use has begun, by the live session. */
    @GuardedBy("this")
    private @Nullable IdentityHashMap<Object, Used> bySession;

    /** Whether the request is over: nobody would end a use that begins now. */
    @GuardedBy("this")
    private boolean ended;

    UsedSessions(UnderstudyManager manager) {
        this.manager = manager;
    }

    /** How many there are now. */
    synchronized int count() {
        return count;
    }

    /** One of them; the first ones stay the same. */
    synchronized UnderstudySession session(int place) {
        return all[place].session;
    }

    synchronized void add(UnderstudySession session) {
        Used unused = used(session);
    }

    @GuardedBy("this")
    private Used used(UnderstudySession session) {
        Used there = of(session);
        if (there != null) {
            return there;
        }
        Used used = new Used(session);
        if (count == all.length) {
            all = Arrays.copyOf(all, Math.max(1, 2 * count));
        }
        all[count++] = used;
        keep(session, used);
        return used;
    }

    @GuardedBy("this")
    private void keep(Object key, Used used) {
        if (count >= MANY) {
            bySession = bySession == null ? new IdentityHashMap<>() : bySession;
            bySession.put(key, used);
        }
    }

    @GuardedBy("this")
    private @Nullable Used of(LiveSession session) {
        for (int i = 0; i < Math.min(count, MANY - 1); i++) {
            Used used = all[i];
            if (used.session.standsOn(session)) {
                return used;
            }
        }
        return bySession == null ? null : bySession.get(session);
    }

    @GuardedBy("this")
    private @Nullable Used of(UnderstudySession session) {
        for (int i = 0; i < Math.min(count, MANY - 1); i++) {
            Used used = all[i];
            if (used.session.equals(session)) {
                return used;
            }
        }
        return bySession == null ? null : bySession.get(session);
    }

    /** The request begins to use the session. */
    @GuardedBy("this")
    private void begin(Used used, SessionUse use) {
        used.use = use;
        keep(use.session(), used);
    }

    /** A pass of the request begins, also of one that was taken for over. */
    synchronized void begin() {
        ended = false;
    }

    /**
     * The request accesses the session. If it fails the access is not counted.
     *
     * @return its use, for whoever begins it; {@code null} if the request is over, and the access is not counted
     */
    synchronized @Nullable SessionUse accessed(UnderstudySession session) {
        if (ended) {
            return null;
        }
        Used used = used(session);
        SessionUse use = used.use;
        if (use == null) {
            use = session.live().use();
            begin(used, use);
        }
        used.accesses++;
        return use;
    }

    /**
     * Tomcat ends an access while the request goes on, as of a dispatch; false if the request has none. Its use goes
     * on.
     */
    synchronized boolean accessEnds(UnderstudySession session) {
        Used used = of(session);
        if (used == null || used.accesses == 0) {
            return false;
        }
        used.accesses--;
        return true;
    }

    /** Takes over the calling thread's use of the session, which began without a scope, if it has one. */
    synchronized void adopt(UnderstudySession session) {
        Used used = used(session);
        SessionUse own = used.use == null ? session.uses().own() : null;
        if (own != null) {
            begin(used, own);
            used.accesses++;
            session.uses().adopted();
            own.readAnew();
        }
    }

    /** The ticket of the use of the session; 0 if there is none. */
    synchronized long ticketOf(LiveSession session) {
        Used used = of(session);
        return used == null || used.use == null ? 0 : used.use.ticket();
    }

    /** The use of the session; {@code null} if there is none. */
    synchronized @Nullable SessionUse use(UnderstudySession session) {
        Used used = of(session);
        return used == null ? null : used.use;
    }

    private synchronized @Nullable Used at(int place) {
        return place < count ? all[place] : null;
    }

    private synchronized @Nullable SessionUse use(Used used) {
        return used.use;
    }

    private synchronized @Nullable SessionUse taken(Used used) {
        SessionUse use = used.use;
        used.use = null;
        return use;
    }

    private synchronized int takenAccesses(Used used) {
        int open = used.accesses;
        used.accesses = 0;
        return open;
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

    /**
     * Ends the uses.
     *
     * @param accessesEnded whether Tomcat has ended all accesses
     */
    void end(boolean accessesEnded) {
        synchronized (this) {
            ended = true;
        }
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            SessionUse use = taken(used);
            int open = takenAccesses(used);
            if (!accessesEnded) {
                used.session.uses().overBefore(open);
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

    /** Between passes of the pipeline: the sessions may change any time. */
    void goOn(RequestScope request) {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            used.session.commits().unsettle();
            used.session.uses().goesOn(request, accessing(used));
        }
    }

    private synchronized boolean accessing(Used used) {
        return used.accesses > 0;
    }

    /** The request is over, or has another pass of the pipeline. */
    void goOnNoMore(RequestScope request) {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            used.session.uses().goesOnNoMore(request);
        }
    }

    /** A thread of no pass has changed the session, which may have been for this request. */
    synchronized void changedOutside(UnderstudySession session, Outcome outcome) {
        Used used = of(session);
        if (used != null) {
            used.outside = Outcome.worse(used.outside, outcome);
        }
    }

    /** What became of the changes of the session that threads of no pass made since this was last asked: the worst. */
    synchronized Outcome takeOutside(UnderstudySession session) {
        Used used = of(session);
        if (used == null) {
            return Outcome.UNCHANGED;
        }
        Outcome taken = used.outside;
        used.outside = Outcome.UNCHANGED;
        return taken;
    }

    /**
     * The request gives back its lock before Tomcat ends the accesses of threads outside of a pass: the next holder
     * is to find what they changed.
     */
    void answeredOutside() {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            try {
                used.session.uses().answered();
            } catch (Throwable e) {
                manager.survived("releasing the attribute values that an answered request has read", e);
            }
        }
    }

    /** Sends what changed since the request settled. Nobody waits for it. */
    void commitLast() {
        int place = 0;
        for (Used used = at(place); used != null; used = at(++place)) {
            used.session.commits().afterResponse(use(used));
        }
    }
}
