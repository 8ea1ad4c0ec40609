package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Counting;
import io.understudy.codec.Frame.Heard;
import io.understudy.codec.Frame.LastPart;
import io.understudy.codec.Frame.Locking;
import io.understudy.codec.Frame.Membership;
import io.understudy.codec.Frame.Part;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Presence;
import io.understudy.codec.Frame.Request;
import io.understudy.codec.Frame.Response;
import io.understudy.codec.Frame.Touches;
import io.understudy.codec.WireCodec;
import io.understudy.codec.WireFormatException;
import io.understudy.config.Acks;
import io.understudy.config.Coherence;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/**
 * This node's channel to the other members, with any number of applications on it.
 *
 * <p>Threads: any; frames arrive on JGroups' and SCOPE's threads, which never wait here.
 */
public final class ClusterChannel implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ClusterChannel.class.getName());

    /** Bytes of large changes that are not there wholly yet. */
    private static final long MAX_ASSEMBLY_BYTES = 64L << 20;

    /** How long, in milliseconds, a large change may take to arrive; afterwards it is pulled. */
    private static final long ASSEMBLY_MILLIS = 60_000;

    /** How long, in milliseconds, closing waits for changes that can't be sent. */
    private static final long DRAIN_MILLIS = 5000;

    private final UnderstudyConfig config;
    private final TimeSource time;
    private final ReplicationMetrics metrics;
    private final HybridClock clock;
    private final JChannel channel;
    private final SCOPE scopes;
    private final Members members;
    private final AckTracker tracker;
    private final Sending sending;
    private final Outbox outbox;
    private final Assemblies assemblies = new Assemblies(MAX_ASSEMBLY_BYTES);
    private final AckSender acks;
    private final Exchange exchange;
    private final ClusterLocks locks;
    private final ChannelThreads threads;
    private final NodeCoherence coherence;
    private final AtomicLong announcements = new AtomicLong();
    private final Map<Long, ApplicationGroup> groups = new ConcurrentHashMap<>();
    private final Pulse pulse = new Pulse(this::paused);
    private volatile @Nullable View accepted;
    private final Set<String> rejections = ConcurrentHashMap.newKeySet();

    private ClusterChannel(UnderstudyConfig config, TimeSource time, ReplicationMetrics metrics, StackChange stack)
            throws Exception {
        this.config = config;
        this.time = time;
        this.metrics = metrics;
        this.clock = new HybridClock(time::wallMillis, new SecureRandom().nextLong());
        this.channel = new JChannel(stack.apply(ProtocolStack.of(config))).name(config.nodeName());
        ProtocolStack.finish(channel.getProtocolStack().getTransport());
        this.scopes = channel.getProtocolStack().findProtocol(SCOPE.class);
        this.tracker = new AckTracker(metrics, Address::toString);
        this.members = new Members(channel::getAddress, time::monotonicMillis);
        this.sending = new Sending(scopes, members, tracker, metrics, time, this::send);
        this.outbox = new Outbox(sending, tracker);
        this.exchange = new Exchange(this::sendTo);
        this.locks = new ClusterLocks(channel::getAddress, this::sendInOrder);
        this.acks = new AckSender(this::deliverTo);
        scopes.setRunEnd(acks::flush);
        this.threads = new ChannelThreads(config.nodeName());
        this.coherence = new NodeCoherence(members, outbox::settled, this::announce);
        channel.setReceiver(new Inbox());
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
            ClusterChannel cluster = new ClusterChannel(config, time, metrics, stack);
            cluster.channel.connect(config.clusterName());
            cluster.locks.enter(cluster.channel.getView());
            cluster.threads.every(config.touchInterval(), cluster::tick);
            cluster.threads.start("pulse", cluster.pulse);
            cluster.threads.start("outbox", cluster.outbox);
            return cluster;
        } catch (Exception e) {
            throw failure(config, e);
        } finally {
            Thread.currentThread().setContextClassLoader(callers);
        }
    }

    private static RuntimeException failure(UnderstudyConfig config, Exception cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof BindException) {
                return new ConfigException("node '" + config.nodeName() + "' can't listen on "
                        + config.bindAddress().getHostAddress() + ":" + config.bindPort() + " (" + at.getMessage()
                        + "): choose another 'bindPort', or a 'bindAddress' of this machine");
            }
        }
        return new IllegalStateException(
                "node '" + config.nodeName() + "' could not join cluster '" + config.clusterName() + "': " + cause,
                cause);
    }

    /** Adds an application; it joins in the background. */
    public ApplicationGroup join(String application) {
        ApplicationGroup group = new ApplicationGroup(this, application);
        if (groups.putIfAbsent(group.number(), group) != null) {
            throw new IllegalStateException(group.label() + " - is already an application of this node");
        }
        announce();
        threads.start("join", group.joiner());
        return group;
    }

    void leave(ApplicationGroup group) {
        groups.remove(group.number(), group);
        announce();
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

    Members members() {
        return members;
    }

    Exchange exchange() {
        return exchange;
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
     * Sessions with changes that not every member holds which is to hold them, and all sessions of applications that no
     * other member is ready for.
     */
    public long sessionsAtRisk() {
        List<ApplicationGroup> alone = heldHereOnly();
        return alone.isEmpty()
                ? tracker.atRisk().sessions()
                : tracker.atRisk().sessions(key -> !isOf(alone, key))
                        + alone.stream()
                                .mapToLong(group -> group.store().liveCount())
                                .sum();
    }

    /**
     * Bytes of those changes, and of the attributes of those sessions. While no other member is ready for an application
     * a reading takes time in proportion to its sessions.
     */
    public long bytesAtRisk() {
        List<ApplicationGroup> alone = heldHereOnly();
        return alone.isEmpty()
                ? tracker.atRisk().bytes()
                : tracker.atRisk().bytes(key -> !isOf(alone, key))
                        + alone.stream()
                                .mapToLong(group -> group.store().attributeBytes())
                                .sum();
    }

    private List<ApplicationGroup> heldHereOnly() {
        return groups.values().stream()
                .filter(group -> group.ready()
                        && members.others(group.number(), Phase.READY).isEmpty())
                .toList();
    }

    private static boolean isOf(List<ApplicationGroup> groups, long key) {
        return groups.stream().anyMatch(group -> group.store().get(new SessionKey(key)) != null);
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
            group.sendTouches();
            group.sweep();
        }
        locks.remind();
        assemblies.sweep(time.monotonicMillis() - ASSEMBLY_MILLIS);
        acks.flush();
    }

    /** Sends a change, in the order of the calls for its session, without waiting. */
    CompletableFuture<Held> publish(long application, SessionDelta delta, long ageMillis, Acks asked) {
        return outbox.put(application, delta, ageMillis, asked);
    }

    /**
     * Tells every member, in order with earlier announcements, what this one holds. Member by member: a multicast in order
     * would wait for ever behind a gap that a joiner's window may begin with when members were merged just before.
     *
     * @return the announcement's number; it tells what is true when it goes out
     */
    long announce() {
        long announcement = announcements.incrementAndGet();
        threads.executeInOrder(() -> tellAll(announcement));
        return announcement;
    }

    private void tellAll(long announcement) {
        List<Membership> memberships = groups.values().stream()
                .map(group -> new Membership(group.name(), group.phase()))
                .toList();
        Frame presence = new Presence(
                clock.origin(), announcement, coherence.coherent(), WireCodec.VERSION, WireCodec.VERSION, memberships);
        byte[] bytes = WireCodec.encode(presence);
        for (Address member : members.view()) {
            if (!member.equals(self())) {
                send(new BytesMessage(member, bytes).setFlag(Message.Flag.NO_FC));
            }
        }
    }

    void sendToAll(Frame frame) {
        send(new BytesMessage(null, WireCodec.encode(frame)).setFlag(Message.Flag.OOB));
    }

    /**
     * Sends past the flow control: acknowledgements must not wait for credits that they themselves give back, and an answer
     * with one large session may exceed all credits. Answers are bounded as askers ask one question at a time.
     */
    private void sendTo(Address member, Frame frame) {
        send(pastFlowControl(member, frame));
    }

    /** @throws IllegalStateException if it could not be sent */
    private void deliverTo(Address member, Frame frame) {
        try {
            deliver(pastFlowControl(member, frame));
        } catch (Exception e) {
            throw new IllegalStateException("could not send to " + member, e);
        }
    }

    private static Message pastFlowControl(Address member, Frame frame) {
        return new BytesMessage(member, WireCodec.encode(frame))
                .setFlag(Message.Flag.OOB)
                .setFlag(Message.Flag.NO_FC);
    }

    /** As before, but the messages to one member arrive in the order in which they are sent. */
    private void sendInOrder(Address member, Frame frame) {
        send(new BytesMessage(member, WireCodec.encode(frame)).setFlag(Message.Flag.NO_FC));
    }

    void send(Message message) {
        try {
            deliver(message);
        } catch (Exception e) {
            LOG.log(Level.WARNING, "{0} - a message could not be sent: {1}", config.nodeName(), e);
        }
    }

    private void deliver(Message message) throws Exception {
        if (channel.isConnected()) {
            channel.send(message);
        }
    }

    /** Leaves the group and ends the threads. */
    @Override
    public void close() {
        pulse.stop();
        groups.values().forEach(group -> group.joiner().stop());
        locks.close();
        if (!outbox.drain(DRAIN_MILLIS)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - closes although changes of {1} sessions could not be sent within {2} ms",
                    config.nodeName(),
                    outbox.sessions(),
                    DRAIN_MILLIS);
        }
        groups.clear();
        tellAll(announcements.incrementAndGet()); // Goodbye: nobody has to remember tombstones for this member.
        channel.close();
        threads.close();
        sending.view(Set.of());
        coherence.close();
    }

    private final class Inbox implements Receiver {

        @Override
        public void viewAccepted(View view) {
            List<Address> present = view.getMembers();
            List<Address> before = members.view();
            List<Set<Address>> others = view instanceof MergeView merge ? otherSides(merge, before) : List.of();
            Set<Address> left = members.view(present);
            groups.values().forEach(group -> group.view(present, others));
            accepted = view;
            // Who was in a view without this member never got what it sent meanwhile, and acknowledges nothing of it.
            Set<Address> together = new HashSet<>(present);
            others.forEach(together::removeAll);
            sending.view(together);
            sending.view(new HashSet<>(present));
            assemblies.view(new HashSet<>(present));
            exchange.view(new HashSet<>(present));
            left.forEach(acks::forget);
            if (channel.isConnected()) {
                locks.enter(view); // Before that nothing could be sent: connect enters the first view.
            }
            LOG.log(Level.INFO, "{0} - view {1}", config.nodeName(), view);
            announce();
            // Of a merge each side missed what the other did; of a member that died, some may have got its last
            // messages.
            if (view instanceof MergeView || !left.isEmpty()) {
                groups.values().forEach(group -> group.joiner().repair());
            }
        }

        @Override
        public void receive(Message message) {
            Frame frame;
            try {
                frame = WireCodec.decode(message.getArray(), message.getOffset(), message.getLength());
            } catch (WireFormatException e) {
                rejected(message.getSrc(), e);
                return;
            }
            receive(message, frame);
        }

        private void receive(Message message, Frame frame) {
            Address sender = message.getSrc();
            ScopeHeader header = message.getHeader(SCOPE.ID);
            if (frame instanceof Change change && header != null) {
                received(sender, header, change, message.getLength());
            } else if (frame instanceof Part part && header != null) {
                assemblies.add(sender, part, time.monotonicMillis());
                acks.gather(sender, new Frame.Ack(header.number(), false));
            } else if (frame instanceof LastPart last && header != null) {
                received(sender, header, last);
            } else if (frame instanceof Frame.Acks received) {
                sending.acknowledged(sender, received.acks());
            } else if (frame instanceof Touches touches) {
                ApplicationGroup group = groups.get(touches.application());
                if (group != null) {
                    group.received(sender, touches);
                }
            } else if (frame instanceof Presence presence) {
                members.said(sender, presence);
                sendTo(sender, new Heard(presence.announcement()));
                presence.memberships().stream()
                        .filter(membership -> membership.phase() == Phase.COUNTED)
                        .forEach(membership ->
                                sendTo(sender, new Counting(ApplicationGroup.number(membership.application()))));
            } else if (frame instanceof Heard heard) {
                members.heard(sender, heard.announcement());
            } else if (frame instanceof Counting counting) {
                ApplicationGroup group = groups.get(counting.application());
                if (group != null) {
                    group.joiner().counting(sender);
                }
            } else if (frame instanceof Locking locking) {
                locks.received(sender, locking.message());
            } else if (frame instanceof Request request) {
                answer(sender, request);
            } else if (frame instanceof Response response) {
                exchange.answered(sender, response);
            }
        }

        private void received(Address sender, ScopeHeader place, Change change, int bytes) {
            ApplicationGroup group = groups.get(change.application());
            if (group == null) {
                acks.gather(sender, new Frame.Ack(place.number(), true)); // The application has left this node.
                return;
            }
            metrics.count(Counter.DELTAS_RECEIVED);
            metrics.count(Counter.BYTES_RECEIVED, bytes);
            group.received(sender, place, change);
        }

        private void received(Address sender, ScopeHeader place, LastPart last) {
            byte[] whole = assemblies.complete(sender, last);
            ApplicationGroup group = groups.get(last.application());
            try {
                if (whole != null && WireCodec.decode(whole, 0, whole.length) instanceof Change change) {
                    received(sender, place, change, whole.length);
                } else if (group != null) {
                    group.receivedInPart(sender, place, last.key());
                } else {
                    acks.gather(sender, new Frame.Ack(place.number(), true));
                }
            } catch (WireFormatException e) {
                rejected(sender, e);
            }
        }

        private void answer(Address sender, Request request) {
            ApplicationGroup group = groups.get(request.application());
            if (group != null) {
                boolean member = members.view().contains(sender);
                threads.executeAnswering(
                        () -> sendTo(sender, member ? group.answer(request) : new Frame.Refusal(request.request())));
            }
        }

        /** Members do not always agree who was apart: of a view that was left here, who stayed in it is the other side. */
        private List<Set<Address>> otherSides(MergeView merge, List<Address> before) {
            List<Set<Address>> sides = new ArrayList<>();
            for (View subgroup : merge.getSubgroups()) {
                Set<Address> side = new HashSet<>(subgroup.getMembers());
                if (side.contains(self())) {
                    before.forEach(side::remove);
                }
                if (!side.isEmpty()) {
                    sides.add(side);
                }
            }
            return sides;
        }

        private void rejected(Address sender, WireFormatException cause) {
            metrics.count(Counter.FRAMES_REJECTED);
            if (rejections.size() < 100 && rejections.add(sender + cause.getMessage())) {
                LOG.log(
                        Level.WARNING,
                        "{0} - a frame of {1} was dropped: {2}",
                        config.nodeName(),
                        sender,
                        cause.getMessage());
            }
        }
    }
}
