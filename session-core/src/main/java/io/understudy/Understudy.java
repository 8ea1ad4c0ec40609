package io.understudy;

import io.understudy.audit.AuditRing;
import io.understudy.cluster.ChannelFigures;
import io.understudy.cluster.ClusterChannel;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.doctor.SessionDoctor;
import io.understudy.doctor.findings.Finding;
import io.understudy.metrics.MetricsText;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.rehearsal.TakeOverRehearsal;
import io.understudy.replica.TimeSource;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.requests.RequestsInFlight;
import io.understudy.session.requests.WaitLimit;
import io.understudy.store.Memory;
import io.understudy.threads.DaemonThreads;
import io.understudy.threads.Steps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster: one channel to the other members, on which any number of applications keep their sessions.
 *
 * <p>Threads: any.
 */
public final class Understudy implements AutoCloseable {

    private final UnderstudyConfig config;
    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final ClusterChannel channel;
    private final NodeGauges gauges;
    private final NodeBean bean;
    private final @Nullable HealthEndpoint health;
    private final Applications applications;
    private final @Nullable TakeOverRehearsal rehearsal; // null: it is off
    private final ApplicationJoins joins;
    private final TakeOvers takeOvers;
    private final RequestsInFlight requests = new RequestsInFlight();
    private final WarmUp warmUp;
    private final Drain drain;
    private final Steps closing;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Understudy(UnderstudyConfig config, TimeSource time, StackCustomizer stack, WarmUp.Work warmUpWork) {
        this.config = config;
        this.warmUp = new WarmUp(config, requests, warmUpWork);
        this.channel = connect(config, time, metrics, stack, warmUp);
        boolean started = false;
        HealthEndpoint listening = null;
        try {
            WaitLimit waits = new WaitLimit(config.maxWaitingRequests(), metrics);
            this.drain = new Drain(config.nodeName(), channel, requests, this::liveSessions);
            this.applications =
                    new Applications(channel, time, config.retention().undeployed());
            double percent = config.rehearsal().percent();
            this.rehearsal = percent == 0
                    ? null
                    : new TakeOverRehearsal(config.nodeName(), percent, time, metrics, channel.failures()::report);
            this.joins = new ApplicationJoins(config, channel, applications, time, metrics, requests, waits, rehearsal);
            this.takeOvers = new TakeOvers(channel, joins.attributes(), rehearsal, config, time);
            this.gauges = NodeGauges.of(
                    channel,
                    requests,
                    waits,
                    joins.attributes(),
                    rehearsal,
                    () -> readiness().ready());
            listening = config.healthPort() < 0
                    ? null
                    : new HealthEndpoint(config, this::readiness, () -> MetricsText.of(metrics, gauges()), drain);
            this.health = listening;
            this.bean = NodeBean.register(this, gauges);
            channel.schedule("dropping applications that were not deployed again", this::sweep);
            channel.schedule("looking for sessions that are on this node only", takeOvers::look);
            if (rehearsal != null) {
                channel.schedule("rehearsing take-overs of sessions", rehearsal::tick);
            }
            this.closing = new Steps(
                    "closing",
                    channel.failures(),
                    warmUp::close,
                    bean::unregister,
                    rehearsal == null ? () -> {} : rehearsal::close,
                    health == null ? () -> {} : health::close,
                    channel::close);
            started = true;
        } finally {
            if (!started) {
                warmUp.close();
                channel.close();
                if (listening != null) {
                    listening.close();
                }
            }
        }
    }

    /** Begins the warm-up first: to connect and to join is mostly to wait. */
    private static ClusterChannel connect(
            UnderstudyConfig config,
            TimeSource time,
            ReplicationMetrics metrics,
            StackCustomizer stack,
            WarmUp warmUp) {
        warmUp.begin();
        boolean connected = false;
        try {
            ClusterChannel channel = ClusterChannel.connect(config, time, metrics, stack);
            connected = true;
            return channel;
        } finally {
            if (!connected) {
                warmUp.close();
            }
        }
    }

    /**
     * Starts a node of its own and connects it.
     *
     * @throws ConfigException if a port is taken or an address is not of this machine
     */
    public static Understudy start(UnderstudyConfig config) {
        return start(config, TimeSource.SYSTEM, StackCustomizer.NONE);
    }

    static Understudy start(UnderstudyConfig config, TimeSource time, StackCustomizer stack) {
        return start(config, time, stack, HiddenCluster::rehearse);
    }

    static Understudy start(UnderstudyConfig config, TimeSource time, StackCustomizer stack, WarmUp.Work warmUpWork) {
        return new Understudy(config, time, stack, warmUpWork);
    }

