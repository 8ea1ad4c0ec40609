package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Phase;
import io.understudy.config.Acks;
import io.understudy.config.Coherence;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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

    /** How long, in milliseconds, closing waits for changes that can't be sent. */
    private static final long DRAIN_MILLIS = 5000;

    /** How long, in milliseconds, closing waits until every member knows of it, if it matters. */
    private static final long GOODBYE_MILLIS = 2000;

    private final Level news;
    private final UnderstudyConfig config;
    private final TimeSource time;
    private final ReplicationMetrics metrics;
    private final HybridClock clock;
    private final Detections detections;
    private final JChannel channel;
    private final SCOPE scopes;
    private final Members members;
    private final WireVersions versions;
    private final AckTracker tracker;
    private final Sending sending;
    private final Outbox outbox;
    private final AckSender acks;
    private final Exchange exchange;
    private final ClusterLocks locks;
    private final Failures failures;
    private final ChannelThreads threads;
    private final Upkeep upkeep;
    private final NodeCoherence coherence;
    private final Announcements announcements;
    private final Letters letters;
    private final Inbox inbox;
    private final ChannelFigures figures;
    private final KeptSessions kept;
    private final LastHolder lastHolder;
    private final Parting parting;
    private final Memory memory;
    private final Map<Long, ApplicationGroup> groups = new ConcurrentHashMap<>();
    private final Pauses pauses;
    private volatile @Nullable View accepted;
    private final Withdrawal withdrawal;

    private ClusterChannel(
            UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics, StackChange stack, Level news)
            throws Exception {
        this.news = news;
        this.config = config;
        this.time = time;
        this.metrics = metrics;
        this.clock = new HybridClock(time::wallMillis, new SecureRandom().nextLong());
        this.detections = new Detections(config.nodeName(), metrics);
        this.failures = new Failures(config.nodeName(), metrics);
        this.channel = ProtocolStack.channel(config, metrics, detections, stack, news);
        this.threads = new ChannelThreads(config.nodeName(), failures);
        this.withdrawal = new Withdrawal(channel, threads, config.nodeName());
        this.scopes = channel.getProtocolStack().findProtocol(SCOPE.class);
        this.versions = new WireVersions(withdrawal::self, config.nodeName());
        this.letters = new Letters(channel, versions);
        this.members = new Members(withdrawal::self, time::monotonicMillis);
        this.tracker = new AckTracker(
                metrics,
                Address::toString,
                (application, member) ->
                        members.others(application, Phase.READY).contains(member));
        this.sending = new Sending(
                scopes,
                members,
                versions,
                tracker,
                metrics,
                time,
                ProtocolStack.batchBytes(channel.getProtocolStack().getTransport()),
                letters::carry);
        this.outbox = new Outbox(sending, tracker, metrics, failures, compared(config));
        this.exchange = new Exchange(letters::sendTo, failures);
        this.locks = new ClusterLocks(withdrawal::self, letters::sendInOrder, failures);
        this.acks = new AckSender(letters::sendTo, e -> failures.report("acknowledging changes; the node retries", e));
        this.upkeep = new Upkeep(config.nodeName(), threads, failures, metrics, config.touchInterval());
        this.pauses = new Pauses(config.nodeName(), groups.values(), failures);
        this.coherence = new NodeCoherence(members, outbox::settled, this::announce);
        this.announcements = new Announcements(this, coherence, letters, threads, failures);
        this.memory = new Memory(config.memory().maxBytes(), config.memory().spillDirectory(), metrics);
        this.figures = new ChannelFigures(config, channel, scopes, members, tracker, outbox, locks, groups.values());
        this.kept = new KeptSessions(config, time);
        this.lastHolder = new LastHolder(members, withdrawal::self, exchange, this::holds);
        this.parting = new Parting(members, exchange, lastHolder);
        this.inbox = new Inbox(this, groups, sending, letters, locks, threads);
        scopes.setRunEnd(acks::flush).setUndelivered(inbox::notTaken).setFailures(failures::report);
        channel.setReceiver(inbox);
        channel.setDiscardOwnMessages(true);
    }

    /**
     * Connects to the cluster the settings name.
     *
     * @throws ConfigException if a port is taken or an address is not of this machine
     */
    public static ClusterChannel connect(UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics) {
        return connect(config, time, metrics, StackChange.NONE);
    }

    /** The same with other protocols. */
    public static ClusterChannel connect(
            UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics, StackChange stack) {
        return connect(config, time, metrics, stack, Level.INFO);
    }

    /**
     * A member of a cluster inside this JVM, for code to be run as members run it. The other member is found by the
     * cluster's name. Both use free ports of the loopback interface, whatever the settings name, and log views and joins
     * at level DEBUG.
     */
    public static ClusterChannel connectHidden(UnderstudyConfig config, ReplicationMetrics metrics) {
        return connect(config, TimeSource.SYSTEM, metrics, HiddenStack::of, Level.DEBUG);
    }

    private static ClusterChannel connect(
            UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics, StackChange stack, Level news) {
        ClassLoader callers = Thread.currentThread().getContextClassLoader();
        // Threads that JGroups makes inherit this loader; an application's would be held for ever.
        Thread.currentThread().setContextClassLoader(ClusterChannel.class.getClassLoader());
        try {
            // So does the JDK's thread for timeouts, of which there is one for all: it is made here, not in a request.
            var unused = new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.NANOSECONDS);
            ClusterChannel cluster = new ClusterChannel(config, time, metrics, stack, news);
            cluster.connect();
            return cluster;
        } catch (Exception e) {
            throw ConnectFailure.of(config, e);
        } finally {
            Thread.currentThread().setContextClassLoader(callers);
        }
    }

    /** Each member compares itself with this one once in an interval, and a quarter of it later at most. */
    private static Duration compared(UnderstudyConfig config) {
        return config.reconcileInterval().multipliedBy(5).dividedBy(4);
    }

    private void connect() throws Exception {
        boolean connected = false;
        try {
            ProtocolStack.connect(channel, config.clusterName());
            locks.enter(channel.getView());
            announce(); // What was to be sent while it connected was not.
            begin();
            connected = true;
        } finally {
            if (!connected) {
                closing(upkeep::stop);
                closing(pauses.pulse()::stop);
                closing(() -> outbox.drain(0));
                closing(channel::close); // JGroups' threads begin before it connects.
                closing(threads::close);
                closing(memory::close);
            }
        }
    }

    private void begin() {
        upkeep.regularly(
                "what is done now and then",
                new RegularTasks(
                        failures, groups.values(), locks, inbox, acks, announcements, tracker, compared(config)));
        upkeep.beats(pauses.pulse());
        upkeep.sends(outbox);
        upkeep.delivers(scopes, why -> withdrawal.withdraw(why, inbox));
        upkeep.takesOver(scopes, inbox);
        upkeep.start();
    }

    /** Adds an application; it joins in the background. */
    public ApplicationGroup join(String application) {
        ApplicationGroup group = new ApplicationGroup(this, application);
        if (groups.putIfAbsent(group.number(), group) != null) {
            throw new IllegalStateException(group.label() + " - this node already has an application with this name");
        }
        lastHolder.present(group.number());
        group.expiry().enter(); // The others may have spoken before.
        announce();
        upkeep.joins(group);
        return group;
    }

    private boolean holds(long application) {
        ApplicationGroup group = groups.get(application);
        return group != null && group.ready();
    }

    /**
     * Runs a short task about every {@code touchInterval}, until the channel is closed; the log names {@code what}
     * failed.
     */
    public void regularly(String what, Runnable task) {
        upkeep.regularly(what, task);
    }

    /** Why this node can't do its part as a member, to follow its name in a sentence; {@code null} if it can, as far as is known. */
    public @Nullable String standstill() {
        return upkeep.standstill();
    }

    /** Says goodbye for an application, and waits until every member knows. */
    void leave(ApplicationGroup group) {
        if (group.ready()) {
            parting.begin(group);
        }
        groups.remove(group.number(), group);
        try {
            members.awaitHeard(announce(), GOODBYE_MILLIS);
        } finally {
            parting.end(group);
        }
    }

    /** Takes note of a failure in a thread of this node, which goes on: it is counted, and each cause logged once. Does not fail. */
    public void survived(String what, Throwable cause) {
        failures.report(what, cause);
    }

    /** What the replicas of all applications take. */
    public Memory memory() {
        return memory;
    }

    /** The figures for metrics and JMX. */
    public ChannelFigures figures() {
        return figures;
    }

    /** The level at which it logs how it was connected, views and joins. */
    Level news() {
        return news;
    }

    UnderstudyConfig config() {
        return config;
    }

    TimeSource time() {
        return time;
    }

    /** The clock that stamps this node's writes. */
    public HybridClock clock() {
        return clock;
    }

    ReplicationMetrics metrics() {
        return metrics;
    }

    /** In which version of the wire format this member writes. */
    public int wireVersion() {
        return versions.written();
    }

    WireVersions versions() {
        return versions;
    }

    Members members() {
        return members;
    }

    Detections detections() {
        return detections;
    }

    Exchange exchange() {
        return exchange;
    }

    KeptSessions kept() {
        return kept;
    }

    LastHolder lastHolder() {
        return lastHolder;
    }

    Parting parting() {
        return parting;
    }

    AckSender acks() {
        return acks;
    }

    /** What carries the frames; for tests, which watch and disturb it. */
    JChannel jgroups() {
        return channel;
    }

    Address self() {
        return withdrawal.self();
    }

    /** Whether this node has left the view, as it can't do its part. */
    boolean withdrawn() {
        return withdrawal.withdrawn();
    }

    Failures failures() {
        return failures;
    }

    Watchdog watchdog() {
        return upkeep.watchdog();
    }

    /** The applications of this node. */
    public Collection<ApplicationGroup> groups() {
        return List.copyOf(groups.values());
    }

    /** Takes note that the parts of this node have all taken over a view. */
    void accepted(View view) {
        accepted = view;
    }

    /** Numbers of views grow, for each member. */
    long viewNumber() {
        return inbox.viewNumber();
    }

    /** How many members the view has, this one among them. */
    public int viewSize() {
        return members.view().size();
    }

    /** The view this node has taken over wholly, for people. */
    public String view() {
        View view = accepted;
        return view == null ? "none" : view.toString();
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

    LockClaim claimLock(SessionKey key) {
        return locks.claim(key);
    }

    /** Whoever has the lock next sees this node's changes of the session: they are acknowledged before. */
    void releaseLock(SessionKey key, LockClaim claim) {
        locks.releaseAfterwards(claim, key, tracker.atRisk(), threads);
    }

    AtRisk atRisk() {
        return tracker.atRisk();
    }

    /** Notices a pause of this process before anything is served after it. */
    void checkPulse() {
        pauses.check();
    }

    /** Runs a task that asks other members and waits for them; false if that was reported, or the channel closes. */
    boolean asking(String what, Runnable task) {
        return threads.executeAsking(what, task);
    }

    /** Sends a change, in the order of the calls for its session, without waiting. */
    CompletableFuture<Held> publish(long application, SessionDelta delta, long ageMillis, Acks asked) {
        return outbox.put(application, delta, ageMillis, asked);
    }

    /** Tells every member what this one holds. */
    long announce() {
        return announcements.announce();
    }

    void sendToAll(Frame frame) {
        letters.sendToAll(frame);
    }

    void sendInOrder(Address member, Frame frame) {
        letters.sendInOrder(member, frame);
    }

    /** Leaves the group and ends the threads. */
    @Override
    public void close() {
        closing(upkeep::stop);
        closing(pauses.pulse()::stop);
        for (ApplicationGroup group : groups.values()) {
            closing(group.joiner()::stop);
        }
        for (ApplicationGroup group : groups.values()) {
            closing(group.expiry()::close);
        }
        for (ApplicationGroup group : groups.values()) {
            boolean unused = failures.insist("closing", group::sendNoted);
        }
        closing(locks::close);
        closing(this::sendTheRest);
        closing(() -> groups.values().stream().filter(ApplicationGroup::ready).forEach(parting::begin));
        closing(groups::clear);
        // Whoever has heard it has got what was sent before; what is sent by who is no member any more is dropped.
        closing(() -> announcements.goodbye(GOODBYE_MILLIS));
        if (kept.on()) {
            closing(parting::keep);
        }
        closing(withdrawal::leave);
        closing(threads::close);
        closing(() -> sending.view(Set.of()));
        closing(coherence::close);
        closing(memory::close);
    }

    /** Whatever one step throws, the next one is made. */
    private void closing(Runnable step) {
        failures.run("closing", step);
    }

    private void sendTheRest() {
        if (!outbox.drain(DRAIN_MILLIS)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - closes although changes of {1} sessions could not be sent within {2} ms",
                    config.nodeName(),
                    outbox.sessions(),
                    DRAIN_MILLIS);
        }
    }
}
