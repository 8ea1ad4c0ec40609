package io.understudy.jetty;

import io.understudy.NodeFigures;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Handler;

/** Several Jetty nodes with the same application, complete and ready. */
final class JettyCluster implements AutoCloseable {

    private final List<JettyNode> nodes = new ArrayList<>();

    private JettyCluster() {}

    JettyNode node(int index) {
        return nodes.get(index);
    }

    List<JettyNode> nodes() {
        return nodes;
    }

    @Override
    public void close() {
        nodes.forEach(JettyNode::close);
    }

    static Builder of(int size) {
        return new Builder(size);
    }

    static final class Builder {

        private final int size;
        private final Map<String, JettyNode.Action> actions = new LinkedHashMap<>();
        private final Map<Setting, String> settings = new HashMap<>();
        private final List<EventListener> listeners = new ArrayList<>();
        private Function<ServletContextHandler, Handler> tuning = context -> context;
        private int evictionPolicy = -1;

        private Builder(int size) {
            this.size = size;
        }

        /** A path, below {@code /app}, of the application on every node. */
        Builder on(String path, JettyNode.Action action) {
            actions.put(path, action);
            return this;
        }

        Builder set(Setting setting, String value) {
            settings.put(setting, value);
            return this;
        }

        Builder listener(EventListener listener) {
            listeners.add(listener);
            return this;
        }

        Builder tune(Function<ServletContextHandler, Handler> tuning) {
            this.tuning = tuning;
            return this;
        }

        Builder evict(int policy) {
            evictionPolicy = policy;
            return this;
        }

        JettyCluster start() {
            return start(config -> JettyNode.of(config, tuning.apply(JettyNode.webapp(actions, listeners))));
        }

        JettyCluster start(Function<UnderstudyConfig, JettyNode> make) {
            JettyCluster cluster = new JettyCluster();
            try {
                for (UnderstudyConfig config : LoopbackCluster.configs(size, settings)) {
                    JettyNode node = make.apply(config);
                    cluster.nodes.add(node);
                    node.factory.setEvictionPolicy(evictionPolicy);
                    node.start();
                }
                Await.that(
                        "all nodes are ready",
                        () -> cluster.nodes.stream()
                                .allMatch(node -> node.understudy.readiness().ready()));
                List<Understudy> all =
                        cluster.nodes.stream().map(node -> node.understudy).toList();
                Await.that("they know it", () -> NodeFigures.allKnownReady(all));
                return cluster;
            } catch (RuntimeException | Error e) {
                cluster.close();
                throw e;
            }
        }
    }
}