    /**
     * The node of this JVM for that cluster name, started by the first and closed by the last that uses it. Settings that
     * each application may have its own of ({@link ApplicationConfig}) may differ: give them to {@link #join(String,
     * Supplier, ApplicationConfig)}.
     *
     * @throws ConfigException if it runs already with other settings of the node
     */
    public static Understudy shared(UnderstudyConfig config) {
        return SharedNodes.use(config);
    }

    public UnderstudyConfig config() {
        return config;
    }

    /**
     * Joins an application on this node. Applications with the same name on other nodes share their sessions with it. A
     * second join of one name on this node (a redeployment) shares its replicas, with classes of its own. It does so
     * also if the first one was closed up to {@code retainUndeployed} before.
     *
     * @param name the same on every node, for example {@code /shop}
     * @param loader gives the application's class loader; called here, and in request threads when attributes are
     *     decoded
     */
    public ReplicatedSessions join(String name, Supplier<ClassLoader> loader) {
        return join(name, loader, config.application());
    }

    /**
     * The same with settings of its own instead of the node's.
     *
     * @param settings those of {@code UnderstudyConfig.application()}; other nodes may have others for the same name
     */
    public ReplicatedSessions join(String name, Supplier<ClassLoader> loader, ApplicationConfig settings) {
        return join(name, loader, settings, Set.of());
    }

    /**
     * The same for a container that keeps objects of its own in sessions.
     *
     * @param containerClasses their classes, by name; other classes of containers are not decoded
     * @throws ConfigException if the file that {@code attributeClasses} names can't be used
     * @throws IllegalArgumentException if other members could not read the name: it holds half of a surrogate pair
     */
    public ReplicatedSessions join(
            String name, Supplier<ClassLoader> loader, ApplicationConfig settings, Set<String> containerClasses) {
        return joins.join(name, loader, settings, containerClasses);
    }

    private void sweep() {
        applications.sweep();
        // Not in this thread, which is one of those that end.
        SharedNodes.drop(
                this,
                applications::retaining,
                () -> DaemonThreads.of("understudy-" + config.nodeName() + "-close", this::close)
                        .start());
    }

    /**
     * Whether every application that is deployed on this node holds all its sessions, their servers accept requests, and nothing
     * of the node stands still that must not. Does not wait.
     */
    public Readiness readiness() {
        if (drain.begun()) {
            return new Readiness(false, "draining: the node is about to stop");
        }
        String standstill = channel.standstill();
        if (standstill != null) {
            return new Readiness(false, config.nodeName() + " " + standstill);
        }
        Readiness sessions = applications.readiness(config.nodeName());
        return sessions.ready() && warmUp.underWay()
                ? new Readiness(false, config.nodeName() + " warms up")
                : takeOvers.remarked(sessions.remarked(channel.others()));
    }

    /**
     * Adds a condition of the application's own, such as that its caches are filled: while it does not hold, this node is
     * not {@linkplain #readiness ready} for load balancers. It joins and replicates all the same. A condition that throws
     * does not hold, and the log names it.
     *
     * @param accepts whether the application accepts requests; asked often by several threads, must not wait
     * @return takes the condition back
     */
    public Runnable readyWhile(BooleanSupplier accepts) {
        BooleanSupplier condition = () -> holds(accepts);
        applications.servers().add(condition);
        return () -> applications.servers().remove(condition);
    }

