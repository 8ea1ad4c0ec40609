package io.understudy.benchmarks.peers;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.peers.client.LoadClient;
import io.understudy.benchmarks.peers.client.Requests;
import io.understudy.benchmarks.peers.node.Product;
import io.understudy.benchmarks.peers.node.ProductNode;
import io.understudy.benchmarks.process.Fleet;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Two nodes of a {@link Product}, each on a host of its own, and clients on the host of the first: while they use
 * that node only, the traffic of the hosts is that between the nodes. Of a product that does not replicate one
 * node.
 */
final class ProductCluster implements AutoCloseable {

    private static final int NODE = 0;
    private static final int CLIENT = 1;
    private static final int OTHER = 2;
    private static final int OTHER_HOST = 1;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A cluster that used less than this between two looks is quiet: what load has left behind is done. */
    private static final double QUIET_CPU = 0.03;

    private static final long LOOK_MILLIS = 100;
    private static final int QUIET_LOOKS = 2;

    private final Fleet fleet;
    private final Product product;
    private final List<Integer> nodes;
    private final Map<Requests, Double> loadedSeconds = new EnumMap<>(Requests.class);

    private ProductCluster(Fleet fleet, Product product) {
        this.fleet = fleet;
        this.product = product;
        this.nodes = new ArrayList<>(product.replicates() ? List.of(NODE, OTHER) : List.of(NODE));
    }

    static ProductCluster start(Trial trial, Product product) throws Exception {
        String all = System.getProperty("java.class.path");
        String name = "peers-" + product.word();
        List<Fleet.Program> programs = new ArrayList<>();
        programs.add(node(0, all, product, trial.results().resolve(name)));
        programs.add(new Fleet.Program(0, all, List.of("-Xmx256m", "-XX:+UseSerialGC"), LoadClient.class, List.of()));
        if (product.replicates()) {
            programs.add(node(1, all, product, trial.results().resolve(name + "-other")));
        }
        Fleet fleet = Fleet.start(
                product.replicates() ? 2 : 1, programs, trial.results().resolve(name));
        try {
            ProductCluster cluster = new ProductCluster(fleet, product);
            cluster.awaitReplication();
            return cluster;
        } catch (Exception | AssertionError e) {
            fleet.close();
            throw e;
        }
    }

    private static Fleet.Program node(int host, String all, Product product, Path directory) {
        return new Fleet.Program(
                host,
                product.classPath(all, File.pathSeparator),
                List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC"),
                ProductNode.class,
                List.of(product.name(), directory.toString()));
    }

    /** What this node writes arrives at the other one: they have found each other. */
    private void awaitReplication() {
        if (product.replicates()) {
            Await.until(LIMIT, () -> product.label() + " does not replicate", () -> arrives("probe"));
        }
    }

