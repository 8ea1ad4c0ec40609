package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.cluster.membership.WireVersions;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A channel that is connected, and refuses what it is given. */
@Tag("cluster")
class FrameSenderTest {

    private static final Address PEER = UUID.randomUUID();
    private static final Frame FRAME = new Frame.Heard(1);

    private static final List<Consumer<FrameSender>> ALL = List.of(
            letters -> letters.sendToAll(FRAME),
            letters -> letters.sendTo(PEER, FRAME),
            letters -> letters.sendInOrder(PEER, FRAME),
            letters -> letters.send(new EmptyMessage(PEER)),
            letters -> letters.carry(new EmptyMessage(PEER)));

    /** Refuses what it is given. */
    private static final class Refusing extends JChannel {

        private final boolean connectedBefore;
        private final Throwable thrown;
        private boolean leaves;
        private boolean left;
        private int refused;

        Refusing(boolean connected, Throwable thrown) {
            super(false);
            this.connectedBefore = connected;
            this.thrown = thrown;
        }

        @Override
        public boolean isConnected() {
            return connectedBefore && !left;
        }

        @Override
        public JChannel send(Message message) throws Exception {
            refused++;
            left = leaves;
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (Exception) thrown;
        }
    }

    private static FrameSender through(JChannel channel) {
        return new FrameSender(channel, new WireVersions(() -> PEER, "n1"));
    }

    private static void assertThrown(Throwable thrown) {
        FrameSender letters = through(new Refusing(true, thrown));
        for (Consumer<FrameSender> sending : ALL) {
            assertSame(thrown, assertThrows(Throwable.class, () -> sending.accept(letters)));
        }
    }

    @Test
    void whateverKeepsAFrameFromTheStackIsThrownToItsCaller() {
        assertThrown(new IllegalStateException("a test's"));
        assertThrown(new OutOfMemoryError("a test's"));
        assertThrown(new NoClassDefFoundError("a test's"));
    }

    @Test
    void aCheckedExceptionIsTheCauseOfTheThrownOne() {
        Exception thrown = new IOException("a test's");
        FrameSender letters = through(new Refusing(true, thrown));
        for (Consumer<FrameSender> sending : ALL) {
            assertSame(
                    thrown,
                    assertThrows(IllegalStateException.class, () -> sending.accept(letters))
                            .getCause());
        }
    }

    @Test
    void aNodeThatIsNotConnectedHasNobodyToSendTo() {
        Refusing channel = new Refusing(false, new IllegalStateException("disconnected"));
        FrameSender letters = through(channel);
        ALL.subList(0, 4).forEach(sending -> sending.accept(letters));
        assertEquals(0, channel.refused);
    }

    @Test
    void aNodeThatLeavesWhileItSendsHasNobodyToSendTo() {
        Refusing channel = new Refusing(true, new IllegalStateException("disconnected"));
        channel.leaves = true;
        through(channel).sendTo(PEER, FRAME);
        assertEquals(1, channel.refused);
    }

    /** Until it did, the others would repeat what they announced, and ask in vain. */
    @Test
    void aNodeAnswersWhileItConnects() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        RefusingTop connecting = new RefusingTop();
        connecting.connectAfter(Frame.Heard.class::isInstance);
        try (ClusterChannel first = ClusterChannels.connect(configs.get(0), new RefusingTop());
                ClusterChannel second = ClusterChannels.connect(configs.get(1), connecting)) {
            Await.that("both are in one view", () -> first.viewSize() == 2 && second.viewSize() == 2);
        }
    }
}
