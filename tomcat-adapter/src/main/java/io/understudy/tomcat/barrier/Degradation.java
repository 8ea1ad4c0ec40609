package io.understudy.tomcat.barrier;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.OnDegraded;
import io.understudy.session.RequestCoherence;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;

/** Whether a response is degraded, how the application and the client learn of it, and its refusal. Threads: any. */
public final class Degradation {

    private final Request request;
    private final Response response;
    private final ApplicationConfig settings;

    /**
     * Whether fewer members than asked for acknowledged a change; with fewer than all the response is only degraded.
     */
    private volatile boolean unacknowledged;

    private volatile boolean degraded;

    public Degradation(Request request, Response response, ApplicationConfig settings) {
        this.request = request;
        this.response = response;
        this.settings = settings;
    }

    /** Needs no memory. */
    public void unacknowledged() {
        unacknowledged = true;
        degraded = true;
    }

    /** Reports it to the application, and to the client as long as nothing of the response has left. */
    public void tell() {
        degraded = true;
        request.setAttribute(RequestCoherence.DEGRADED, true);
        tellClient();
    }

    private void tellClient() {
        if (degraded && !settings.degradedHeader().isEmpty() && !response.isCommitted()) {
            response.setHeader(settings.degradedHeader(), "true");
        }
    }

    /**
     * If the settings want it, replaces a response to unacknowledged changes by a 503, unless it has begun to leave.
     */
    public void refuse() throws IOException {
        if (unacknowledged
                && settings.onDegraded() == OnDegraded.REFUSE
                && !response.isCommitted()
                && response.getStatus() != 503) {
            Refusal.refuse(response, "Session changes could not be replicated");
            tellClient();
        }
    }
}
