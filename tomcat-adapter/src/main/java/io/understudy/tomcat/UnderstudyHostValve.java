package io.understudy.tomcat;

import io.understudy.session.Admission;
import io.understudy.session.LoginName;
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
        UnderstudyManager manager = null;
        RequestScope scope;
        try {
            manager = managerOf(request.getContext());
            scope = manager == null ? null : scope(request, response, manager);
        } catch (RuntimeException | Error e) {
            survived(manager, "starting a request; the valve answers 500", e);
            RequestScope.fail(response);
            return;
        }
        if (manager == null) {
            next().invoke(request, response);
        } else if (scope != null) {
            pass(request, response, scope);
        }
    }

    private void survived(@Nullable UnderstudyManager manager, String what, Throwable e) {
        if (manager != null) {
            manager.survived(what, e);
        } else {
            getContainer().getLogger().error(what, e);
        }
    }

    /** The scope of a request that goes on; {@code null} if it is answered here. */
    private static @Nullable RequestScope scope(Request request, Response response, UnderstudyManager manager)
            throws IOException {
        RequestScope begun = RequestScope.of(request);
        if (begun != null) {
            return begun;
        }
        RequestScope scope = new RequestScope(request, response, manager); // Before the request takes anything.
        boolean goesOn = false;
        try {
            String refusal = admit(request, response, manager, scope);
            if (refusal != null) {
                RequestScope.refuse(response, refusal);
                return null;
            }
            goesOn = true;
            return scope;
        } finally {
            if (!goesOn) {
                scope.leave(false);
            }
        }
    }

    /** @return why the request is refused, or {@code null} */
    private static @Nullable String admit(
            Request request, Response response, UnderstudyManager manager, RequestScope scope) {
        Admission arrival = arrive(request, manager);
        if (arrival == Admission.UNAVAILABLE) {
            return "This node does not know yet whether the session exists";
        }
        String borne = request.getRequestedSessionId();
        UnderstudySession rival = null;
        if (borne != null && manager.findSession(borne) instanceof UnderstudySession session) {
            boolean superseded = superseded(session, borne);
            rival = superseded && request.isRequestedSessionIdFromCookie() ? session : null;
            keepCookie(request, session, borne, manager.getJvmRoute() != null, superseded);
            tellLogin(request, session);
        }
        if (!scope.lock()) {
            return "Another request holds the lock of this session for too long";
        }
        if (SessionUses.takeBegunEarly() && request.getSessionInternal(false) instanceof UnderstudySession early) {
            scope.adopt(early);
        }
        if (arrival == Admission.BEHIND) {
            scope.behind();
        }
        if (rival != null && borne != null) {
            scope.outdated(rival, SessionIds.bare(borne));
        }
        // Whatever the mode: the request can still want to be coherent when it has made its changes.
        response.setResponse(new BarrierResponse(response, scope, request.getMethod()));
        scope.keep();
        return null;
    }

    private void pass(Request request, Response response, RequestScope scope) throws IOException, ServletException {
        RequestScope outer = null;
        try {
            outer = scope.enter();
            next().invoke(request, response);
        } catch (OutOfMemoryError e) {
            // Tomcat closes the connection after it, whoever it is from, and the client would get no answer.
            if (!scope.fail(e)) {
                throw e;
            }
        } finally {
            RequestScope.restore(outer);
            // Also after an exception: what the request changed until then stays changed on this node.
            scope.endPass();
        }
        scope.refuseAtEnd();
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
    private static Admission arrive(Request request, UnderstudyManager mapped) {
        String id = request.getRequestedSessionId();
        if (id == null) {
            return Admission.PROCEED;
        }
        Admission arrival = mapped.arrive(id, request);
        Context[] versions = request.getMappingData().contexts;
        if (arrival == Admission.UNAVAILABLE || versions == null || mapped.findSession(id) != null) {
            return arrival;
        }
        // Tomcat chose the version before we could ask for the session. If another version has it, it has now been
        // fetched, and the next attempt will be mapped there.
        for (Context version : versions) {
            UnderstudyManager other = managerOf(version);
            if (other != null
                    && other != mapped
                    && (other.arrive(id, request) == Admission.UNAVAILABLE || other.findSession(id) != null)) {
                return Admission.UNAVAILABLE;
            }
        }
        return arrival;
    }

    /**
     * After a fail-over, points the load balancer's route in the cookie to this node; after concurrent changes of the id,
     * gives the client whose id was superseded the one that holds.
     */
    private static void keepCookie(
            Request request, UnderstudySession session, String borne, boolean routed, boolean superseded) {
        if (routed ? !borne.equals(session.getIdInternal()) : superseded) {
            request.changeSessionId(session.getIdInternal());
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