    private boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (Throwable e) { // From the application, which may throw anything.
            channel.failures().report("asking whether the application accepts requests", e);
            return false;
        }
    }

    /**
     * Prepares this node for being stopped. From now on it is not {@linkplain #readiness ready}, so that load balancers send
     * requests elsewhere; those that come are served. Waits until no request has used a session for a second and the other
     * members hold all that this one has. Also {@code POST /drain} at {@code healthPort}, and by JMX. A drained node stays
     * a member; close it next, or {@linkplain #undrain take it back}.
     *
     * @param limit the longest wait
     * @return whether it can be closed without loss, and who holds the sessions
     */
    public DrainReceipt drain(Duration limit) throws InterruptedException {
        return drain.run(limit);
    }

    /** Takes a drain back: the node is ready again, if it was before, and drains that wait return as not complete. */
    public void undrain() {
        drain.takeBack();
    }

    private long liveSessions() {
        return channel.groups().stream()
                .mapToLong(group -> group.store().liveCount())
                .sum();
    }

    /**
     * Whether this node is coherent: its commits wait for acknowledgements, unless their request wants it otherwise, and
     * every change it sent before that is acknowledged by all. It begins as its applications are configured: incoherent if
     * one of them is.
     */
    public boolean isNodeCoherent() {
        return channel.nodeCoherent();
    }

    /**
     * Turns all applications of this node coherent or incoherent, whatever they are configured to be, until it is turned
     * again. Requests that have a coherence of their own keep it.
     *
     * <p>Returns when every other member of the view knows, after 10 seconds without its word. Turning coherent returns, before that, when all that this node
     * sent is acknowledged by all members that count, at the latest when those that are silent have left the view. An
     * interrupted thread stays interrupted and returns at once; the node goes on turning.
     */
    public void setNodeCoherent(boolean coherent) {
        channel.nodeCoherent(coherent);
    }

    /**
     * Whether the cluster is coherent: this node is, and each other member of the view has announced, last, that it is.
     * A member that was turned incoherent and dies or leaves does not count from the next view on.
     */
    public boolean isClusterCoherent() {
        return channel.clusterCoherent();
    }

    /**
     * Waits until the cluster is coherent.
     *
     * @return whether it was, before {@code limit} was over and the node was closed; a member may have turned since
     */
    public boolean waitUntilClusterCoherent(Duration limit) throws InterruptedException {
        return channel.awaitClusterCoherent(limit);
    }

    /** What this node counts and measures. */
    public ReplicationMetrics metrics() {
        return metrics;
    }

    /**
     * What the applications with {@code sessionDoctor = log} lose by replication: each cause once, 1000 at most for each. An
     * application that is redeployed begins anew.
     */
    public List<Finding> findings() {
        return doctors().flatMap(doctor -> doctor.findings().stream()).toList();
    }

    /**
     * Why sessions would not survive: attributes of other members' sessions that this node could not take over whole,
     * attributes that are on this node only, and applications that no other member is ready for. A line for each cause.
     */
    public List<String> takeOverFailures() {
        return takeOvers.failures();
    }

    /** Sessions that would not survive a failure whole. */
    TakeOvers takeOvers() {
        return takeOvers;
    }

    /** Sessions that requests of this node use. Looks at all. */
    long sessionsInUse() {
        return channel.groups().stream()
                .mapToLong(group -> group.store().stream()
                        .filter(stored -> group.expiry().inUse(stored.replica().key()))
                        .count())
                .sum();
    }

    /** Largest encoded sizes that the session doctors of the node's applications saw, in bytes. */
    Map<String, Long> attributeSizes() {
        Map<String, Long> sizes = new TreeMap<>();
        doctors().forEach(doctor -> doctor.sizes().forEach((name, bytes) -> sizes.merge(name, bytes, Math::max)));
        return sizes;
    }

    private Stream<SessionDoctor> doctors() {
        return joins.attributes().stream().map(ApplicationAttributes::doctor).filter(Objects::nonNull);
    }

    /** The port of {@code /ready}, {@code /metrics} and {@code /drain}, or -1 if {@code healthPort} is off. */
    public int healthPort() {
        return health == null ? -1 : health.port();
    }

    /** Whether the node is not closed. */
    boolean connected() {
        return !closed.get();
    }

    String view() {
        return channel.view();
    }

    /** How the other members are reached, and what they hold. */
    ChannelFigures figures() {
        return channel.figures();
    }

    /** What the replicas of all applications take, in memory and on disk. */
    Memory memory() {
        return channel.memory();
    }

    /** What happened to sessions, by application. */
    List<AuditRing> audits() {
        return channel.groups().stream().map(group -> group.expiry().audit()).toList();
    }

    /** Momentary figures by name, all of them. */
    Map<String, Long> gauges() {
        return gauges.all();
    }

    /**
     * Ends a use of a {@linkplain #shared shared} node that may begin again, as in a redeployment: the last user leaves the
     * node running while it keeps sessions of applications that are not deployed, {@code retainUndeployed} at most. Else,
     * and of a node of its own, the same as {@link #close}.
     */
    public void release() {
        if (!SharedNodes.keep(this, applications::retaining)) {
            close();
        }
    }

    /** Closes the shared nodes that were released and have no user: to be called when the server stops. */
    public static void closeReleased() {
        SharedNodes.takeUnused().forEach(Understudy::close);
    }

    /** Ends this node as a kill of its process does: nothing leaves it any more, no goodbye either. For tests. */
    void cut() {
        channel.cut();
        close();
    }

    /**
     * Announces to the other members that the node leaves, and closes the channel. If a node is shared, only its last
     * user does.
     */
    @Override
    public void close() {
        if (!SharedNodes.leave(this) || closed.getAndSet(true)) {
            return;
        }
        closing.take();
    }
}
