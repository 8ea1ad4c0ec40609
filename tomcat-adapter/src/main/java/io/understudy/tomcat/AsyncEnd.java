package io.understudy.tomcat;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.RequestDispatcher;
import org.apache.catalina.connector.Request;

/**
 * The barrier before the end of an asynchronous request. Tomcat calls {@link #onComplete} in one of its own threads
 * before it sends the rest of the response, whoever has called {@code AsyncContext.complete()}, or if nobody did.
 *
 * <p>Tomcat holds the monitor of the request's asynchronous state meanwhile. So these wait too: threads that call the
 * request's {@code AsyncContext} although it is complete, and with HTTP/2 the timer of the connector's asynchronous
 * timeouts, if this request has none.
 *
 * <p>Threads: those of the request.
 */
record AsyncEnd(RequestScope scope) implements AsyncListener {

    /**
     * Whether Tomcat calls {@link #onComplete} after a pass of the pipeline: the request goes on, or its dispatch threw
     * an exception. After that Tomcat answers, and calls the listeners of the error, which may change the session.
     *
     * @param listening whether Tomcat has the listener of an earlier pass
     */
    static boolean follows(Request request, boolean listening) {
        return request.isAsync() || (listening && request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        scope.completed();
    }

    /** An asynchronous request that is timed out or failed is completed after that. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    /** Tomcat forgets its listeners now: the pass of the pipeline that starts it anew adds another one. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        scope.startedAnew();
    }
}
