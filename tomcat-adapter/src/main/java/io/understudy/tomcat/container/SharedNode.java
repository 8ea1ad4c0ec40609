package io.understudy.tomcat.container;

import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Service;
import org.jspecify.annotations.Nullable;

/**
 * The use that an application, or a valve, makes of the node that the JVM's applications share.
 *
 * <p>Threads: one at a time.
 */
public final class SharedNode {

    private @Nullable Understudy node;

    /** Begins it. The node starts with its first use. */
    public Understudy use(UnderstudyConfig config) {
        Understudy used = Understudy.shared(config);
        node = used;
        return used;
    }

    /** Ends it, if it has begun. */
    public void close() {
        Understudy used = node;
        node = null;
        if (used != null) {
            used.close();
        }
    }

    /**
     * Ends it, if it has begun. A host that goes on without this application may get it back: then the node keeps its
     * sessions.
     */
    public void giveBack(Context context) {
        Understudy used = node;
        Container host = context.getParent();
        Service service = Container.getService(context);
        if (used != null && host != null && host.getState().isAvailable() && service != null) {
            node = null;
            ReleasedNodes.closeWith(service.getServer());
            used.release();
        } else {
            close();
        }
    }
}
