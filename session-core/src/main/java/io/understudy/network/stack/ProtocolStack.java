package io.understudy.network.stack;

import io.understudy.config.Transport;
import io.understudy.config.UnderstudyConfig;
import io.understudy.discovery.Sources;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.detection.ASYNC_FD_SOCK2;
import io.understudy.network.detection.FAST_MERGE3;
import io.understudy.network.detection.FailureLog;
import io.understudy.network.detection.REPORTING_FD_ALL3;
import io.understudy.network.detection.RETRY_VERIFY_SUSPECT2;
import io.understudy.network.detection.SIDE_GMS;
import io.understudy.network.multicast.Datagrams;
import io.understudy.network.multicast.Multicast;
import io.understudy.network.seal.SealFilters;
import io.understudy.network.transport.FlowCredits;
import io.understudy.network.transport.GAPSKIP_NAKACK4;
import io.understudy.network.transport.QUEUED_TCP;
import io.understudy.network.transport.SEALED_MPING;
import io.understudy.network.transport.SEALED_UDP;
import io.understudy.network.transport.TlsFailures;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.SCOPE_FC;
import io.understudy.ordering.ScopedDirect;
import io.understudy.threads.Failures;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jgroups.JChannel;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.NAKACK4;
import org.jgroups.protocols.PING;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UDP;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST4;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;

/** The protocols of a channel, bottom to top, as settings ask for them. */
public final class ProtocolStack {

    private static final Logger LOG = System.getLogger(ProtocolStack.class.getName());

    /** How often, in milliseconds, missing messages are asked for. */
    private static final int XMIT_INTERVAL = 100;

    /**
     * How long a member may be silent, in milliseconds. A pause of 3 s is to pass, after which the last word may be an interval old; with what follows a silent member has
     * left the view within 5 s.
     */
    private static final int SILENT_MILLIS = 3600;

    private static final int HEARTBEAT_MILLIS = 200;

    /** How long a suspect has, in milliseconds, to say that it is there. */
    private static final int VERIFY_MILLIS = 500;

    private static final int UDP_BUNDLE = Datagrams.MAX;

    private static final int FRAGMENT = 60_000;

    /** How often a joiner asks who is there, within its join timeout: one question can be lost, or its answer be late. */
    private static final int DISCOVERY_RUNS = 3;

    /** Addresses of earlier members that go on being asked at where addresses come and go. */
    private static final int MAX_REMEMBERED = 100;

    /** Longest wait, in milliseconds, for a TCP connection between members. */
    private static final int CONNECT_MILLIS = 300;

    /** Changes in one message with TCP: more spares nothing, and its last change should not wait for it. */
    private static final int TCP_BATCH = 32_000;

    /** With UDP they fit into one datagram, beside what the protocols below add. */
    private static final int UDP_BATCH = UDP_BUNDLE - 1000;

    private ProtocolStack() {}

    /** Bytes of several changes in one message, at most. */
    public static int batchBytes(TP transport) {
        return transport instanceof QUEUED_TCP tcp && tcp.multicast() == null ? TCP_BATCH : UDP_BATCH;
    }

    public static List<Protocol> of(UnderstudyConfig config) {
        ReplicationMetrics metrics = new ReplicationMetrics();
        return of(config, metrics, new FailureLog(config.nodeName(), metrics));
    }

    public static List<Protocol> of(UnderstudyConfig config, ReplicationMetrics metrics, FailureLog detections) {
        return of(config, metrics, detections, Level.INFO);
    }

