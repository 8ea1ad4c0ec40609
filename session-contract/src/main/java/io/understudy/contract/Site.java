package io.understudy.contract;

import io.understudy.Understudy;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The servers that a case's clients ask, and the tasks that they run. */
final class Site implements AutoCloseable {

    private static final Duration READY = Await.LIMIT;

    /** Many times what a message takes on loopback. */
    private static final Duration LATE = Duration.ofMillis(10);

    private final Topology topology;
    private final Tasks tasks = new Tasks();
    private final @Nullable Cluster cluster;
    private final List<ContractContainer.Node> servers = new ArrayList<>();
    private int clients;

    private Site(Topology topology) {
        this.topology = topology;
        this.cluster = topology.replicated() ? Cluster.of(topology.nodes(), topology.settings()) : null;
    }

    static Site open(ContractContainer container, Topology topology) throws Exception {
        Site site = new Site(topology);
        try {
            site.start(container);
            return site;
        } catch (Exception | Error e) {
            site.close();
            throw e;
        }
    }

    private void start(ContractContainer container) throws Exception {
        Application application = new Application(tasks);
        Cluster replicating = cluster;
        for (int i = 0; i < topology.nodes(); i++) {
            servers.add(container.start(
                    topology, application, replicating == null ? Optional.empty() : Optional.of(replicating.node(i))));
        }
        if (replicating != null) {
            for (int i = 0; i < topology.nodes(); i++) {
                Understudy node = replicating.node(i);
                Await.until(READY, node::readiness, () -> node.readiness().ready());
            }
            replicating.awaitKnownReady();
            if (topology.delayed()) {
                replicating.delay(LATE);
            }
        }
    }

    Topology topology() {
        return topology;
    }

    Tasks tasks() {
        return tasks;
    }

    /** For the next client. */
    synchronized int number() {
        return clients++;
    }

    /** The application on that node. */
    Browser.Server server(int node) {
        return path -> URI.create("http://127.0.0.1:" + servers.get(node).port() + Application.PATH + path);
    }

    @Override
    public void close() {
        servers.forEach(ContractContainer.Node::close);
        if (cluster != null) {
            cluster.close();
        }
    }
}
