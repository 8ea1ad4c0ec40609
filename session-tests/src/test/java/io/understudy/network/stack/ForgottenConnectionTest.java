package io.understudy.network.stack;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.Interference;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UNICAST4;
import org.jgroups.protocols.UnicastHeader;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of a member that was apart for so long that its numbers were forgotten, over connections that break. */
@Tag("cluster")
@Timeout(300)
class ForgottenConnectionTest implements Receiver {

    private static final short NUMBERS = ClassConfigurator.getProtocolId(UNICAST4.class);

    private final List<JChannel> channels = new ArrayList<>();

    /** How often a message came before it was delivered. */
    private final AtomicInteger copies = new AtomicInteger();

    private final AtomicInteger questions = new AtomicInteger();
    private final ConcurrentLinkedQueue<Integer> delivered = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    private void start() throws Exception {
        for (UnderstudyConfig config : LoopbackCluster.configs(2)) {
            JChannel channel = Stacks.channel(config);
            channels.add(channel.setReceiver(this));
            channel.connect("forgotten");
        }
        Await.until(
                Await.LIMIT,
                channels::toString,
                () -> channels.stream().allMatch(channel -> channel.getView().size() == 2));
    }

    @Override
    public void receive(Message message) {
        delivered.add(message.getLength());
    }

    private void interfere(int node, Interference.Rule rule) throws Exception {
        channels.get(node).getProtocolStack().insertProtocol(new Interference(rule), Position.BELOW, UNICAST4.class);
    }

    private static boolean isOf(byte type, Message message) {
        UnicastHeader header = message.getHeader(NUMBERS);
        return header != null && header.type() == type;
    }

    /** The connections of a member that thaws break, and a merge of views waits 2 s for the member's answers. */
    @Test
    void aLostQuestionForTheNumbersIsAskedAgainAtOnce() throws Exception {
        start();
        Address sender = channels.get(0).getAddress();
        interfere(0, message -> {
            boolean lost = isOf(UnicastHeader.SEND_FIRST_SEQNO, message) && questions.incrementAndGet() == 1;
            return lost ? List.of() : List.of(message);
        });
        interfere(1, message -> {
            if (message.getSrc().equals(sender) && isOf(UnicastHeader.DATA, message) && delivered.isEmpty()) {
                copies.incrementAndGet();
            }
            return List.of(message);
        });
        UNICAST4 receiving = channels.get(1).getProtocolStack().findProtocol(UNICAST4.class);
        receiving.removeReceiveConnection(sender);
        channels.get(0).send(new BytesMessage(channels.get(1).getAddress(), new byte[7]));
        Await.that("it is delivered", () -> delivered.contains(7));
        assertTrue(questions.get() >= 2, "the first question was lost");
        // Every 100 ms it is sent again. JGroups' default is to ask again after 2 s.
        assertTrue(copies.get() <= 10, "it was sent " + copies.get() + " times");
    }
}
