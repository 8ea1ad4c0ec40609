package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeStart;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.ProtocolStack;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member is suspected that is there, and what it is asked is lost. */
@Tag("cluster")
@Timeout(300)
class VerifySuspectTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final short VERIFY = ClassConfigurator.getProtocolId(VERIFY_SUSPECT2.class);

    private final List<JChannel> channels = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger cleared = new AtomicInteger();

    /** Loses the first questions. */
    private final class Losing extends Protocol {

        private final int questions;

        Losing(int questions) {
            this.questions = questions;
        }

        @Override
        public Object down(Message message) {
            boolean lost = message.getHeader(VERIFY) != null && asked.incrementAndGet() <= questions;
            return lost ? null : down_prot.down(message);
        }

        @Override
        public Object down(Event event) {
            cleared.addAndGet(event.getType() == Event.UNSUSPECT ? 1 : 0);
            return down_prot.down(event);
        }
    }

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    @Test
    void oneLostQuestionCostsNobodyItsPlace() throws Exception {
        for (UnderstudyConfig config : LoopbackCluster.configs(2)) {
            List<Protocol> stack = new ArrayList<>();
            for (Protocol protocol :
                    NodeStart.among(config, StackCustomizer.NONE).apply(ProtocolStack.of(config))) {
                if (protocol instanceof VERIFY_SUSPECT2 && channels.isEmpty()) {
                    stack.add(new Losing(2));
                }
                stack.add(protocol);
            }
            JChannel channel = new JChannel(stack).name(config.nodeName());
            ProtocolStack.finish(channel.getProtocolStack().getTransport());
            channels.add(channel);
            channel.connect("test");
        }
        JChannel first = channels.get(0);
        Await.until(
                LIMIT, () -> "view " + first.getView(), () -> first.getView().size() == 2);
        VERIFY_SUSPECT2 verify = first.getProtocolStack().findProtocol(VERIFY_SUSPECT2.class);
        verify.setTimeout(5000); // Questions a second apart: an answer may take as long.
        verify.up(new Event(Event.SUSPECT, List.of(channels.get(1).getAddress())));
        Await.until(LIMIT, () -> asked + " questions, view " + first.getView(), () -> cleared.get() > 0);
        assertTrue(asked.get() >= 3, () -> asked + " questions, of which two were lost");
        assertEquals(2, first.getView().size());
    }
}
