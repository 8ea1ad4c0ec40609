package io.understudy.junit.sites;

import io.understudy.junit.servers.Application;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The two servers of a test, which start while the test runs on one node. Threads: any. */
public final class StartingCluster {

    private final CompletableFuture<ClusterSite> site = new CompletableFuture<>();

    /** @param settings of the application, by name */
    public StartingCluster(Application application, Map<String, String> settings) {
        Thread starting = new Thread(() -> start(application, settings), "understudy-junit-start");
        starting.setDaemon(true);
        starting.start();
    }

    private void start(Application application, Map<String, String> settings) {
        try {
            site.complete(ClusterSite.start(application, settings));
        } catch (InterruptedException | RuntimeException | Error e) {
            site.completeExceptionally(e);
        }
    }

    /**
     * Waits until the servers are ready.
     *
     * @throws IllegalStateException if they did not start
     */
    public ClusterSite await() throws InterruptedException {
        try {
            return site.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the two nodes of the test did not start: " + e.getCause(), e.getCause());
        }
    }

    /** Stops the servers when they have started. */
    public void close() {
        try {
            site.join().close();
        } catch (CompletionException e) {
            // Then there is nothing to stop; await has the reason.
        }
    }
}
