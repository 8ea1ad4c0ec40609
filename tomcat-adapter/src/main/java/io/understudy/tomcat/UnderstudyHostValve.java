package io.understudy.tomcat;

import io.understudy.Arrival;
import io.understudy.LoginName;
import io.understudy.SessionLock;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.Host;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/**
 * The frame around each request of a replicated application, on its host: error pages, authenticators and
 * request listeners change sessions too, and all of them run inside.
 *
 * <p>One per host, put there by the first {@link UnderstudyManager} that starts, and not taken out again: Tomcat can't
 * do that safely while requests run. For applications without that manager it does nothing.
 *
 * <p>Threads: request threads; it has no state.
 */
public final class UnderstudyHostValve extends ValveBase {

    public UnderstudyHostValve() {
        super(true);
    }

    /** Puts the valve on the host unless it has one. */
    static void install(Host host) {
        Pipeline pipeline = host.getPipeline();
        synchronized (pipeline) {
            for (Valve valve : pipeline.getValves()) {
                if (valve instanceof UnderstudyHostValve) {
                    return;
                }
            }
            pipeline.addValve(new UnderstudyHostValve());
        }
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        UnderstudyManager manager = managerOf(request.getContext());
        if (manager == null) {
            next().invoke(request, response);
            return;
        }
        RequestScope scope = RequestScope.of(request);
        if (scope == null) {
            Arrival arrival = arrive(request, manager);
            if (arrival == Arrival.UNAVAILABLE) {
                RequestScope.refuse(response, "This node can't tell yet whether the session exists");
                return;
            }
            String borne = request.getRequestedSessionId();
            UnderstudySession rival = null;
            if (borne != null && manager.findSession(borne) instanceof UnderstudySession session) {
                rival = request.isRequestedSessionIdFromCookie() && superseded(session, borne) ? session : null;
                keepCookie(request, session, borne, manager.getJvmRoute() != null);
                tellLogin(request, session);
            }
            SessionLock lock = lock(request, manager);
            if (lock != null && lock.refused()) {
                RequestScope.refuse(response, "Another request of this session takes too long");
                return;
            }
            try {
                scope = RequestScope.begin(request, response, manager, lock);
                if (SessionUses.takeBegunEarly()
                        && request.getSessionInternal(false) instanceof UnderstudySession early) {
                    scope.adopt(early);
                }
                if (arrival == Arrival.BEHIND) {
                    scope.behind();
                }
                if (rival != null && borne != null) {
                    scope.outdated(rival, SessionIds.bare(borne));
                }
                // Whatever the mode: the request can still want to be coherent when it has made its changes.
                response.setResponse(new BarrierResponse(response, scope, request.getMethod()));
            } catch (RuntimeException | Error e) {
                if (lock != null) {
                    lock.close(); // No scope is left that would.
                }
                throw e;
            }
        }
        RequestScope outer = scope.enter();
        try {
            next().invoke(request, response);
        } finally {
            RequestScope.restore(outer);
            // Also after an exception: what the request changed until then stays changed on this node.
            scope.endPass();
        }
        if (!request.isAsync()) {
            scope.refuseIfDegraded();
        }
    }

    /**
     * A request can enter before Tomcat has linked a valve that is added to a running host to its successor, which is
     * the last one then.
     */
    private Valve next() {
        Valve next = getNext();
        return next != null ? next : getContainer().getPipeline().getBasic();
    }

    private static @Nullable UnderstudyManager managerOf(@Nullable Context context) {
        return context != null && context.getManager() instanceof UnderstudyManager manager && manager.isReplicating()
                ? manager
                : null;
    }

    /** Whether the session that the request bears, if any, can be looked up with certainty. */
    private static Arrival arrive(Request request, UnderstudyManager mapped) {
        String id = request.getRequestedSessionId();
        if (id == null) {
            return Arrival.PROCEED;
        }
        Arrival arrival = mapped.arrive(id, request);
        Context[] versions = request.getMappingData().contexts;
        if (arrival == Arrival.UNAVAILABLE || versions == null || mapped.findSession(id) != null) {
            return arrival;
        }
        // Tomcat chose the version before we could ask for the session. If another version has it, it has now been
        // fetched, and the next attempt will be mapped there.
        for (Context version : versions) {
            UnderstudyManager other = managerOf(version);
            if (other != null
                    && other != mapped
                    && (other.arrive(id, request) == Arrival.UNAVAILABLE || other.findSession(id) != null)) {
                return Arrival.UNAVAILABLE;
            }
        }
        return arrival;
    }

    private static @Nullable SessionLock lock(Request request, UnderstudyManager manager) {
        String id = request.getRequestedSessionId();
        return id == null ? null : manager.lock(id, String.valueOf(request.getRequestPathMB()));
    }

    /**
     * After a fail-over, points the load balancer's route in the cookie to this node; after concurrent changes of the id,
     * gives the client whose id was superseded the one that holds.
     */
    private static void keepCookie(Request request, UnderstudySession session, String borne, boolean routed) {
        String current = session.getIdInternal();
        if (routed ? !borne.equals(current) : superseded(session, borne)) {
            request.changeSessionId(current);
        }
    }

    /** Whether the session is found by this id, but has another one now. */
    private static boolean superseded(UnderstudySession session, String borne) {
        return !session.live().id().equals(SessionIds.bare(borne));
    }

    /** Tells the application who is logged in to the session by another kind of container. */
    private static void tellLogin(Request request, UnderstudySession session) {
        String name = session.loginElsewhere();
        if (name != null) {
            request.setAttribute(LoginName.ATTRIBUTE, name);
        }
    }
}