    /**
     * @param metrics counts what is not read
     * @param detections is told who is missing, and by what
     * @param news the level at which it logs what it found out
     */
    private static List<Protocol> of(
            UnderstudyConfig config, ReplicationMetrics metrics, FailureLog detections, Level news) {
        SealFilters seals = SealFilters.of(config, metrics, news);
        List<Protocol> stack = new ArrayList<>();
        ScopedInterface scope = ScopedInterface.of(config, news);
        Failures failures = new Failures(config.nodeName(), metrics);
        TP transport = config.transport() == Transport.UDP
                ? udp(config, scope, seals)
                : tcp(config, scope, seals, metrics, failures);
        boolean datagrams = transport instanceof QUEUED_TCP tcp && tcp.multicast() != null;
        transport.setBindAddress(config.bindAddress());
        // Its threads are few, and last. A virtual one that waits for a channel holds a thread of the JDK until JDK 24.
        transport.useVirtualThreads(false);
        ChannelThreadFactory.use(transport, failures);
        LastingTimer.use(transport, failures);
        transport.setMessageProcessingPolicy(ScopedDirect.class.getName());
        stack.add(transport);
        stack.addAll(Sources.of(config)); // The slowest to answer are asked last.
        stack.addAll(discovery(config, scope, seals, failures, datagrams));
        // Members that are apart hear of each other's view within the maximum. A tenth of the check interval is how
        // long a member has to tell its view: more than the round trip of any link.
        stack.add(new FAST_MERGE3().setMinInterval(500).setMaxInterval(1500).setCheckInterval(4000));
        stack.add(new ASYNC_FD_SOCK2(seals.failureDetection(), detections)
                .setBindAddress(config.bindAddress())); // By default it listens on every interface.
        stack.add(new REPORTING_FD_ALL3(detections).setTimeout(SILENT_MILLIS).setInterval(HEARTBEAT_MILLIS));
        stack.add(new RETRY_VERIFY_SUSPECT2().setTimeout(VERIFY_MILLIS));
        NAKACK4 multicast = new GAPSKIP_NAKACK4();
        multicast.setXmitInterval(XMIT_INTERVAL);
        multicast.setMaxXmitReqSize(0); // Bounded by the bundler; the default bounds a range of numbers.
        multicast.useMcastXmit(false);
        stack.add(multicast);
        UNICAST4 unicast = new UNICAST4();
        unicast.setXmitInterval(XMIT_INTERVAL);
        // Shorter: each message that is sent again may ask again. Such a question is lost with a connection that
        // breaks,
        // as those of a member that thaws do, and a merge waits 2 s for that member's answers.
        unicast.setSyncMinInterval(XMIT_INTERVAL / 2);
        stack.add(unicast);
        GMS membership = new SIDE_GMS();
        membership.setJoinTimeout(config.transport() == Transport.UDP ? 500 : 1000);
        membership.setViewAckCollectionTimeout(500);
        // A merge that waits for members which have just become out of reach keeps the next one from beginning.
        membership.setMergeTimeout(2000);
        membership.printLocalAddress(false);
        stack.add(membership);
        stack.add(new FRAG4().setFragSize(FRAGMENT));
        stack.add(new SCOPE().setGapTimeout(5L * XMIT_INTERVAL));
        stack.add(new SCOPE_FC().setMaxCredits(FlowCredits.MAX_BYTES));
        stack.add(new UFC().setMaxCredits(FlowCredits.MAX_BYTES));
        return stack;
    }

    /** Connects a channel. JGroups does not stop a stack that failed half way, whose ports would be taken; this does. */
    public static void connect(JChannel channel, String cluster) throws Exception {
        try {
            channel.connect(cluster);
        } catch (Exception | Error e) {
            for (Protocol protocol : channel.getProtocolStack().getProtocols()) {
                try {
                    protocol.stop();
                } catch (Throwable again) {
                    e.addSuppressed(again); // The others give back what they have.
                }
            }
            throw e;
        }
    }

    /**
     * The channel, with its protocols and not connected.
     *
     * @param change of what settings make; a stack of one's own stays as it is
     * @throws io.understudy.config.ConfigException if what settings name can't be used
     */
    public static JChannel channel(
            UnderstudyConfig config, ReplicationMetrics metrics, FailureLog detections, StackCustomizer change)
            throws Exception {
        return channel(config, metrics, detections, change, Level.INFO);
    }

    /**
     * The same.
     *
     * @param news the level at which it logs what it found out
     */
    public static JChannel channel(
            UnderstudyConfig config,
            ReplicationMetrics metrics,
            FailureLog detections,
            StackCustomizer change,
            Level news)
            throws Exception {
        if (!config.discovery().jgroupsStack().isEmpty()) {
            return new CustomStack(
                            config,
                            SealFilters.of(config, metrics),
                            detections,
                            new Failures(config.nodeName(), metrics))
                    .name(config.nodeName());
        }
        JChannel channel =
                StackProperties.channel(config.nodeName(), change.apply(of(config, metrics, detections, news)));
        finish(channel.getProtocolStack().getTransport());
        return channel;
    }

