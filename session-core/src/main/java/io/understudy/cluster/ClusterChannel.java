package io.understudy.cluster;

import io.understudy.cluster.delivery.AckSender;
import io.understudy.cluster.delivery.AckTracker;
import io.understudy.cluster.delivery.DeltaSender;
import io.understudy.cluster.delivery.Outbox;
import io.understudy.cluster.locking.ClusterLocks;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.NodeCoherence;
import io.understudy.cluster.membership.ViewChange;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.cluster.membership.WireVersions;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.restart.LastHolder;
import io.understudy.cluster.restart.OrderlyLeave;
import io.understudy.cluster.restart.SessionFiles;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.detection.FailureLog;
import io.understudy.network.stack.ConnectFailure;
import io.understudy.network.stack.HiddenStack;
import io.understudy.network.stack.ProtocolStack;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.ordering.SCOPE;
import io.understudy.replica.HybridClock;
import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import io.understudy.threads.Watchdog;
import io.understudy.wire.Frame.Phase;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/**
 * This node's channel to the other members, with any number of applications on it.
 *
 * <p>Threads: any; frames arrive on JGroups' and SCOPE's threads, which never wait here.
 */
public final class ClusterChannel implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ClusterChannel.class.getName());

    private final UnderstudyConfig config;
    private final JChannel channel;
    private final SCOPE scopes;
    private final ApplicationGroups groups = new ApplicationGroups();
    private final ClusterServices services;
    private final AckTracker tracker;
    private final DeltaSender sending;
    private final Upkeep upkeep;
    private final NodeCoherence coherence;
    private final ChangeDispatcher changes;
    private final Pauses pauses;
    private final ChannelFigures figures;
    private final LastHolder lastHolder;
    private final Goodbye goodbye;
    private final Withdrawal withdrawal;
    private volatile @Nullable View accepted;

    private ClusterChannel(
            UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics, StackCustomizer stack, Level news)
            throws Exception {
        this.config = config;
        String node = config.nodeName();
        HybridClock clock = new HybridClock(time::wallMillis, new SecureRandom().nextLong());
        FailureLog detections = new FailureLog(node, metrics);
        Failures failures = new Failures(node, metrics);
        this.channel = ProtocolStack.channel(config, metrics, detections, stack, news);
        ChannelThreads threads = new ChannelThreads(node, failures);
        this.withdrawal = new Withdrawal(channel, threads, node);
        this.scopes = channel.getProtocolStack().findProtocol(SCOPE.class);
        WireVersions versions = new WireVersions(withdrawal::self, node);
        FrameSender letters = new FrameSender(channel, versions);
        Members members = new Members(withdrawal::self, time::monotonicMillis);
        this.tracker = new AckTracker(
                metrics,
                Address::toString,
                (application, member) ->
                        members.others(application, Phase.READY).contains(member));
        this.sending = new DeltaSender(
                scopes,
                members,
                versions,
                tracker,
                metrics,
                time,
                ProtocolStack.batchBytes(channel.getProtocolStack().getTransport()),
                letters::carry);
        Outbox outbox = new Outbox(sending, tracker, metrics, failures, RegularTasks.compared(config));
        RequestCorrelator exchange = new RequestCorrelator(letters::sendTo, failures);
        ClusterLocks locks = new ClusterLocks(withdrawal::self, letters::sendInOrder, failures);
        AckSender acks = new AckSender(
                letters::sendUnconfirmed,
                e -> failures.report("acknowledging changes; the node retries", e),
                rest -> threads.executeAnswering("acknowledging changes", rest));
        this.pauses = new Pauses(node, groups.present(), failures, time);
        this.upkeep = new Upkeep(node, threads, failures, metrics, config.touchInterval());
        this.coherence = new NodeCoherence(members, outbox::settled, this::announce);
        Announcements announcements =
                new Announcements(groups::memberships, clock.origin(), members, coherence, letters, threads, failures);
        Memory memory = new Memory(config.memory().maxBytes(), config.memory().spillDirectory(), metrics);
        this.figures =
                new ChannelFigures(config, channel, scopes, members, tracker, outbox, locks, groups::applications);
        this.lastHolder = new LastHolder(members, withdrawal::self, exchange, groups::holds, groups::has);
        this.changes = new ChangeDispatcher(groups, acks, metrics, time, memory);
        ViewInstaller views = new ViewInstaller(
                members,
                versions,
                List.of(
                        change -> members.apart(change.others(), announcements.last() + 1),
                        change -> groups.present().forEach(group -> group.view(change.present(), change.others())),
                        change -> detections.view(change.present(), change.left()),
                        change -> accepted = change.view(),
                        change -> sending.view(change, change.together(), change.members()),
                        change -> changes.view(change.members()),
                        change -> exchange.view(change.members()),
                        change -> acks.view(change.members()),
                        change -> enterLocks(change, locks),
                        change -> LOG.log(news, "{0} - view {1}", node, change.view()),
                        change -> announcements.announce(),
                        this::repair),
                failures);
        this.services = new ClusterServices(
                config,
                news,
                time,
                clock,
                metrics,
                memory,
                members,
                versions,
                views,
                announcements,
                pauses::check,
                letters,
                exchange,
                outbox,
                tracker.atRisk(),
                acks,
                locks,
                new SessionFiles(config, time),
                threads,
                failures);
        OrderlyLeave parting = new OrderlyLeave(members, lastHolder, failures);
        this.goodbye = new Goodbye(services, groups, parting, upkeep, pauses, withdrawal, sending, coherence, channel);
        scopes.setPromptly(changes::promptly)
                .setRunEnd(acks::flush)
                .setUndelivered(changes::notTaken)
                .setFailures(failures::report);
        channel.setReceiver(new FrameDispatcher(
                node,
                groups,
                views,
                changes,
                new PresenceReceiver(groups, views, members, versions, lastHolder, letters, failures),
                new RequestAnswerer(groups, views, members, lastHolder, letters, threads, failures),
                members,
                sending,
                acks,
                exchange,
                locks,
                metrics,
                failures));
        channel.setDiscardOwnMessages(true);
    }

    private void enterLocks(ViewChange change, ClusterLocks locks) {
        if (channel.isConnected() || withdrawal.withdrawn()) {
            locks.enter(change.view()); // Before that nothing could be sent: connect enters the first view.
        }
    }

    private void repair(ViewChange change) {
        if (change.missed()) {
            groups.present().forEach(group -> group.joiner().repair());
        }
    }

    /**
     * Connects to the cluster the settings name.
     *
     * @throws ConfigException if a port is taken or an address is not of this machine
     */
    public static ClusterChannel connect(UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics) {
        return connect(config, time, metrics, StackCustomizer.NONE);
    }

    /** The same with other protocols. */
    public static ClusterChannel connect(
            UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics, StackCustomizer stack) {
        SessionFiles.requireDirectory(config);
        return connect(config, time, metrics, stack, false);
    }

    /**
     * A member of a cluster inside this JVM, for code to be run as members run it. The other member is found by the
     * cluster's name. Both use free ports of the loopback interface, whatever the settings name, and log views and joins
     * at level DEBUG.
     */
    public static ClusterChannel connectHidden(UnderstudyConfig config, ReplicationMetrics metrics) {
        return connect(config, TimeSource.SHARED_PROCESS, metrics, HiddenStack::of, true);
    }

    private static ClusterChannel connect(
            UnderstudyConfig config,
            TimeSource time,
            ReplicationMetrics metrics,
            StackCustomizer stack,
            boolean hidden) {
        ClassLoader callers = Thread.currentThread().getContextClassLoader();
        // Virtual threads of a stack of one's own inherit this loader; an application's would be held for ever.
        Thread.currentThread().setContextClassLoader(ClusterChannel.class.getClassLoader());
        try {
            // So does the JDK's thread for timeouts, of which there is one for all: it is made here, not in a request.
            var unused = new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.NANOSECONDS);
            Level news = hidden ? Level.DEBUG : Level.INFO;
            ClusterChannel cluster = new ClusterChannel(config, time, metrics, stack, news);
            cluster.connect(hidden);
            return cluster;
        } catch (Exception e) {
            throw ConnectFailure.of(config, e);
        } finally {
            Thread.currentThread().setContextClassLoader(callers);
        }
    }

    private void connect(boolean hidden) throws Exception {
        boolean connected = false;
        try {
            ProtocolStack.connect(channel, config.clusterName());
            services.locks().enter(channel.getView());
            announce(); // What was to be sent while it connected was not.
            begin();
            if (!hidden) {
                services.memory().tryDirectory(); // Here, so that a failure leaves the cluster again.
            }
            connected = true;
        } finally {
            if (!connected) {
                goodbye.giveUp();
            }
        }
    }

    private void begin() {
        upkeep.regularly(
                "what is done now and then",
                new RegularTasks(
                        services.failures(),
                        groups.present(),
                        services.locks(),
                        changes,
                        services.views(),
                        services.announcements(),
                        tracker,
                        RegularTasks.compared(config)));
        upkeep.acknowledges(() -> {
            services.failures().run("acknowledging changes", services.acks()::flush);
            sending.askForMissing(services.letters()::sendUnconfirmed, services.failures());
        });
        upkeep.beats(pauses.pulse());
        upkeep.sends(services.outbox());
        upkeep.delivers(scopes, why -> withdrawal.withdraw(why, services.views()));
        upkeep.takesOver(scopes, services.views());
        upkeep.start();
    }

    /** Adds an application; it joins in the background. */
    public ApplicationGroup join(String application) {
        return groups.add(new ApplicationGroup(services, application, this::leave), this::begin);
    }

    private void begin(ApplicationGroup group) {
        lastHolder.present(group.number());
        group.expiry().enter(); // The others may have spoken before.
        announce();
        upkeep.joins(group.application(), group.joiner());
    }

    /** Runs a short task about every {@code touchInterval} until it closes; the log names {@code what} failed. */
    public void schedule(String what, Runnable task) {
        upkeep.regularly(what, task);
    }

    /** Why this node can't do its part as a member, to follow its name in a sentence; {@code null} if it can, as far as is known. */
    public @Nullable String standstill() {
        return upkeep.standstill();
    }

    /** Says goodbye for an application, and waits until every member knows; not when the channel is closed, as it cannot tell them. */
    private void leave(ApplicationGroup group) {
        groups.leave(group);
        try {
            services.members().awaitHeard(announce(), channel.isConnected() ? Goodbye.MILLIS : 0);
        } finally {
            groups.left(group);
        }
    }

    /** Takes note of what threads of this node survive. */
    public Failures failures() {
        return services.failures();
    }

    /** What the replicas of all applications take. */
    public Memory memory() {
        return services.memory();
    }

    /** The figures for metrics and JMX. */
    public ChannelFigures figures() {
        return figures;
    }

    /** The clock that stamps this node's writes. */
    public HybridClock clock() {
        return services.clock();
    }

    /** In which version of the wire format this member writes. */
    public int wireVersion() {
        return services.versions().written();
    }

    /** The parts of this node; for tests, which look into them. */
    ClusterServices services() {
        return services;
    }

    /** What carries the frames; for tests, which watch and disturb it. */
    JChannel jgroups() {
        return channel;
    }

    /** For tests. */
    Watchdog watchdog() {
        return upkeep.watchdog();
    }

    /** The applications of this node. */
    public Collection<ApplicationGroup> groups() {
        return List.copyOf(groups.present());
    }

    /** How many members the view has, this one among them. */
    public int viewSize() {
        return services.members().view().size();
    }

    /** The other members, for people. */
    public String others() {
        int others = viewSize() - 1;
        return others == 0 ? "no other member" : others + " other member(s), view " + view();
    }

    /** The view this node has taken over wholly, for people. */
    public String view() {
        View view = accepted;
        return view == null ? "none" : view.toString();
    }

    /** Has changes sent at once that are on their way out: a request waits for one of them. */
    public void hurry() {
        services.outbox().hurry();
    }

    /** What the node was turned to; {@code null} if the applications' own settings hold. */
    public @Nullable Coherence mode() {
        return coherence.mode();
    }

    /** Whether this node's commits wait unless their request wants it otherwise, and all its earlier ones are complete. */
    public boolean nodeCoherent() {
        return coherence.coherent();
    }

    /** Turns this node coherent or incoherent; returns when it is, and every other member of the view knows. */
    public void nodeCoherent(boolean wanted) {
        coherence.set(wanted);
    }

    /** Sets whether all applications that are left are configured to be coherent. Call it when one joins or leaves. */
    public void applicationsCoherent(boolean all) {
        coherence.applications(all);
    }

    /** Whether every member of the view has announced, last, that it is coherent. */
    public boolean clusterCoherent() {
        return coherence.clusterCoherent();
    }

    /** Waits until it is; false if the time is over before. */
    public boolean awaitClusterCoherent(Duration limit) throws InterruptedException {
        return coherence.awaitCluster(limit);
    }

    private long announce() {
        return services.announcements().announce();
    }

    /** Cuts this node off as a kill of its process does: nothing leaves it any more, no goodbye either. Close it then. */
    public void cut() {
        withdrawal.cut();
    }

    /** Leaves the group and ends the threads. */
    @Override
    public void close() {
        goodbye.close();
    }
}
