package io.understudy.tomcat.container;

import io.understudy.Understudy;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.Server;

/** Closes the nodes that waited for their applications to come back, when the server has stopped. */
public final class ReleasedNodes implements LifecycleListener {

    private ReleasedNodes() {}

    /**
     * Does so once for the server, however often it is called. Without the server's own lock: while the server starts or
     * stops, the thread that holds that waits for the applications, and an application calls this.
     */
    public static void closeWith(Server server) {
        synchronized (ReleasedNodes.class) {
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
