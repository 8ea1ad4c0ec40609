package io.understudy;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.codec.GuardedCodec;
import io.understudy.codec.classes.ClassList;
import io.understudy.config.Setting;
import io.understudy.config.Transport;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.TimeSource;
import io.understudy.session.Admission;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.SessionUse;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.failures.KeptAttributes;
import io.understudy.session.failures.Quarantine;
import io.understudy.session.requests.RequestsInFlight;
import io.understudy.session.requests.Servers;
import io.understudy.session.requests.WaitLimit;
import io.understudy.threads.PerThread;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Two members of a cluster that nobody else is in, on the loopback interface, with an application that is on no real
 * node. Requests use sessions here as a container's do, by the code of the real node: the two share classes with it,
 * and nothing else. No metric, gauge, audit, MBean or file of the node knows of them.
 *
 * <p>Threads: one.
 */
final class HiddenCluster implements AutoCloseable {

    /** The compiler has seen enough after so many requests; each runs each method on its way once or more often. */
    static final int REQUESTS = 5_000;

    /** Sessions that are used by turns. */
    private static final int SESSIONS = 16;

    /** Requests in a row that wait for their acknowledgement, or do not. */
    private static final int ROW = 32;

    /** Rows in a row of one member: an incoherent one, which needs fewer, and coherent ones. */
    private static final int ROWS = 3;

    /** After so many rows requests begin new sessions. */
    private static final int ROWS_OF_SESSIONS = 18;

    private static final int VALUE_BYTES = 1024;

    /** The longest rest after a row. */
    private static final long LONGEST_REST_MILLIS = 50;

    private static final Duration LIMIT = Duration.ofSeconds(1);

    /** The request of the calling thread. */
    private static final PerThread<SessionUse> USES = new PerThread<>();

    /**
     * How long the thread had no processor. Requests that do not wait have one unless all are busy: then the rehearsal
     * rests as long, and leaves the processors to those who want them.
     */
    private static final class Stopwatch {

        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private final long beganNanos = System.nanoTime();
        private final long cpuNanos = THREADS.getCurrentThreadCpuTime();

