package io.understudy.testkit.faults;

import io.understudy.NodeFigures;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Disturbance.Fate;
import io.understudy.wire.Frame;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.blocks.cs.BaseServer;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.ReliableMulticast;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;

/**
 * Several nodes with one application in this JVM, over real channels on loopback, with faults between the transport and
 * all the rest.
 *
 * <p>Threads: any.
 */
public final class Cluster implements AutoCloseable {

    private static final Duration READY = Await.LIMIT;
    private static final String APPLICATION = "/shop";

    private final List<UnderstudyConfig> configs;
    private final TimeSource time;
    private final Random random;
    private final Map<Fault, Disturbance> faults = new ConcurrentHashMap<>();
    private final Map<Integer, FAULTS> protocols = new ConcurrentHashMap<>();
    private final Map<Integer, Understudy> nodes = new ConcurrentHashMap<>();
    private final Map<Integer, ReplicatedSessions> sessions = new ConcurrentHashMap<>();
    private final Map<Integer, ClassLoader> loaders = new ConcurrentHashMap<>();

    private Cluster(int nodes, Map<Setting, String> settings, TimeSource time, long seed) {
        this.configs = LoopbackCluster.configs(nodes, settings);
        this.time = time;
        this.random = new Random(seed);
    }

    /** Starts nodes and waits until they are ready. */
    public static Cluster of(int nodes, Map<Setting, String> settings) {
        return of(nodes, settings, TimeSource.SHARED_PROCESS, 1);
    }

    /** Of {@code places} nodes the first {@code nodes} are started; the others are for tests to {@link #start}. */
    public static Cluster of(int nodes, int places, Map<Setting, String> settings) {
        return of(new Cluster(places, settings, TimeSource.SHARED_PROCESS, 1), nodes);
    }

    /**
     * The same with a clock for all nodes.
     *
     * @param seed of the chances that faults take
     */
    public static Cluster of(int nodes, Map<Setting, String> settings, TimeSource time, long seed) {
        return of(new Cluster(nodes, settings, time, seed), nodes);
    }

