package io.understudy.cluster;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member whose failure detection can't connect to the next one, as that is cut off. */
@Timeout(120)
class ViewsBesideConnectingTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<JChannel> channels = new ArrayList<>();
    private final CutOff cutOff = new CutOff();

    /** Waits for an answer from members that are cut off, until that is over. */
    private static final class CutOff extends DETACHED_FD_SOCK2 {

        private final CountDownLatch over = new CountDownLatch(1);
        private final Set<Address> some = ConcurrentHashMap.newKeySet();
        private volatile boolean all;
        private final Set<Address> waited = ConcurrentHashMap.newKeySet();
        private final Set<Address> suspected = ConcurrentHashMap.newKeySet();

        @Override
        protected boolean connectTo(IpAddress port, Address member) {
            if (!all && !some.contains(member)) {
                return super.connectTo(port, member);
            }
            waited.add(member);
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return false;
        }

        @Override
        protected void broadcastSuspectMessage(List<Address> suspects) {
            suspected.addAll(suspects);
            super.broadcastSuspectMessage(suspects);
        }
    }

    @AfterEach
    void close() {
        cutOff.over.countDown();
        channels.forEach(JChannel::close);
    }

    /** The first of three channels has the failure detection of this test. */
    private void open() throws Exception {
        for (UnderstudyConfig config : LoopbackCluster.configs(3)) {
            List<Protocol> stack = ProtocolStack.of(config);
            if (channels.isEmpty()) {
                cutOff.setBindAddress(config.bindAddress());
                stack.replaceAll(protocol -> protocol instanceof FD_SOCK2 ? cutOff : protocol);
            }
            JChannel channel = new JChannel(stack).name(config.nodeName());
            ProtocolStack.finish(channel.getProtocolStack().getTransport());
            channels.add(channel);
        }
    }

    private void connect(int index) throws Exception {
        channels.get(index).connect("test");
    }

    private void awaitView(int index, int members) {
        Await.until(
                LIMIT,
                () -> "view " + channels.get(index).getView(),
                () -> channels.get(index).getView().size() == members);
    }

    @Test
    void theNextViewsAreTakenOver() throws Exception {
        open();
        connect(0);
        cutOff.all = true;
        connect(1);
        awaitView(0, 2);
        Await.until(LIMIT, () -> "waited for " + cutOff.waited, () -> !cutOff.waited.isEmpty());
        connect(2);
        awaitView(0, 3);
        channels.get(1).close();
        awaitView(0, 2);
    }

    @Test
    void whoseConnectionBrokeIsToldOfFirst() throws Exception {
        open();
        connect(0);
        connect(1);
        Address second = channels.get(1).getAddress();
        Await.until(LIMIT, cutOff::getPingDest, () -> cutOff.getPingDest().startsWith(second + " "));
        connect(2);
        awaitView(0, 3);
        Address third = channels.get(2).getAddress();
        cutOff.some.add(third);
        FD_SOCK2 dying = channels.get(1).getProtocolStack().findProtocol(FD_SOCK2.class);
        dying.stop();
        Await.until(LIMIT, () -> "waited for " + cutOff.waited, () -> cutOff.waited.contains(third));
        Await.until(LIMIT, () -> "suspected " + cutOff.suspected, () -> cutOff.suspected.contains(second));
    }
}
