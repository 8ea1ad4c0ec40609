package io.understudy.tomcat;

import io.understudy.Understudy;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.Server;

/** Closes the nodes that waited for their applications to come back, when the server has stopped. */
final class ReleasedNodes implements LifecycleListener {

    private ReleasedNodes() {}

    /** Does so once for the server, however often it is called. */
    static void closeWith(Server server) {
        synchronized (server) {
            for (LifecycleListener listener : server.findLifecycleListeners()) {
                if (listener instanceof ReleasedNodes) {
                    return;
                }
            }
            server.addLifecycleListener(new ReleasedNodes());
        }
    }

    @Override
    public void lifecycleEvent(LifecycleEvent event) {
        if (event.getType().equals(Lifecycle.AFTER_STOP_EVENT)) {
            Understudy.closeReleased();
        }
    }
}
