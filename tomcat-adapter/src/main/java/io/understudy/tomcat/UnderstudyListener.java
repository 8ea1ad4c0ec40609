package io.understudy.tomcat;

import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.threads.ContextLoader;
import io.understudy.tomcat.container.TomcatVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.Server;
import org.apache.catalina.Service;
import org.jspecify.annotations.Nullable;

/**
 * Starts a node with the server, before its applications, and closes it after the server has stopped. Optional: without it
 * the first application starts the node.
 *
 * <pre>{@code
 * <Server>
 *   <Listener className="io.understudy.tomcat.UnderstudyListener" clusterName="shop" hosts="10.0.0.1:7800,10.0.0.2:7800"/>
 * }</pre>
 *
 * Attributes are the settings of {@link UnderstudyConfig}. {@link UnderstudyManager}s and {@link UnderstudySingleSignOn}s of
 * the server that name the same cluster need no others: what they do not give they have from the listener. A wrong setting
 * makes the start of the server fail.
 *
 * <p>Threads: those that start and stop the server and its applications.
 */
public final class UnderstudyListener implements LifecycleListener {

    /** Settings by name, until the server starts. */
    private final Map<String, String> settings = new LinkedHashMap<>();

    /** While the server runs. */
    private volatile @Nullable Understudy node;

    public UnderstudyListener() {
        TomcatVersion.require();
    }

    /** Takes an attribute of the element. A wrong one makes the start of the server fail. */
    public void setProperty(String name, String value) {
        settings.put(name, value);
    }

    /** @throws ConfigException if the settings are wrong, or the listener is one of another element than {@code Server} */
    @Override
    public void lifecycleEvent(LifecycleEvent event) {
        switch (event.getType()) {
            case Lifecycle.BEFORE_START_EVENT -> start(event.getLifecycle());
            // A server that failed to start is destroyed, and stopped only if it got that far.
            case Lifecycle.AFTER_STOP_EVENT, Lifecycle.AFTER_DESTROY_EVENT -> stop();
            default -> {}
        }
    }

    private void start(Lifecycle source) {
        if (!(source instanceof Server)) {
            throw new ConfigException("UnderstudyListener is a Listener of " + source
                    + ": expected a Listener of Server, because it starts the node for all applications; move it "
                    + "there");
        }
        ContextLoader.during(
                UnderstudyListener.class.getClassLoader(),
                () -> node = Understudy.shared(UnderstudyConfig.fromProperties(settings)));
    }

    private void stop() {
        Understudy started = node;
        node = null;
        if (started != null) {
            started.close();
        }
    }

    /**
     * The settings of an element of a server: those it gives, and the others of the server's listener for that cluster, if
     * it has one.
     *
     * @throws ConfigException if they are wrong
     */
    static UnderstudyConfig complete(@Nullable Service service, Map<String, String> settings) {
        Server server = service == null ? null : service.getServer();
        if (server != null) {
            String cluster = settings.getOrDefault(Setting.CLUSTER_NAME.key(), Setting.CLUSTER_NAME.defaultValue())
                    .trim();
            for (LifecycleListener listener : server.findLifecycleListeners()) {
                Understudy started = listener instanceof UnderstudyListener ours ? ours.node : null;
                if (started != null && started.config().clusterName().equals(cluster)) {
                    return started.config().with(settings);
                }
            }
        }
        return UnderstudyConfig.fromProperties(settings);
    }
}