    private boolean arrives(String probe) {
        try {
            return client(probe, String.valueOf(OTHER_HOST)).get("arrived") == 1;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** How long it was under load since it started: what reads was under such reads, what changes under any load. */
    double loadedSeconds(Requests requests) {
        return requests.reads()
                ? loadedSeconds.getOrDefault(requests, 0.0)
                : loadedSeconds.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum();
    }

    private void loaded(Requests requests, double seconds) {
        loadedSeconds.merge(requests, seconds, Double::sum);
    }

    /** Has the clients make the sessions that they lack. */
    void fill(Workload workload) throws Exception {
        client(workload.requests().reads() ? "open" : "fill", sessions(workload));
        if (workload.requests().reads() && product.visible()) {
            Await.until(LIMIT, () -> product.label() + " does not replicate a cart", () -> arrives("probe-shop"));
        }
    }

    /** As {@code start} of {@link LoadClient}, with sessions that are there. */
    Figures start(int sessions, int seconds) throws Exception {
        loaded(Requests.CHANGES, seconds);
        return client("start", String.valueOf(sessions), String.valueOf(seconds));
    }

    private Figures client(String... words) throws Exception {
        return Figures.parse(fleet.ask(CLIENT, words));
    }

    private Figures load(Workload workload, double seconds) throws Exception {
        loaded(workload.requests(), seconds);
        return client("load", sessions(workload), workload.requests().name(), String.valueOf(seconds));
    }

    void warm(Workload workload, double seconds) throws Exception {
        load(workload, seconds);
        awaitQuiet();
    }

    /** Figures per request, of all nodes, with what the load has left behind. */
    Figures measure(Workload workload, double seconds) throws Exception {
        Figures before = usage();
        Figures load = load(workload, seconds);
        awaitQuiet();
        Figures after = usage();
        double requests = load.get("answered");
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("requests", requests / load.get("seconds"));
        figures.put("cpu-us", (after.get("cpu") - before.get("cpu")) / requests / 1000);
        figures.put("compiler-us", (after.get("compiler") - before.get("compiler")) / requests / 1000);
        figures.put("gc-us", (after.get("gc") - before.get("gc")) / requests / 1000);
        figures.put("switches", (after.get("switches") - before.get("switches")) / requests);
        figures.put("allocated", (after.get("allocated") - before.get("allocated")) / requests);
        figures.put("allocated-serving", (after.get("serving") - before.get("serving")) / requests);
        figures.put("wire", (after.get("wire") - before.get("wire")) / requests);
        figures.put("p50-us", load.get("p50-us"));
        figures.put("p99-us", load.get("p99-us"));
        figures.put("broken", load.get("broken"));
        figures.replaceAll((name, value) -> rounded(value));
        return Figures.of(figures);
    }

    /** Four digits: more are noise. */
    private static double rounded(double value) {
        return Double.parseDouble(String.format(Locale.ROOT, "%.4g", value));
    }

    /**
     * As {@code pace} of {@link LoadClient}; then what the other node lacks of those sessions when nothing is under way
     * any more.
     */
    Figures pace(Workload workload, int seconds, int perSecond) throws Exception {
        loaded(workload.requests(), seconds);
        Figures paced = client(
                "pace",
                sessions(workload),
                String.valueOf(workload.length()),
                String.valueOf(seconds),
                String.valueOf(perSecond));
        awaitQuiet();
        return paced.plus(client("check-paced", String.valueOf(OTHER_HOST)));
    }

    private static String sessions(Workload workload) {
        return String.valueOf(workload.sessions());
    }

    /** Kills the node that is written to by SIGKILL, in the middle of a load; what the other one lacks then. */
    Figures kill(Workload workload, double seconds) throws Exception {
        awaitQuiet();
        client("mark");
        CompletableFuture<Figures> load = CompletableFuture.supplyAsync(() -> {
            try {
                return load(workload, seconds);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Thread.sleep((long) (seconds * 500));
        fleet.kill(NODE);
        nodes.remove((Integer) NODE);
        Figures answered = Figures.of(Map.of("answered", load.get().get("answered")));
        awaitQuiet();
        return client("check", String.valueOf(OTHER_HOST)).plus(answered);
    }

    private Figures usage() throws Exception {
        Figures usage = Figures.of(Map.of());
        for (int node : nodes) {
            Figures more = Figures.parse(fleet.ask(node, "usage"));
            usage = usage.plus(more);
            if (node == nodes.get(0)) { // The clients' node.
                usage = usage.plus(Figures.of(Map.of("serving", more.get("allocated"))));
            }
        }
        return usage;
    }

    private double cpuSeconds() throws Exception {
        double seconds = 0;
        for (int node : nodes) {
            seconds += Double.parseDouble(fleet.ask(node, "cpu")) / 1e9;
        }
        return seconds;
    }

    private void awaitQuiet() throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        int quiet = 0;
        double before = cpuSeconds();
        while (quiet < QUIET_LOOKS) {
            Thread.sleep(LOOK_MILLIS);
            double now = cpuSeconds();
            quiet = now - before < QUIET_CPU * LOOK_MILLIS / 1000 ? quiet + 1 : 0;
            before = now;
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        product.label() + " is busy for " + LIMIT.toSeconds() + " s after a load");
            }
        }
    }

    @Override
    public void close() throws IOException {
        fleet.close();
    }
}
