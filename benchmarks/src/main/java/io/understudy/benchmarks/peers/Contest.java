package io.understudy.benchmarks.peers;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.peers.client.Requests;
import io.understudy.benchmarks.peers.node.Product;
import io.understudy.benchmarks.trial.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The products of one container. All of them run, and one at a time is under load. The first round starts them.
 *
 * <p>Threads: one, the experiment's.
 */
final class Contest implements AutoCloseable {

    /** A warm-up runs in slices: a slow moment of the machine then slows all products' warm-ups. */
    private static final double TURN_SECONDS = 5;

    /** Products that start at once. Each waits for a while until its nodes have found each other. */
    private static final int STARTS_AT_ONCE = 3;

    private final Trial trial;
    private final List<Product> products;
    private final Map<Product, ProductCluster> clusters = new EnumMap<>(Product.class);

    /** What one product measures. */
    private interface Measurement {
        Figures measure(ProductCluster cluster) throws Exception;
    }

    Contest(Trial trial, Product.Container container) {
        this.trial = trial;
        this.products = container.products();
    }

    /** Ends the nodes if they have been under load: the next round begins with new ones. */
    void renew() throws IOException {
        if (clusters.values().stream().anyMatch(cluster -> cluster.loadedSeconds(Requests.CHANGES) > 0)) {
            close();
        }
    }

    /**
     * Has the clients make their sessions, and puts each product under load until it was for so many seconds since
     * its start; under loads that read, if this one does.
     */
    void warm(Workload workload, double seconds) throws Exception {
        start();
        for (ProductCluster cluster : clusters.values()) {
            cluster.fill(workload);
        }
        boolean cold = true;
        while (cold) {
            cold = false;
            for (ProductCluster cluster : clusters.values()) {
                double left = seconds - cluster.loadedSeconds(workload.requests());
                if (left > 0) {
                    cluster.warm(workload, Math.min(left, TURN_SECONDS));
                    cold = true;
                }
            }
        }
    }

    private void start() throws Exception {
        if (!clusters.isEmpty()) {
            return;
        }
        ExecutorService threads = Executors.newFixedThreadPool(STARTS_AT_ONCE);
        try {
            Map<Product, Future<ProductCluster>> starts = new LinkedHashMap<>();
            for (Product product : products) {
                Callable<ProductCluster> start = () -> ProductCluster.start(trial, product);
                starts.put(product, threads.submit(start));
            }
            for (Map.Entry<Product, Future<ProductCluster>> start : starts.entrySet()) {
                clusters.put(start.getKey(), start.getValue().get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One slice of each product, beginning with another one in each turn. */
    Figures round(int turn, Workload workload, double seconds) throws Exception {
        return each(turn, products, cluster -> cluster.measure(workload, seconds));
    }

    /** Measures how soon the other node shows changes, for products that promise it, and then what that node lacks. */
    Figures visibility(Workload workload, int seconds, int perSecond) throws Exception {
        List<Product> visible = products.stream().filter(Product::visible).toList();
        return each(0, visible, cluster -> cluster.pace(workload, seconds, perSecond));
    }

    /** What the other node lacks when the one that is written to is killed. The nodes are of no use afterwards. */
    Figures kill(int turn, Workload workload, double seconds) throws Exception {
        List<Product> visible = products.stream().filter(Product::visible).toList();
        Figures figures = each(turn, visible, cluster -> cluster.kill(workload, seconds));
        close();
        return figures;
    }

    private Figures each(int turn, List<Product> measured, Measurement measurement) throws Exception {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int i = 0; i < measured.size(); i++) {
            Product product = measured.get((turn + i) % measured.size());
            ProductCluster cluster = clusters.get(product);
            if (cluster == null) {
                throw new IllegalStateException(product + " was not started");
            }
            measurement
                    .measure(cluster)
                    .values()
                    .forEach((name, value) -> figures.put(product.word() + "." + name, value));
        }
        return Figures.of(figures);
    }

    @Override
    public void close() throws IOException {
        List<ProductCluster> running = new ArrayList<>(clusters.values());
        clusters.clear();
        for (ProductCluster cluster : running) {
            cluster.close();
        }
    }
}
