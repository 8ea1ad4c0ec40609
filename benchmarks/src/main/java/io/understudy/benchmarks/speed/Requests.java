package io.understudy.benchmarks.speed;

import io.understudy.Understudy;
import io.understudy.benchmarks.lanes.Values;
import io.understudy.benchmarks.process.Peer;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.SessionUse;
import io.understudy.testkit.KeyTool;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A member with one node in a coherent and one in an incoherent cluster, or in two coherent ones with and without a
 * secret. Their session API is loaded, one after the other: as a container calls it, without the container.
 *
 * <pre>
 * Requests SOCKET INDEX ADDRESS MEMBERS TRANSPORT [sealed]
 * </pre>
 */
final class Requests implements Peer.Actor {

    static final String COHERENT = "coherent";
    static final String INCOHERENT = "incoherent";
    static final String SEALED = "sealed";
    static final String TLS = "tls";
    static final String PLAIN = "plain";
    private static final int FIRST_PORT = 7800;
    private static final int PORTS = 20;

    /** So many that a thread comes back to a session long after its last change has left. */
    private static final int SESSIONS_PER_THREAD = 1000;

    /** Changes that wait are joined by session, and the joined ones would be requests that cost nothing: none wait. */
    private static final long MAX_UNDER_WAY = 4000;

    private static final long PAUSE_NANOS = 1_000_000;
    private static final int IDLE_SECONDS = 3600;

    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

    /** One cluster's node here. */
    private record Node(Understudy understudy, ReplicatedSessions sessions) {}

    private final Map<String, Node> nodes = new LinkedHashMap<>();

    private Requests() {}

    public static void main(String[] args) throws Exception {
        Requests requests = new Requests();
        List<String> modes = args.length > 5 ? List.of(args[5].split(",", -1)) : List.of(COHERENT, INCOHERENT);
        for (String mode : modes) {
            Understudy understudy = Understudy.start(config(args, modes.indexOf(mode), mode));
            ReplicatedSessions sessions = understudy.join("/shop", Requests.class::getClassLoader);
            requests.nodes.put(mode, new Node(understudy, sessions));
        }
        Peer.serve(args[0], Integer.parseInt(args[1]), requests);
        System.exit(0);
    }

    private static UnderstudyConfig config(String[] args, int number, String mode) {
        int port = FIRST_PORT + number * PORTS;
        String network = args[2].substring(0, args[2].lastIndexOf('.') + 1);
        UnderstudyConfig.Builder config = UnderstudyConfig.builder();
        if (mode.equals(TLS)) {
            config.set(Setting.TLS_KEY_STORE, args[6])
                    .set(Setting.TLS_KEY_STORE_PASSWORD, KeyTool.PASSWORD)
                    .set(Setting.TLS_TRUST_STORE, args[7])
                    .set(Setting.TLS_TRUST_STORE_PASSWORD, KeyTool.PASSWORD);
        }
        return config.clusterName("requests-" + mode)
                .nodeName("member-" + args[1])
                .set(Setting.TRANSPORT, args[4])
                .bind(args[2], port)
                .hosts(IntStream.rangeClosed(1, Integer.parseInt(args[3]))
                        .mapToObj(host -> network + host + ":" + port)
                        .toArray(String[]::new))
                .set(Setting.MULTICAST_ADDRESS, "239.255.78." + (120 + number))
                .set(Setting.MULTICAST_PORT, String.valueOf(port))
                .set(Setting.SECURITY, mode.equals(SEALED) ? "secret" : mode.equals(TLS) ? "tls" : "none")
                .set(Setting.SECRET, mode.equals(SEALED) ? "a secret of the experiment" : "")
                .set(Setting.START_ALONE, "serve")
                .coherence(mode.equals(INCOHERENT) ? Coherence.INCOHERENT : Coherence.COHERENT)
                .build();
    }

    @Override
    public String act(List<String> words) throws Exception {
        if (words.get(0).equals("joined")) {
            return String.valueOf(joined(words.get(1)));
        }
        Node node = nodes.get(words.get(1));
        if (node == null) {
            throw new IllegalArgumentException("no cluster " + words.get(1));
        }
        return switch (words.get(0)) {
            case "load" -> load(node, Integer.parseInt(words.get(2)), Integer.parseInt(words.get(3)));
            case "sent" -> String.valueOf(node.understudy().metrics().value(Counter.DELTAS_SENT));
            case "settled" -> String.valueOf(attribute(node, "BytesAtRisk").equals("0"));
            default -> throw new IllegalArgumentException("no verb " + words.get(0));
        };
    }

    private static String attribute(Node node, String name) throws Exception {
        UnderstudyConfig config = node.understudy().config();
        ObjectName bean = new ObjectName("io.understudy:type=Node,cluster=" + ObjectName.quote(config.clusterName())
                + ",node=" + ObjectName.quote(config.nodeName()));
        return String.valueOf(BEANS.getAttribute(bean, name));
    }

    private static long changesAtRisk(Node node) {
        try {
            return Long.parseLong(attribute(node, "ChangesAtRisk"));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether both nodes are ready and have a view of so many members. */
    private boolean joined(String members) throws Exception {
        for (Node node : nodes.values()) {
            if (!attribute(node, "View").contains(" (" + members + ") ")
                    || !node.understudy().readiness().ready()) {
                return false;
            }
        }
        return true;
    }

    /** Requests of so many threads for so long: when they began, how many they were, and how many ended as asked. */
    private static String load(Node node, int threads, int seconds) throws Exception {
        long began = System.nanoTime();
        long end = began + seconds * 1_000_000_000L;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        AtomicLong underWay = new AtomicLong();
        // One thread reads the gauge for all: 64 that read it would be the load.
        Thread gauge = new Thread(() -> {
            while (!pool.isTerminated()) {
                underWay.set(changesAtRisk(node));
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        });
        gauge.setDaemon(true);
        gauge.start();
        LongAdder requests = new LongAdder();
        LongAdder asAsked = new LongAdder();
        try {
            List<Callable<Boolean>> clients = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                String client = "client-" + thread + "-";
                clients.add(() -> {
                    for (int request = 0; System.nanoTime() < end; request++) {
                        while (underWay.get() > MAX_UNDER_WAY) {
                            LockSupport.parkNanos(PAUSE_NANOS);
                        }
                        requests.increment();
                        asAsked.add(request(node.sessions(), client + request % SESSIONS_PER_THREAD) ? 1 : 0);
                    }
                    return true;
                });
            }
            for (Future<Boolean> client : pool.invokeAll(clients)) {
                client.get();
            }
            return began + " " + requests + " " + asAsked;
        } finally {
            pool.shutdown();
        }
    }

    /** One request that changes a session; whether it ended as its cluster is to. */
    private static boolean request(ReplicatedSessions sessions, String id) {
        LiveSession found = sessions.find(id);
        LiveSession session = found == null ? sessions.create(id, IDLE_SECONDS) : found;
        SessionUse use = session.use();
        try {
            use.begin();
            session.attributes().put("cart", Values.now());
            Outcome asked = sessions.config().coherence() == Coherence.COHERENT ? Outcome.ACKNOWLEDGED : Outcome.SENT;
            return use.commit(null).await() == asked;
        } finally {
            use.end();
        }
    }
}
