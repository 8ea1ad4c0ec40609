package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.Membership;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the first member takes for a sign that another one has ended: a connection that breaks, whatever ports reply. */
@Tag("cluster")
@Timeout(300)
class SignsOfEndTest {

    private static final int SHORT_MILLIS = 200;

    private final WatchedChannels channels = new WatchedChannels();

    @AfterEach
    void close() throws IOException {
        channels.close();
    }

    private ASYNC_FD_SOCK2 detection() {
        return (ASYNC_FD_SOCK2) channels.first();
    }

    /** Three members. The first port of the second one gives no answer, and its failure detection has the next port. */
    private void openBesideASilentPort() throws Exception {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(3);
        channels.silence(configs.get(1));
        channels.open(configs, Set.of());
        detection().setValue("connect_timeout", SHORT_MILLIS);
        channels.connect();
        channels.awaitView(3);
    }

    /** Two members, of which the first one watches the second one. */
    private void openTwo() throws Exception {
        channels.open(LoopbackCluster.configs(2), Set.of());
        channels.connect();
        channels.awaitView(2);
        awaitConnected();
    }

    private void awaitConnected() {
        Await.until(Await.LIMIT, detection()::getPingDest, detection()::connected);
    }

    @Test
    void aMemberAtAnotherOfItsPortsIsMissedAtOnce() throws Exception {
        openBesideASilentPort();
        channels.awaitTurnedTo(1, " CONNECTED");
        channels.breakOff(1);
        channels.awaitTurnedTo(2, " CONNECTED");
        assertEquals(1, channels.suspicions());
    }

    /** Its silent port does not excuse it. */
    @Test
    void aBrokenConnectionIsReportedThoughPortsAreQueried() throws Exception {
        openBesideASilentPort();
        awaitConnected();
        channels.whereItConnects(() -> {
            channels.breakOff(1);
            Await.until(
                    Await.LIMIT, detection()::getPingDest, () -> !detection().connected());
            detection().connectAgain(); // As two views may have asked for it.
            return null;
        });
        channels.awaitTurnedTo(2, " CONNECTED");
        assertEquals(1, channels.suspicions());
    }

    /** While the ports of the next member are queried, the one that is watched in its place ends. */
    @Test
    void aMemberWatchedInPlaceOfAnotherIsMissed() throws Exception {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(3);
        channels.silence(configs.get(2).bindPort() + LoopbackCluster.FAILURE_DETECTION + 1);
        channels.open(configs, Set.of(1)); // All ports of the second one refuse.
        channels.connect();
        channels.awaitView(3);
        Address next = channels.get(1).getAddress();
        PortReplies replies = (PortReplies) detection().getValue("replies");
        AtomicReference<?> link = (AtomicReference<?>) detection().getValue("link");
        Await.until(Await.LIMIT, detection()::getPingDest, () -> replies.vouchedFor(next) && link.get() != null);
        int suspicions = channels.whereItConnects(() -> {
            int before = channels.suspicions();
            assertFalse(detection()
                    .connectTo(next, new Membership(channels.get(0).getView().getMembers())));
            channels.breakOff(2);
            Await.until(Await.LIMIT, detection()::getPingDest, () -> link.get() == null);
            detection().setValue("connect_timeout", SHORT_MILLIS); // For the silent port of the third one.
            detection().connectToNextPingDest(next);
            return channels.suspicions() - before;
        });
        assertEquals(1, suspicions);
    }

    /** FD_SOCK2 takes it for one: the state of the former connection is still there, as after a late answer. */
    @Test
    void aLateAnswerIsNoAnswerOfTheNextPort() throws Exception {
        openTwo();
        Address member = channels.get(1).getAddress();
        int port = LoopbackCluster.freePorts(1).get(0);
        channels.silence(port);
        detection().setValue("connect_timeout", SHORT_MILLIS);
        assertFalse(channels.whereItConnects(
                () -> detection().connectTo(new IpAddress(InetAddress.getLoopbackAddress(), port), member)));
    }

    /** The view may come before the address. */
    @Test
    void aMemberWithoutAnAddressIsNotSuspected() throws Exception {
        openTwo();
        Address unknown = UUID.randomUUID();
        int suspicions = channels.whereItConnects(() -> {
            int before = channels.suspicions();
            Membership members = (Membership) detection().getValue("members");
            members.add(unknown);
            assertFalse(detection().connectTo(unknown, members));
            detection().broadcastSuspectMessage(List.of(unknown));
            members.remove(unknown);
            return channels.suspicions() - before;
        });
        assertEquals(0, suspicions);
    }

    /** Without it the node neither notices the end of a member nor answers one. */
    @Test
    void theSelectorOutlivesAConnectionThatFails() throws Exception {
        channels.open(LoopbackCluster.configs(1), Set.of());
        channels.connect();
        NioServer server = (NioServer) detection().getValue("srv");
        IpAddress at = (IpAddress) server.localAddress();
        int before = server.numSelects();
        server.maxSendBuffers(40_000); // More than a connection can have.
        Await.until(Await.LIMIT, () -> server.numSelects() + " looks", () -> {
            knock(at);
            return server.numSelects() > before + 1;
        });
        server.maxSendBuffers(12);
        assertTrue(server.acceptorRunning());
    }

    private static void knock(IpAddress at) {
        try {
            new Socket(at.getIpAddress(), at.getPort()).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
