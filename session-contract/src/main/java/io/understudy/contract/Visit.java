package io.understudy.contract;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What one case has: the site, with clients of its own. */
final class Visit {

    /** A thousand times what a message takes on loopback. */
    private static final long TRAVEL_MILLIS = 5000;

    /** A replica's times are kept by the monotonic clock, whose milliseconds begin at other moments than the wall clock's. */
    private static final long ROUNDING_MILLIS = 1;

    private static final long TOUCH_MILLIS = 10_000;
    private static final Duration SOON = Await.LIMIT;

    private final Site site;

    Visit(Site site) {
        this.site = site;
    }

    /**
     * What times that are read from a replica may be off by, in milliseconds: they travel as durations, as clocks may
     * differ, and the journey is not in them.
     */
    long travelMillis() {
        return site.topology().nodes() > 1 ? TRAVEL_MILLIS : site.topology().replicated() ? ROUNDING_MILLIS : 0;
    }

    /** How far another node may be behind with the time of the last use, in milliseconds: it tells it once a second. */
    long touchMillis() {
        return site.topology().nodes() > 1 ? TOUCH_MILLIS : 0;
    }

    /**
     * Whether a running request sees what another one of its session has just set: a version cookie is for requests that come
     * later, so with it this may take a while.
     */
    boolean soon(BooleanSupplier sees) {
        if (site.topology() == Topology.VERSIONED) {
            Await.until(SOON, () -> "not there", sees);
        }
        return sees.getAsBoolean();
    }

    /**
     * Whether a request finds a session while listeners are called for its end: a container alone may let it, and a
     * replicated session is hidden from then on.
     */
    boolean mayFindEnding() {
        return !site.topology().replicated();
    }

    /** Whether no request of the client finds its session, whose listeners have been called, or are. */
    boolean ended(Client client) {
        BooleanSupplier gone = () -> client.holds(request -> request.getSession(false) == null);
        if (mayFindEnding()) {
            Await.until(SOON, () -> "it is found", gone);
        }
        return gone.getAsBoolean();
    }

    /** A new browser. */
    Client client() {
        return client(new Browser());
    }

    /** One that keeps no cookies. */
    Client forgetfulClient() {
        return client(Browser.forgetful());
    }

    /** One that has a session's cookie from somewhere. */
    Client clientBearing(String sessionId) {
        return client(Browser.bearing(sessionId));
    }

    private Client client(Browser browser) {
        return new Client(site, site.topology().browser(browser));
    }

    /** The path of a page that runs the task, on every node, until the case ends. */
    String page(Task task) {
        return site.tasks().add(task);
    }
}
