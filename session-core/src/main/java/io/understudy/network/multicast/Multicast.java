package io.understudy.network.multicast;

import io.understudy.config.BindAddress;
import io.understudy.network.seal.SealFilter;
import io.understudy.network.seal.SealFilters;
import io.understudy.sealing.FramePath;
import io.understudy.threads.Failures;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jgroups.Address;
import org.jgroups.util.ThreadFactory;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One datagram to all members that have shown that they receive them, instead of a copy to each.
 *
 * <p>Each member multicasts beacons, small and large ones in turn. Members that receive them confirm that over TCP.
 * {@link MulticastReachability} decides by that how each member is reached. A view of two members has no beacons: there
 * is nothing to be spared.
 *
 * <p>Threads: any may send; one thread of its own sends beacons and looks at the evidence, one receives.
 */
public final class Multicast {

    private static final Logger LOG = System.getLogger(Multicast.class.getName());

    /** Between two beacons, which are small and large in turn. */
    private static final long BEACON_MILLIS = 100;

    /** Evidence that nobody has looked at for so long, as this process stood still, is worth nothing. */
    private static final long STALE_MILLIS = 500;

    /** What the transport under it does. */
    public interface Carrier {
        /** One packet of JGroups that came in a datagram of this member. */
        void arrived(Address sender, byte[] bytes, int offset, int length);

        /** Sends a confirmation over TCP, without waiting. */
        void confirm(Address to, BeaconAckHeader heard);

        /** The members of the view, this one among them. */
        Collection<Address> members();
    }

    private record Proven(Map<Address, Integer> bytes, long atMillis) {}

    private final String node;
    private final SealFilter filter;
    private final InetAddress interfaceAddress;
    private final InetSocketAddress group;
    private final byte[] name;
    private final long beganNanos = System.nanoTime();
    private final long beganWall = System.currentTimeMillis();
    private final MulticastReachability<Address> hearing = new MulticastReachability<>(0);
    private final Beacons beacons;
    private final LongAdder datagrams = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final ReentrantLock sending = new ReentrantLock();
    private final byte[] packet = new byte[Datagrams.MAX];
    private volatile Proven proven = new Proven(Map.of(), 0);
    private volatile @Nullable Datagrams sockets;
    private final SealFilter.Inbound inbound = new SealFilter.Inbound() {
        @Override
        public void deliver(Address from, byte[] text, int offset, int length) {
            opened(text, offset, length);
        }

        /** Members ask each other who they are over TCP; nobody reads at the socket that this came from. */
        @Override
        public void answer(Address from, byte[] frame, byte @Nullable [] text) {}
    };
    private final Failures failures;
    private volatile @Nullable Carrier carrier;
    private volatile @Nullable UUID self;
    private int receiveBuffer = ReceiveBuffer.BYTES;
    private @Nullable ScheduledExecutorService looking;

    /** @param node its name in logs */
    public Multicast(
            String node,
            String cluster,
            SealFilters seals,
            InetAddress interfaceAddress,
            InetSocketAddress group,
            Failures failures) {
        this.node = node;
        this.filter = seals.multicast();
        this.name = Datagram.name(cluster);
        this.beacons = new Beacons(name);
        this.interfaceAddress = interfaceAddress;
        this.group = group;
        this.failures = failures;
        BeaconAckHeader.register();
    }

    /** Bytes to be asked for instead of {@link ReceiveBuffer#BYTES}. */
    Multicast receiveBuffer(int bytes) {
        receiveBuffer = bytes;
        return this;
    }

