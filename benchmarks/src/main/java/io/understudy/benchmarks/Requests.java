package io.understudy.benchmarks;

import io.understudy.Commit.Outcome;
import io.understudy.LiveSession;
import io.understudy.ReplicatedSessions;
import io.understudy.Understudy;
import io.understudy.config.Coherence;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A member with one node in a coherent and one in an incoherent cluster, which are loaded one after the other at the
 * session API: as a container calls it, without the container.
 *
 * <pre>
 * Requests SOCKET INDEX ADDRESS MEMBERS TRANSPORT
 * </pre>
 */
public final class Requests implements Peer.Actor {

    private static final int FIRST_PORT = 7800;
    private static final int PORTS = 20;
    private static final int SESSIONS_PER_THREAD = 16;
    private static final int IDLE_SECONDS = 3600;

    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

    /** One cluster's node here. */
    private record Node(Understudy understudy, ReplicatedSessions sessions) {}

    private final Map<Coherence, Node> nodes = new EnumMap<>(Coherence.class);

    private Requests() {}

    public static void main(String[] args) throws Exception {
        Requests requests = new Requests();
        for (Coherence coherence : Coherence.values()) {
            Understudy understudy = Understudy.start(config(args, coherence));
            ReplicatedSessions sessions = understudy.join("/shop", Requests.class::getClassLoader);
            requests.nodes.put(coherence, new Node(understudy, sessions));
        }
        Peer.serve(args[0], Integer.parseInt(args[1]), requests);
        System.exit(0);
    }

    private static UnderstudyConfig config(String[] args, Coherence coherence) {
        int port = FIRST_PORT + coherence.ordinal() * PORTS;
        String network = args[2].substring(0, args[2].lastIndexOf('.') + 1);
        return UnderstudyConfig.builder()
                .clusterName("requests-" + coherence)
                .nodeName("member-" + args[1])
                .set(Setting.TRANSPORT, args[4])
                .bind(args[2], port)
                .hosts(IntStream.rangeClosed(1, Integer.parseInt(args[3]))
                        .mapToObj(host -> network + host + ":" + port)
                        .toArray(String[]::new))
                .set(Setting.MULTICAST_ADDRESS, "239.255.78." + (120 + coherence.ordinal()))
                .set(Setting.MULTICAST_PORT, String.valueOf(port))
                .set(Setting.SECURITY, "none")
                .set(Setting.START_ALONE, "serve")
                .coherence(coherence)
                .build();
    }

    @Override
    public String act(List<String> words) throws Exception {
        if (words.get(0).equals("joined")) {
            return String.valueOf(joined(words.get(1)));
        }
        Node node = nodes.get(Coherence.valueOf(words.get(1).toUpperCase(Locale.ROOT)));
        if (node == null) {
            throw new IllegalArgumentException("no cluster " + words.get(1));
        }
        return switch (words.get(0)) {
            case "load" -> load(node, Integer.parseInt(words.get(2)), Integer.parseInt(words.get(3)));
            case "sent" -> String.valueOf(node.understudy().metrics().value(Counter.DELTAS_SENT));
            case "received" -> String.valueOf(node.understudy().metrics().value(Counter.DELTAS_RECEIVED));
            case "sessions" -> String.valueOf(node.sessions().ids().size());
            default -> throw new IllegalArgumentException("no verb " + words.get(0));
        };
    }

    /** Whether both nodes are ready and have a view of so many members. */
    private boolean joined(String members) throws Exception {
        Set<ObjectName> beans = BEANS.queryNames(new ObjectName("io.understudy:type=Node,*"), null);
        boolean together = beans.size() == nodes.size();
        for (ObjectName bean : beans) {
            together &= String.valueOf(BEANS.getAttribute(bean, "View")).contains(" (" + members + ") ");
        }
        return together
                && nodes.values().stream()
                        .allMatch(node -> node.understudy().readiness().ready());
    }

    /** Requests of so many threads for so long: when they began, and how many had which outcome. */
    private static String load(Node node, int threads, int seconds) throws Exception {
        long began = System.nanoTime();
        long end = began + seconds * 1_000_000_000L;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<long[]>> clients = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int client = thread;
                clients.add(() -> client(node, client, end));
            }
            long[] outcomes = new long[Outcome.values().length];
            for (Future<long[]> client : pool.invokeAll(clients)) {
                for (int i = 0; i < outcomes.length; i++) {
                    outcomes[i] += client.get()[i];
                }
            }
            return began + " " + Arrays.toString(outcomes).replace(" ", "").replaceAll("[\\[\\]]", "");
        } finally {
            pool.shutdown();
        }
    }

    private static long[] client(Node node, int client, long end) {
        long[] outcomes = new long[Outcome.values().length];
        long requests = 0;
        while (System.nanoTime() < end) {
            String id = "client-" + client + "-" + requests % SESSIONS_PER_THREAD;
            LiveSession session = node.sessions().find(id);
            if (session == null) {
                session = node.sessions().create(id, IDLE_SECONDS);
            }
            long ticket = session.enter();
            try {
                session.attributes().put("cart", Values.now());
                outcomes[session.commit().await().ordinal()]++;
            } finally {
                session.exit(ticket);
            }
            requests++;
        }
        return outcomes;
    }
}