    /** Settings of parts that exist only once the protocols were initialised, and before they connect. */
    public static void finish(TP transport) {
        LastingTimer.finish(transport);
        transport.getDiagnosticsHandler().setEnabled(false);
        if (transport instanceof UDP) {
            transport.getBundler().setMaxSize(UDP_BUNDLE);
        }
        if (transport instanceof BasicTCP tcp) {
            tcp.setSockConnTimeout(CONNECT_MILLIS);
        }
    }

    private static UDP udp(UnderstudyConfig config, ScopedInterface scope, SealFilters seals) {
        UDP udp = new SEALED_UDP(config.nodeName(), seals.transport());
        udp.setMulticastAddress(scope.here(config.multicastAddress())).setMulticastPort(config.multicastPort());
        udp.setMulticastTTL(1);
        return udp;
    }

    private static QUEUED_TCP tcp(
            UnderstudyConfig config,
            ScopedInterface scope,
            SealFilters seals,
            ReplicationMetrics metrics,
            Failures failures) {
        QUEUED_TCP tcp = new QUEUED_TCP(seals.transport(), failures);
        // With Nagle's algorithm an acknowledgement waits up to 40 ms for TCP's own of the message before it: 24.6 ms
        // instead of under 1 ms per coherent change when two members write in turn (see also JGRP-2781).
        tcp.tcpNodelay(true);
        tcp.setBindPort(config.bindPort()).setPortRange(otherPorts(config) ? UnderstudyConfig.PORT_RANGE - 1 : 0);
        if (config.tls().given()) {
            tcp.certificates(TlsFailures.certificates(config, metrics));
        }
        if (config.transport() == Transport.AUTO) {
            String unfit = config.tls().given()
                    ? "'tlsKeyStore' is set, and TLS requires TCP"
                    : MulticastInterface.unfit(config.bindAddress(), config.multicastAddress());
            if (unfit.isEmpty()) {
                // Discovery has the port itself.
                tcp.multicast(new Multicast(
                        config.nodeName(),
                        config.clusterName(),
                        seals,
                        config.bindAddress(),
                        new InetSocketAddress(scope.here(config.multicastAddress()), config.multicastPort() + 1),
                        failures));
            } else {
                LOG.log(
                        Level.INFO,
                        "{0} - ''transport'' is auto, and this node uses TCP: {1}",
                        config.nodeName(),
                        unfit);
            }
        }
        return tcp;
    }

    /** Whether others learn which port this node took. */
    private static boolean otherPorts(UnderstudyConfig config) {
        return config.hosts().isEmpty() && config.discovery().dnsName().isEmpty();
    }

    /** Where other nodes on this machine may be. */
    private static List<InetSocketAddress> ownPorts(UnderstudyConfig config) {
        return IntStream.range(config.bindPort(), config.bindPort() + UnderstudyConfig.PORT_RANGE)
                .mapToObj(port -> new InetSocketAddress(config.bindAddress(), port))
                .toList();
    }

    /** @param datagrams whether multicast was found to be possible, and to be used */
    private static List<Protocol> discovery(
            UnderstudyConfig config, ScopedInterface scope, SealFilters seals, Failures failures, boolean datagrams) {
        if (config.transport() == Transport.UDP) {
            return List.of(new PING().numDiscoveryRuns(DISCOVERY_RUNS));
        }
        boolean told = !config.hosts().isEmpty() || config.discovery().listed();
        TCPPING ping = told ? Sources.hosts(config) : new TCPPING().setInitialHosts(ownPorts(config));
        ping.numDiscoveryRuns(DISCOVERY_RUNS);
        ping.setPortRange(0);
        if (config.discovery().listed()) {
            ping.setValue("max_dynamic_hosts", MAX_REMEMBERED);
        }
        boolean wanted = config.transport() == Transport.AUTO
                ? datagrams
                : !told
                        && !config.bindAddress().isLoopbackAddress()
                        && !config.tls().given();
        if (!wanted) {
            return List.of(ping);
        }
        SEALED_MPING multicast = new SEALED_MPING(seals, failures);
        if (config.discovery().listed()) {
            multicast.numDiscoveryRuns(DISCOVERY_RUNS); // Being the topmost it has all of them ask.
        }
        multicast.setBindAddr(config.bindAddress());
        multicast.setMcastAddr(scope.here(config.multicastAddress()));
        multicast.setMcastPort(config.multicastPort());
        return List.of(ping, multicast);
    }
}