    private static Cluster of(Cluster cluster, int nodes) {
        try {
            for (int node = 0; node < nodes; node++) {
                cluster.start(node);
            }
            return cluster;
        } catch (RuntimeException | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    /** Starts a node, again after it was killed, and waits until it is ready and the others know. */
    public void start(int node) {
        UnderstudyConfig config = configs.get(node);
        if (!nodes.isEmpty()) {
            config = config.with(Map.of(Setting.START_ALONE.key(), LoopbackCluster.NOT_ALONE));
        }
        nodes.put(node, NodeStart.start(config, time, disturbed(node)));
        join(node);
    }

    /** Starts nodes at the same moment, and waits until they are ready and the others know. */
    public void startAtOnce(int... which) {
        boolean there = !nodes.isEmpty();
        List<CompletableFuture<Void>> starts = Arrays.stream(which)
                .mapToObj(node -> Beside.run(() -> {
                    StackCustomizer stack = there ? NodeStart.patient(disturbed(node)) : disturbed(node);
                    nodes.put(node, NodeStart.startAtOnce(configs.get(node), time, stack));
                    join(node);
                }))
                .toList();
        starts.forEach(CompletableFuture::join);
    }

    private StackCustomizer disturbed(int node) {
        return protocolsOf -> {
            FAULTS protocol = new FAULTS(configs.get(node).nodeName(), faults);
            protocols.put(node, protocol);
            List<Protocol> changed = new ArrayList<>(protocolsOf);
            changed.add(1, protocol);
            return changed;
        };
    }

    private void join(int node) {
        Understudy started = node(node);
        ClassLoader loader = loaders.getOrDefault(node, Cluster.class.getClassLoader());
        ReplicatedSessions joined = started.join(APPLICATION, () -> loader);
        joined.bindRequests(SessionRequest::ticketOf);
        sessions.put(node, joined);
        Await.until(READY, started::readiness, () -> started.readiness().ready());
        Await.until(
                READY,
                () -> "not all know that " + name(node) + " is ready: " + NodeFigures.view(started),
                () -> NodeFigures.knownReady(started, APPLICATION, nodes.values()));
    }

    /** Waits until all nodes know of each other that they are ready for each application. They are in one view. */
    public void awaitKnownReady() {
        Await.that("all know that all are ready", () -> NodeFigures.allKnownReady(nodes.values()));
    }

    /** The application's classes on a node, if it is started afterwards. */
    public void classes(int node, ClassLoader loader) {
        loaders.put(node, loader);
    }

    /** Undeploys the application on a node, and deploys it with these classes. */
    public void redeploy(int node, ClassLoader loader) {
        sessions(node).close();
        classes(node, loader);
        join(node);
    }

    public Understudy node(int node) {
        return started(nodes.get(node), node);
    }

    public ReplicatedSessions sessions(int node) {
        return started(sessions.get(node), node);
    }

    /** Whether a node has been started, and is ready or was; not one that was killed. */
    public boolean runs(int node) {
        return sessions.containsKey(node);
    }

    private <T> T started(@Nullable T part, int node) {
        return Objects.requireNonNull(
                part, () -> "node " + node + " is not started, or was killed; those that run: " + nodes.keySet());
    }

    /** Waits until a node has taken over a view of so many members. */
    public void awaitView(int node, int members) {
        Await.until(READY, () -> NodeFigures.view(node(node)), () -> NodeFigures.viewHas(node(node), members));
    }

    /** What a node holds: attributes by session id. */
    public Map<String, Map<String, Object>> held(int node) {
        Map<String, Map<String, Object>> held = new TreeMap<>();
        for (String id : sessions(node).ids()) {
            LiveSession session = sessions(node).find(id);
            if (session != null) {
                held.put(id, new TreeMap<>(session.attributes()));
            }
        }
        return held;
    }

    /** Multicasts of others that a node knows to be missing, and waits for. */
    public int missing(int node) {
        ReliableMulticast multicast =
                started(protocols.get(node), node).getProtocolStack().findProtocol(ReliableMulticast.class);
        return multicast.getXmitTableMissingMessages();
    }

    /** Bytes of flow-control credits that lack a sender at a receiver, by both; at rest none. */
    public Map<String, Long> lackingCredits() {
        return Credits.lacking(
                protocols.values().stream().map(Protocol::getProtocolStack).toList());
    }

    /** A node's protocols. */
    public ProtocolStack stack(int node) {
        return started(protocols.get(node), node).getProtocolStack();
    }

    /** Waits until all nodes hold the same. */
    public void awaitEqual(Duration limit) {
        Await.until(
                limit,
                () -> nodes.keySet().stream().map(this::held).toList(),
                () -> nodes.keySet().stream().map(this::held).distinct().count() == 1);
    }

    private synchronized boolean chance(double share) {
        return random.nextDouble() < share;
    }

    private synchronized long upTo(long millis) {
        return random.nextLong(millis + 1);
    }

    /** A share of the messages is lost. */
    public Fault drop(double share) {
        return drop(share, message -> true);
    }

    /** A share of the multicasts is lost; what is sent again goes to one member, and arrives. */
    public Fault dropMulticasts(double share) {
        return drop(share, message -> message.dest() == null);
    }

    /** What is sent to one member is lost; what goes to all arrives, so that nobody is suspected. */
    public Fault dropUnicasts() {
        return drop(1, message -> message.dest() != null);
    }

    /** What one node sends to another is lost, the failure detection's too; the other way all arrives. */
    public Fault deafen(int node, int from) {
        return add(
                name(node) + " hears nothing of " + name(from),
                (message, sender, receiver) -> sender.equals(name(from)) && receiver.equals(name(node))
                        ? new Fate(0, 0, false)
                        : Disturbance.ARRIVES);
    }

    /**
     * The same from a moment on.
     *
     * @param begins asked in the receiving thread, for each message from one to the other, until it is so
     */
    public Fault deafen(int node, int from, BooleanSupplier begins) {
        AtomicBoolean begun = new AtomicBoolean();
        return add(name(node) + " hears nothing of " + name(from) + " any more", (message, sender, receiver) -> {
            boolean between = sender.equals(name(from)) && receiver.equals(name(node));
            if (between && !begun.get() && begins.getAsBoolean()) {
                begun.set(true);
            }
            return between && begun.get() ? new Fate(0, 0, false) : Disturbance.ARRIVES;
        });
    }

    /** Loses the frames of this kind that the node {@code from} sends to {@code node}. */
    public Fault lose(int node, int from, Class<? extends Frame> kind) {
        return add(
                name(node) + " gets no " + kind.getSimpleName() + " of " + name(from),
                (message, sender, receiver) ->
                        sender.equals(name(from)) && receiver.equals(name(node)) && kind.isInstance(frame(message))
                                ? new Fate(0, 0, false)
                                : Disturbance.ARRIVES);
    }

    /** {@code null} if it is a message of JGroups' own. */
    private static @Nullable Frame frame(Message message) {
        try {
            return message.hasPayload() && message.hasArray()
                    ? WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                    : null;
        } catch (WireFormatException e) {
            return null;
        }
    }

    private Fault drop(double share, Predicate<Message> which) {
        return add(
                "loses " + share,
                (message, from, to) ->
                        which.test(message) && chance(share) ? new Fate(0, 0, false) : Disturbance.ARRIVES);
    }

    /** What is sent to all arrives that much later; what is sent to one member overtakes it. */
    public Fault delayMulticasts(Duration by) {
        return add(
                "delays multicasts by " + by,
                (message, from, to) ->
                        message.dest() == null ? new Fate(1, by.toMillis(), false) : Disturbance.ARRIVES);
    }

    /** Every message arrives that much later. */
    public Fault delay(Duration by) {
        return add("delays by " + by, (message, from, to) -> new Fate(1, by.toMillis(), false));
    }

    /** A share of the messages arrives up to that much later, so that others overtake them. */
    public Fault reorder(double share, Duration upTo) {
        return add(
                "reorders " + share,
                (message, from, to) -> chance(share) ? new Fate(1, upTo(upTo.toMillis()), false) : Disturbance.ARRIVES);
    }

    /** A share of the messages arrives twice. */
    public Fault duplicate(double share) {
        return add(
                "duplicates " + share,
                (message, from, to) -> chance(share) ? new Fate(2, 0, false) : Disturbance.ARRIVES);
    }

    /**
     * Nodes of different groups don't reach each other, and those of one group are in a view of their own: failure
     * detection would find so after some seconds. When it ends they merge by themselves.
     */
    public Fault partition(Collection<? extends Set<Integer>> groups) {
        Fault cut = cut(groups);
        for (Set<Integer> group : groups) {
            install(group.stream()
                    .filter(nodes::containsKey)
                    .sorted()
                    .map(this::membership)
                    .toList());
        }
        return cut;
    }

    /** Nodes of different groups don't reach each other, and have to find so. */
    public Fault cut(Collection<? extends Set<Integer>> groups) {
        Map<String, Set<Integer>> sides = groups.stream()
                .flatMap(group -> group.stream().map(node -> Map.entry(name(node), group)))
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
        return add(
                "partition " + groups,
                (message, from, to) -> sides.getOrDefault(from, Set.of()).equals(sides.getOrDefault(to, Set.of()))
                        ? Disturbance.ARRIVES
                        : new Fate(0, 0, false));
    }

    /** Nothing that a node sends or gets arrives before the end of the pause; then all does. */
    public Fault pause(int node) {
        return add(
                "pause of " + name(node),
                (message, from, to) -> new Fate(1, 0, from.equals(name(node)) != to.equals(name(node))));
    }

    /**
     * Cuts a node off, then ends it, as a killed process: no goodbye arrives, and the connections of failure detection
     * break.
     */
    public void kill(int node) {
        Set<Integer> others =
                nodes.keySet().stream().filter(other -> other != node).collect(Collectors.toSet());
        try (Fault cut = cut(List.of(others, Set.of(node)))) {
            sessions.remove(node);
            ProtocolStack dying = started(protocols.remove(node), node).getProtocolStack();
            FD_SOCK2 detection = dying.findProtocol(FD_SOCK2.class);
            ((BaseServer) detection.getValue("srv")).clearConnections(false); // Without a farewell.
            detection.stop();
            install(List.of(dying.<GMS>findProtocol(GMS.class))); // Then it waits for nobody's answers as it ends.
            started(nodes.remove(node), node).close();
            assert cut != null;
        }
    }

    /** Closes a node that did not come to be ready, if it was started at all. */
    public void giveUp(int node) {
        sessions.remove(node);
        Understudy started = nodes.remove(node);
        if (started != null) {
            started.close();
        }
    }

    private GMS membership(int node) {
        return started(protocols.get(node), node).getProtocolStack().findProtocol(GMS.class);
    }

    /** A view of these alone, whose first one coordinates. */
    private static void install(List<GMS> members) {
        if (members.isEmpty()) {
            return;
        }
        List<Address> addresses = members.stream().map(GMS::getAddress).toList();
        long last = members.stream()
                .mapToLong(member -> member.getViewId().getId())
                .max()
                .orElseThrow();
        View view = View.create(addresses.get(0), last + 1, addresses.toArray(Address[]::new));
        members.forEach(member -> member.installView(view));
    }

    private String name(int node) {
        return configs.get(node).nodeName();
    }

    private Fault add(String what, Disturbance disturbance) {
        Fault fault = new Fault(this, what);
        faults.put(fault, disturbance);
        return fault;
    }

    void end(Fault fault) {
        faults.remove(fault);
        protocols.values().forEach(protocol -> protocol.ended(fault));
    }

    /** Ends all faults and nodes. */
    @Override
    public void close() {
        List.copyOf(faults.keySet()).forEach(Fault::close);
        nodes.values().forEach(Understudy::close);
    }
}