    private long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
    }

    /** Opens the sockets. If that fails, all members are reached by TCP, and a warning is logged. */
    public void start(Carrier below, Address member, ThreadFactory threads) {
        if (!(member instanceof UUID address)) {
            throw new IllegalArgumentException("expected a UUID as the channel's address, was " + member);
        }
        carrier = below;
        self = address;
        Datagram.begin(packet, Datagram.Kind.DATA, address, name);
        try {
            Datagrams opened = Datagrams.open(interfaceAddress, group, receiveBuffer, threads, this::arrived, failures);
            sockets = opened;
            LOG.log(
                    Level.INFO,
                    "{0} - multicasts to {1} port {2} for all members that receive it; its receive buffer has {3} "
                            + "bytes",
                    node,
                    BindAddress.text(group.getAddress()),
                    String.valueOf(group.getPort()),
                    String.valueOf(opened.receiveBuffer()));
            ReceiveBuffer.tell(node, receiveBuffer, opened.receiveBuffer());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} - sends to all members by TCP, because it can''t use {1}: {2}", node, group, e);
        }
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(threads);
        ScheduledFuture<?> unused = started.scheduleWithFixedDelay(
                failures.survived("checking which members receive multicasts", this::look),
                BEACON_MILLIS,
                BEACON_MILLIS,
                TimeUnit.MILLISECONDS);
        looking = started;
    }

    public void stop() {
        ScheduledExecutorService started = looking;
        if (started != null) {
            started.shutdownNow();
        }
        proven = new Proven(Map.of(), 0);
        Datagrams open = sockets;
        sockets = null;
        if (open != null) {
            open.close();
        }
        beacons.retain(List.of());
    }

    /**
     * Sends a packet to those that receive multicast.
     *
     * @param messages that the packet has
     * @return the members it is still to be sent to; {@code null} for all, as it was not multicast
     */
    public @Nullable List<Address> send(byte[] bytes, int offset, int length, int messages) {
        Proven evidence = proven;
        Carrier below = carrier;
        int size = Datagram.overhead(name) + length;
        if (evidence.bytes().isEmpty() || below == null || size > Datagrams.MAX) {
            return null;
        }
        beacons.wanted(size, now());
        if (now() - evidence.atMillis() > STALE_MILLIS) {
            return null;
        }
        List<Address> others = new ArrayList<>();
        int hearers = 0;
        for (Address member : below.members()) {
            if (evidence.bytes().getOrDefault(member, 0) >= size) {
                hearers++;
            } else if (!member.equals(self)) {
                others.add(member);
            }
        }
        return hearers >= MulticastReachability.FEWEST && out(bytes, offset, length, messages) ? others : null;
    }

    private boolean out(byte[] bytes, int offset, int length, int messages) {
        sending.lock();
        try {
            System.arraycopy(bytes, offset, packet, Datagram.overhead(name), length);
            leave(packet, 0, Datagram.overhead(name) + length);
            datagrams.increment();
            hearing.sent(messages);
            return true;
        } catch (IOException e) {
            return false; // A firewall of this machine's; the beacons don't leave either.
        } finally {
            sending.unlock();
        }
    }

    /** Every datagram leaves through here. */
    private void leave(byte[] bytes, int offset, int length) throws IOException {
        Datagrams open = sockets;
        if (open == null) {
            throw new IOException("closed");
        }
        try {
            filter.send(bytes, offset, length, null, open::send);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** Every datagram comes in here. */
    private void arrived(Address from, byte[] bytes, int offset, int length) {
        filter.receive(FramePath.DATAGRAM, from, bytes, offset, length, inbound);
    }

    private void opened(byte[] bytes, int offset, int length) {
        try {
            taken(Datagram.read(bytes, offset, length, name), length);
        } catch (Datagram.Malformed | Datagram.Foreign e) {
            dropped.increment();
        } catch (Throwable e) {
            dropped.increment();
            failures.report("handling a datagram", e);
        }
    }

    private void taken(Datagram datagram, int length) {
        Carrier below = carrier;
        UUID sender = datagram.sender();
        if (below == null || sender.equals(self)) {
            return;
        }
        if (!below.members().contains(sender)) {
            dropped.increment(); // Of another view of this cluster: it reaches this member by merging, over TCP.
        } else if (datagram.kind() == Datagram.Kind.DATA) {
            below.arrived(sender, datagram.bytes(), datagram.offset(), datagram.length());
        } else {
            BeaconAckHeader heard = beacons.hear(datagram, length, now());
            if (heard != null) {
                below.confirm(sender, heard);
            }
        }
    }

    /** A member has confirmed what it received. */
    public void confirmed(Address member, BeaconAckHeader confirmation) {
        hearing.confirmed(member, confirmation.small(), confirmation.large(), confirmation.largeBytes(), now());
    }

    /** A member asks for messages again. */
    public void askedAgain(Address member, int messages) {
        hearing.askedAgain(member, messages);
    }

    private void look() {
        Carrier below = carrier;
        if (below == null) {
            return;
        }
        List<Address> others = new ArrayList<>(below.members());
        others.remove(self);
        beacons.retain(others);
        if (others.size() >= MulticastReachability.FEWEST) {
            beacon();
        } else {
            others.clear();
        }
        long now = now();
        List<MulticastReachability.Change<Address>> changes = hearing.look(others, now);
        Map<Address, Integer> bytes = new HashMap<>();
        hearing.reached().forEach((member, reached) -> {
            if (reached.multicast()) {
                bytes.put(member, reached.proven());
            }
        });
        proven = new Proven(Map.copyOf(bytes), now);
        changes.forEach(change ->
                LOG.log(Level.INFO, "{0} - {1}", node, told(change.peer(), change.reached(), change.known())));
    }

    private void beacon() {
        UUID sender = self;
        if (sender == null) {
            return;
        }
        byte[] beacon = beacons.next(sender, now());
        try {
            leave(beacon, 0, beacon.length);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0} - could not send a beacon: {1}", node, e);
        }
    }

    private String told(Address peer, MulticastReachability.Reached reached, boolean known) {
        return peer + (known ? " is still reached by " : " is reached by ")
                + (reached.multicast() ? "multicast" : "TCP") + " since "
                + Instant.ofEpochMilli(beganWall + reached.sinceMillis()) + ", as " + reached.reason();
    }

    /** How each other member is reached, since when and why; empty in a view of two. */
    public List<String> reached() {
        List<String> lines = new ArrayList<>();
        hearing.reached().forEach((member, reached) -> lines.add(told(member, reached, false)));
        return lines;
    }

    /** Members that are reached by multicast. */
    public int hearers() {
        return proven.bytes().size();
    }

    /** Datagrams with messages that were sent. */
    public long datagrams() {
        return datagrams.sum();
    }

    /** Datagrams that were dropped: malformed, of another cluster, or of a sender outside of the view. */
    public long dropped() {
        return dropped.sum();
    }
}