        long withoutProcessorMillis() {
            long cpu = THREADS.getCurrentThreadCpuTime() - cpuNanos;
            return Math.max(0, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos - cpu));
        }
    }

    /** An attribute that is a bean. */
    private static final class Item implements Serializable {

        private static final long serialVersionUID = 1;

        private final String name;
        private int count;

        Item(String name, int count) {
            this.name = name;
            this.count = count;
        }

        @Override
        public String toString() {
            return count + " " + name;
        }
    }

    /** What requests set by turns. */
    private static final List<IntFunction<Object>> VALUES = List.of(
            request -> "text " + request,
            request -> new byte[VALUE_BYTES + request % 2],
            request -> request,
            request -> "t".repeat(VALUE_BYTES) + request,
            request -> new ArrayList<>(List.of(new Item("one", request), new Item("two", 2))));

    private final UnderstudyConfig config;
    private final List<ClusterChannel> members = new ArrayList<>();
    private final List<ReplicatedSessions> sessions = new ArrayList<>();

    private HiddenCluster(UnderstudyConfig config) {
        this.config = config;
    }

    /**
     * Rehearses requests until there were enough, or it may not go on.
     *
     * @param node the settings of the node
     * @return how many there were
     */
    static int rehearse(UnderstudyConfig node, BooleanSupplier goesOn) throws InterruptedException {
        try (HiddenCluster cluster = new HiddenCluster(settings(node))) {
            for (int member = 0; member < 2 && goesOn.getAsBoolean(); member++) {
                cluster.join();
            }
            while (goesOn.getAsBoolean() && !cluster.ready()) {
                Thread.sleep(1);
            }
            return cluster.requests(goesOn);
        }
    }

    private static UnderstudyConfig settings(UnderstudyConfig node) {
        UnderstudyConfig.Builder settings = UnderstudyConfig.builder()
                .clusterName("warm-up-" + UUID.randomUUID())
                .nodeName(node.nodeName() + "-warm-up")
                .transport(Transport.TCP)
                .ackTimeout(LIMIT)
                .set(Setting.START_ALONE, "wait " + node.warmUp().toMillis() + "ms")
                .set(Setting.WARM_UP, "off");
        if (node.secrets().given() || node.tls().given()) {
            settings.secret(UUID.randomUUID().toString()); // No stranger gets in here, either.
        }
        return settings.build();
    }

    private void join() {
        ReplicationMetrics metrics = new ReplicationMetrics();
        ClusterChannel channel = ClusterChannel.connectHidden(config, metrics);
        members.add(channel);
        ApplicationGroup group = channel.join("/warm-up");
        GuardedCodec codec = new GuardedCodec(
                HiddenCluster.class::getClassLoader, Set.of(), "", ClassList.any(), config.maxAttributeBytes());
        Quarantine quarantine = new Quarantine(group.label(), metrics, group.store()::header);
        ReplicatedSessions joined = new ReplicatedSessions(
                config,
                channel,
                group,
                metrics,
                TimeSource.SHARED_PROCESS,
                new ApplicationAttributes(
                        codec,
                        quarantine,
                        new KeptAttributes(
                                group.label(), group.store()::header, TimeSource.SHARED_PROCESS, session -> {}),
                        null,
                        null),
                new RequestsInFlight(),
                new WaitLimit(config.maxWaitingRequests(), metrics),
                new Servers(),
                () -> {});
        joined.bindRequests(HiddenCluster::ticket);
        sessions.add(joined);
    }

    @SuppressWarnings("ReferenceEquality") // There is one object of a session.
    private static long ticket(LiveSession session) {
        SessionUse use = USES.get();
        return use != null && use.session() == session ? use.ticket() : 0;
    }

    private boolean ready() {
        return sessions.stream().allMatch(ReplicatedSessions::ready);
    }

    private int requests(BooleanSupplier goesOn) throws InterruptedException {
        int requests = 0;
        for (int row = 0; requests < REQUESTS && goesOn.getAsBoolean(); row++) {
            boolean coherent = row % ROWS != 0;
            ReplicatedSessions writer = sessions.get(row / ROWS % sessions.size());
            Stopwatch watch = new Stopwatch();
            for (int i = 0; i < ROW && goesOn.getAsBoolean(); i++) {
                String id = row / ROWS_OF_SESSIONS + "-" + i % SESSIONS;
                request(writer, id, requests, coherent ? Coherence.COHERENT : Coherence.INCOHERENT);
                requests++;
            }
            if (!coherent) {
                Thread.sleep(Math.min(watch.withoutProcessorMillis(), LONGEST_REST_MILLIS));
            }
        }
        return requests;
    }

    private static void request(ReplicatedSessions sessions, String id, int request, Coherence coherence) {
        boolean admitted = sessions.findAtOnce(id) != null || sessions.admit(id) == Admission.PROCEED;
        LiveSession session = admitted ? sessions.find(id) : null; // As the container does.
        if (session == null) {
            session = sessions.create(id, (int) Duration.ofMinutes(30).toSeconds());
        }
        SessionUse use = session.use();
        AtomicReference<@Nullable SessionUse> place = USES.place();
        try {
            use.begin();
            place.setPlain(use);
            Map<String, Object> attributes = session.attributes();
            String name = "attribute" + request % VALUES.size();
            Object before = attributes.get(name);
            if (before == null || request % 4 != 0) {
                attributes.put(name, VALUES.get(request % VALUES.size()).apply(request));
            }
            Outcome unused = use.commit(coherence).await();
            use.responseReady();
        } finally {
            place.setPlain(null);
            use.end();
        }
    }

    @Override
    public void close() {
        try {
            sessions.forEach(ReplicatedSessions::close);
        } finally {
            members.forEach(ClusterChannel::close);
        }
    }
}
