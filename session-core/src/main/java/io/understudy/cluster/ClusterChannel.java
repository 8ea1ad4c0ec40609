package io.understudy.cluster;

import io.understudy.codec.Frame;
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
import io.understudy.tls.Certificates;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.Message;
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
    private final ChannelThreads threads;
    private final NodeCoherence coherence;
    private final Announcements announcements;
    private final Letters letters;
    private final Inbox inbox;
    private final NodeRisk risk;
    private final KeptSessions kept;
    private final LastHolder lastHolder;
    private final Parting parting;
    private final Memory memory;
    private final Map<Long, ApplicationGroup> groups = new ConcurrentHashMap<>();
    private final Pulse pulse = new Pulse(this::paused);
    private volatile @Nullable View accepted;

    private ClusterChannel(UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics, StackChange stack)
            throws Exception {
        this.config = config;
        this.time = time;
        this.metrics = metrics;
        this.clock = new HybridClock(time::wallMillis, new SecureRandom().nextLong());
        this.detections = new Detections(config.nodeName(), metrics);
        this.channel = ProtocolStack.channel(config, metrics, detections, stack);
        this.scopes = channel.getProtocolStack().findProtocol(SCOPE.class);
        this.versions = new WireVersions(channel::getAddress, config.nodeName());
        this.letters = new Letters(channel, config, versions);
        this.tracker = new AckTracker(metrics, Address::toString);
        this.members = new Members(channel::getAddress, time::monotonicMillis);
        this.sending = new Sending(
                scopes,
                members,
                versions,
                tracker,
                metrics,
                time,
                ProtocolStack.batchBytes(channel.getProtocolStack().getTransport()),
                letters::send);
        this.outbox = new Outbox(sending, tracker);
        this.exchange = new Exchange(letters::sendTo);
        this.locks = new ClusterLocks(channel::getAddress, letters::sendInOrder);
        this.acks = new AckSender(letters::deliverTo);
        scopes.setRunEnd(acks::flush);
        this.threads = new ChannelThreads(config.nodeName());
        this.coherence = new NodeCoherence(members, outbox::settled, this::announce);
        this.announcements = new Announcements(this, coherence, letters, threads);
        this.memory = new Memory(config.memory().maxBytes(), config.memory().spillDirectory(), metrics);
        this.risk = new NodeRisk(tracker, members, groups.values());
        this.kept = new KeptSessions(config, time);
        this.lastHolder = new LastHolder(members, channel::getAddress, exchange, this::holds);
        this.parting = new Parting(members, exchange, lastHolder);
        this.inbox = new Inbox(this, groups, sending, letters, locks, threads);
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
        ClassLoader callers = Thread.currentThread().getContextClassLoader();
        // Threads that JGroups makes inherit this loader; an application's would be held for ever.
        Thread.currentThread().setContextClassLoader(ClusterChannel.class.getClassLoader());
        try {
            // So does the JDK's thread for timeouts, of which there is one for all: it is made here, not in a request.
            var unused = new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.NANOSECONDS);
            ClusterChannel cluster = new ClusterChannel(config, time, metrics, stack);
            cluster.channel.connect(config.clusterName());
            cluster.locks.enter(cluster.channel.getView());
            cluster.announce(); // What was to be sent while it connected was not.
            cluster.threads.every(config.touchInterval(), cluster::tick);
            cluster.threads.start("pulse", cluster.pulse);
            cluster.threads.start("outbox", cluster.outbox);
            return cluster;
        } catch (Exception e) {
            throw ConnectFailure.of(config, e);
        } finally {
            Thread.currentThread().setContextClassLoader(callers);
        }
    }

    /** Adds an application; it joins in the background. */
    public ApplicationGroup join(String application) {
        ApplicationGroup group = new ApplicationGroup(this, application);
        if (groups.putIfAbsent(group.number(), group) != null) {
            throw new IllegalStateException(group.label() + " - is already an application of this node");
        }
        lastHolder.present(group.number());
        group.expiry().enter(); // The others may have spoken before.
        announce();
        threads.start("join", group.joiner());
        return group;
    }

    private boolean holds(long application) {
        ApplicationGroup group = groups.get(application);
        return group != null && group.ready();
    }

    /** Runs a short task about every {@code touchInterval}, until the channel is closed. */
    public void regularly(Runnable task) {
        threads.every(config.touchInterval(), task);
    }

    void leave(ApplicationGroup group) {
        groups.remove(group.number(), group);
        announce();
    }

    /** What the replicas of all applications take. */
    public Memory memory() {
        return memory;
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
        return channel.getAddress();
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

    /** Changes that had to wait for an earlier one of their session. */
    public long changesHeld() {
        return scopes.getHeldMessages();
    }

    /** Changes merged without the earlier one they waited for, as it did not come in time. */
    public long changesReleased() {
        return scopes.getReleasedMessages();
    }

    /**
     * Sessions with changes that not every member holds which is to hold them, those that no member was told of, and all
     * sessions of applications that no other member is ready for.
     */
    public long sessionsAtRisk() {
        return risk.sessions();
    }

    /**
     * Bytes of those changes, and of the attributes of those sessions. While no other member is ready for an application
     * a reading takes time in proportion to its sessions.
     */
    public long bytesAtRisk() {
        return risk.bytes();
    }

    /** How the other members are reached by what this one sends to all. */
    public Reach reach() {
        return new Reach(config, channel.getProtocolStack().getTransport(), Math.max(0, viewSize() - 1));
    }

    /** Whether this node's failure detection has a connection to the member that it watches; else it goes by heartbeats alone. */
    public boolean watches() {
        DETACHED_FD_SOCK2 detection = channel.getProtocolStack().findProtocol(DETACHED_FD_SOCK2.class);
        return detection != null && detection.connected();
    }

    /** How long this node's certificate is valid still; empty without TLS. */
    public Optional<Duration> certificateLeft() {
        return channel.getProtocolStack().getTransport() instanceof STEADY_TCP tcp
                ? Optional.ofNullable(tcp.certificates()).map(Certificates::left)
                : Optional.empty();
    }

    /** The other members that hold all sessions, by application. */
    public Map<String, List<String>> holders() {
        Map<String, List<String>> holders = new TreeMap<>();
        groups.values()
                .forEach(group -> holders.put(
                        group.name(),
                        members.serving(group.number()).stream()
                                .map(Address::toString)
                                .toList()));
        return holders;
    }

    /** Sessions with a change that waits to be sent: a member is slow, or the changes come faster than they go. */
    public int unsentSessions() {
        return outbox.sessions();
    }

    /** Changes that not every member holds which is to hold them. */
    public long changesAtRisk() {
        return tracker.atRisk().changes();
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

    /** To be told when an application joins or leaves: whether all that are left are configured to be coherent. */
    public void applicationsCoherent(boolean all) {
        coherence.applications(all);
    }

    /** Whether every member of the view is coherent, as far as it has told. */
    public boolean clusterCoherent() {
        return coherence.clusterCoherent();
    }

    /** Waits until it is; false if the time is over before. */
    public boolean awaitClusterCoherent(Duration limit) throws InterruptedException {
        return coherence.awaitCluster(limit);
    }

    /** Requests of this node that hold a session's lock. */
    public long locksHeld() {
        return locks.held();
    }

    /** Requests of this node that wait for a session's lock. */
    public long locksWaiting() {
        return locks.waiting();
    }

    /** Locks that are held or waited for, of which this node is the home. */
    public long locksAtHome() {
        return locks.atHome();
    }

    LockClaim claimLock(SessionKey key) {
        return locks.claim(key);
    }

    /** Whoever has the lock next sees this node's changes of the session: they are acknowledged before. */
    void releaseLock(SessionKey key, LockClaim claim) {
        Runnable release = () -> locks.release(claim);
        if (!tracker.atRisk().afterwards(key.value(), () -> threads.executeInOrder(release))) {
            release.run();
        }
    }

    /** Notices a pause of this process before anything is served after it. */
    void checkPulse() {
        if (pulse.late()) {
            pulse.check();
        }
    }

    private void paused(long millis) {
        LOG.log(
                Level.WARNING,
                "{0} - this process stood still for {1} ms: not ready until the other members confirm it",
                config.nodeName(),
                millis);
        groups.values().forEach(group -> group.suspend("stood still for " + millis + " ms"));
    }

    /** Runs a task that asks other members and waits for them. */
    void asking(Runnable task) {
        threads.executeAsking(task);
    }

    private void tick() {
        for (ApplicationGroup group : groups.values()) {
            group.sendNoted();
            group.sweep();
        }
        locks.remind();
        inbox.sweep();
        acks.flush();
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

    void send(Message message) {
        letters.send(message);
    }

    /** Leaves the group and ends the threads. */
    @Override
    public void close() {
        pulse.stop();
        groups.values().forEach(group -> group.joiner().stop());
        groups.values().forEach(group -> group.expiry().close());
        groups.values().forEach(ApplicationGroup::sendNoted);
        locks.close();
        if (!outbox.drain(DRAIN_MILLIS)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - closes although changes of {1} sessions could not be sent within {2} ms",
                    config.nodeName(),
                    outbox.sessions(),
                    DRAIN_MILLIS);
        }
        parting.begin(groups.values().stream().filter(ApplicationGroup::ready).toList());
        groups.clear();
        // Whoever has heard it has got what was sent before; what is sent by who is no member any more is dropped.
        announcements.goodbye(GOODBYE_MILLIS);
        if (kept.on()) {
            parting.keep();
        }
        PROMPT_MERGE3 merging = channel.getProtocolStack().findProtocol(PROMPT_MERGE3.class);
        merging.leave();
        channel.close();
        threads.close();
        sending.view(Set.of());
        coherence.close();
        memory.close();
    }
}
