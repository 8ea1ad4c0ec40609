package io.understudy.tomcat;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Ends the scope of a request when its asynchronous part is complete. Threads: those of the request. */
record AsyncEnd(RequestScope scope) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
        scope.over();
    }

    /** An asynchronous request that is timed out or failed is completed after that. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    /** The pass of the pipeline that starts it anew puts a listener of its own. */
    @Override
    public void onStartAsync(AsyncEvent event) {}
}
