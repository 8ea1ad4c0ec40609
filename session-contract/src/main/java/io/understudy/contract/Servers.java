package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Servers of a container with the application, each a node of a cluster in this JVM. Threads: any, but for {@link
 * #close}.
 */
final class Servers implements AutoCloseable {

    private final Tasks tasks;
    private final Cluster cluster;
    private final Map<Integer, ContractContainer.Node> servers = new HashMap<>();

    /** Starts them, and waits until they are ready. */
    Servers(ContractContainer container, Tasks tasks, int nodes, Map<Setting, String> settings) throws Exception {
        this.tasks = tasks;
        cluster = Cluster.of(nodes, settings);
        boolean started = false;
        try {
            for (int i = 0; i < nodes; i++) {
                Understudy node = cluster.node(i);
                servers.put(i, container.start(Topology.ALTERNATING, new Application(tasks), Optional.of(node)));
                Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
            }
            cluster.awaitKnownReady();
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    Cluster cluster() {
        return cluster;
    }

    /** Paths are those in the application. */
    Browser.Server server(int node) {
        int port = running(servers.get(node)).port();
        return path -> URI.create("http://127.0.0.1:" + port + Application.PATH + path);
    }

    private static ContractContainer.Node running(ContractContainer.@Nullable Node server) {
        return Objects.requireNonNull(server, "stopped");
    }

    /** Stops a server in an orderly way, and its node. */
    void stop(int node) {
        running(servers.remove(node)).close();
        cluster.giveUp(node);
    }

    /** What the task returns on a node, in a request that succeeds. */
    <T> T ask(Browser browser, int node, Task.Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        String page = tasks.add((request, response) -> {
            answer.complete(question.answer(request));
            response.getWriter().print("done");
        });
        assertEquals("done", browser.get(server(node), page));
        return answer.join();
    }

    @Override
    public void close() {
        servers.values().forEach(ContractContainer.Node::close);
        cluster.close();
    }
}
