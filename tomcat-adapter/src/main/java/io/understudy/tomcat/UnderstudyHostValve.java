package io.understudy.tomcat;

import io.understudy.session.Admission;
import io.understudy.session.LoginName;
import io.understudy.session.ReplicatedSessions;
import io.understudy.tomcat.barrier.BarrierResponse;
import io.understudy.tomcat.barrier.Refusal;
import io.understudy.tomcat.container.SessionIds;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.Context;
import org.apache.catalina.Host;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
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

    private static final String STARTING = "starting a request; the valve answers 500";

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
        UnderstudyManager manager;
        StandardContext counting;
        try {
            manager = managerOf(request.getContext());
            counting = manager == null ? null : count(request);
        } catch (RuntimeException | Error e) {
            getContainer().getLogger().error(STARTING, e);
            Refusal.fail(response);
            return;
        }
        if (manager == null) {
            next().invoke(request, response);
            return;
        }
        try {
            frame(request, response, manager);
        } finally {
            if (counting != null) {
                uncount(counting, manager);
            }
        }
    }

    /**
     * Tomcat, when it stops the application, and Spring Boot's graceful shutdown wait for requests in servlets only. A
     * request here can wait for its session before the servlet, and for acknowledgements after it.
     *
     * @return what counts it; {@code null} if nothing does
     */
    private static @Nullable StandardContext count(Request request) {
        if (request.getContext() instanceof StandardContext context) {
            context.incrementInProgressAsyncCount();
            return context;
        }
        return null;
    }

    private static void uncount(StandardContext counting, UnderstudyManager manager) {
        try {
            counting.decrementInProgressAsyncCount();
        } catch (RuntimeException | Error e) {
            manager.survived("counting that a request has ended; the valve does it again", e);
            counting.decrementInProgressAsyncCount();
        }
    }

    private void frame(Request request, Response response, UnderstudyManager manager)
            throws IOException, ServletException {
        RequestScope scope;
        AtomicReference<@Nullable RequestScope> place;
        try {
            scope = scope(request, response, manager);
            if (scope == null) {
                return;
            }
            place = begin(scope);
        } catch (RuntimeException | Error e) {
            manager.survived(STARTING, e);
            Refusal.fail(response);
            return;
        }
        pass(request, response, manager, scope, place);
    }

    /** A pass that can't begin is over. */
    private static AtomicReference<@Nullable RequestScope> begin(RequestScope scope) {
        AtomicReference<@Nullable RequestScope> place = null;
        try {
            scope.beginPass();
            place = RequestScope.currentPlace();
            return place;
        } finally {
            if (place == null) {
                scope.endPass(false);
            }
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
                Refusal.refuse(response, refusal);
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
        ReplicatedSessions served = manager.served();
        RequestedIds ids = new RequestedIds(request);
        Admission arrival = arrive(request, ids, manager);
        if (arrival == Admission.UNAVAILABLE) {
            return "This node does not know yet whether the session exists";
        }
        ids.take();
        String borne = request.getRequestedSessionId();
        UnderstudySession rival = null;
        UnderstudySession session = borne == null ? null : ids.session(borne, manager);
        if (borne != null && session != null) {
            String login = session.loginElsewhere(); // Before the id: a login that comes in between replaces that.
            String current = session.live().idFor(SessionIds.bare(borne));
            if (current != null) {
                boolean superseded = !current.equals(SessionIds.bare(borne));
                rival = superseded && request.isRequestedSessionIdFromCookie() ? session : null;
                keepCookie(request, borne, current, manager.getJvmRoute());
                if (login != null) {
                    request.setAttribute(LoginName.ATTRIBUTE, login);
                }
            }
        }
        if (!scope.lock()) {
            return "Another request holds the lock of this session for too long";
        }
        if (served == null || manager.served() != served) {
            // Tomcat chose the servlet before the wait; without this it would answer 404.
            return "The application was stopped while the request waited";
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
        response.setResponse(new BarrierResponse(response, scope, new KnownId(request), request.getMethod()));
        scope.keep();
        return null;
    }

    private void pass(
            Request request,
            Response response,
            UnderstudyManager manager,
            RequestScope scope,
            AtomicReference<@Nullable RequestScope> place)
            throws IOException, ServletException {
        RequestScope outer = place.getPlain();
        boolean returned = false;
        try {
            place.setPlain(scope);
            next().invoke(request, response);
            returned = true;
        } catch (OutOfMemoryError e) {
            // Tomcat closes the connection after it, whoever it is from, and the client would get no answer.
            if (response.isCommitted() || request.isAsync()) {
                throw e;
            }
            manager.survived("a request; the valve answers 500", e);
            Refusal.fail(response);
        } finally {
            place.setPlain(outer);
            // Also after an exception: what the request changed until then stays changed on this node.
            scope.endPass(returned);
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
    private static Admission arrive(Request request, RequestedIds ids, UnderstudyManager mapped) {
        if (ids.isEmpty()) {
            return Admission.PROCEED;
        }
        Admission arrival = ids.admit(mapped);
        Context[] versions = request.getMappingData().contexts;
        if (arrival == Admission.UNAVAILABLE || versions == null || ids.found(mapped)) {
            return arrival;
        }
        // Tomcat chose the version before we could ask for the session. If another version has it, it has now been
        // fetched, and the next attempt will be mapped there.
        for (Context version : versions) {
            UnderstudyManager other = managerOf(version);
            if (other != null && other != mapped && (ids.admit(other) == Admission.UNAVAILABLE || ids.found(other))) {
                return Admission.UNAVAILABLE;
            }
        }
        return arrival;
    }

    /**
     * After a fail-over, points the load balancer's route in the cookie to this node; after concurrent changes of the
     * id, gives the client whose id was superseded the one that holds.
     */
    private static void keepCookie(Request request, String borne, String current, @Nullable String route) {
        String kept = route == null ? SessionIds.bare(borne) : borne;
        String right = SessionIds.routed(current, route);
        if (kept.equals(right)) {
            return;
        }
        if (request.isRequestedSessionIdFromCookie()) {
            request.changeSessionId(right);
        } else {
            request.setRequestedSessionId(right); // A link must not give the browser a cookie with its id.
        }
    }
}
