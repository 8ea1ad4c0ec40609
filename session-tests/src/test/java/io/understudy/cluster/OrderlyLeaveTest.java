package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Acks;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame.Heard;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that stop at once, and what the one that keeps the sessions did not get any more. */
@Tag("cluster")
@Timeout(300)
class OrderlyLeaveTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final String SHOP = "/shop";

    @TempDir
    private Path directory;

    private final List<ClusterChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ClusterChannel::close);
    }

    private ClusterChannel start(UnderstudyConfig config, StackCustomizer stack) {
        ClusterChannel channel = ClusterChannels.connect(config, stack);
        channels.add(channel);
        return channel;
    }

    private static ApplicationGroup joined(ClusterChannel channel) {
        ApplicationGroup group = channel.join(SHOP);
        Await.until(LIMIT, group::waitingFor, group::ready);
        return group;
    }

    private static void awaitAlone(ClusterChannel channel, long application) {
        Await.until(
                LIMIT,
                () -> "still " + channel.services().members().others(application, Phase.READY),
                () -> channel.services()
                        .members()
                        .others(application, Phase.READY)
                        .isEmpty());
    }

    /** The one that said goodbye first is told last that it was heard, and then is the last of all that stop. */
    @Test
    void whoKeepsTheSessionsGetsWhatWasWrittenAfterItsGoodbye() throws Exception {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(
                2, Map.of(Setting.KEEP_SESSIONS, "on", Setting.KEEP_DIRECTORY, directory.toString()));
        HeldConfirmations atFirst = new HeldConfirmations();
        HeldConfirmations atSecond = new HeldConfirmations();
        ClusterChannel first = start(configs.get(0), atFirst);
        long shop = joined(first).number();
        ClusterChannel second = start(configs.get(1), atSecond);
        ApplicationGroup onSecond = joined(second);
        Await.until(
                LIMIT,
                () -> "not both",
                () -> first.services().members().others(shop, Phase.READY).size() == 1);
        atFirst.hold();
        atSecond.hold();

        CompletableFuture<Void> firstStops = Beside.run(first::close);
        awaitAlone(second, shop);
        SessionKey key = new SessionKey(7);
        SessionDelta written = SessionDelta.created(key, second.clock().next(0), "s7", 1800);
        assertEquals(
                AckResult.NONE, onSecond.prepare(written, 0, Acks.ALL).held().get(), "nobody else holds it");
        CompletableFuture<Void> secondStops = Beside.run(second::close);
        awaitAlone(first, shop);
        atFirst.letGo();
        Await.until(LIMIT, () -> "nobody keeps the sessions", firstStops::isDone);
        atSecond.letGo();
        secondStops.get();
        firstStops.get();

        ClusterChannel again = start(configs.get(0), StackCustomizer.NONE);
        StoredReplica restored = joined(again).store().header(key);
        assertNotNull(restored);
        assertTrue(restored.replica().live());
    }

    /** Keeps back what confirms announcements of a member, until it is let go. */
    private static final class HeldConfirmations implements StackCustomizer {

        private final Queue<Message> held = new ConcurrentLinkedQueue<>();
        private final Interference protocol = new Interference(this::instead);
        private volatile boolean holding;

        @Override
        public List<Protocol> apply(List<Protocol> protocols) {
            List<Protocol> changed = new ArrayList<>(protocols);
            changed.add(protocol);
            return changed;
        }

        private List<Message> instead(Message message) {
            if (holding && confirms(message)) {
                held.add(message);
                return List.of();
            }
            return List.of(message);
        }

        private static boolean confirms(Message message) {
            try {
                return message instanceof BytesMessage
                        && message.getLength() > 0
                        && WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                                instanceof Heard;
            } catch (WireFormatException e) {
                return false;
            }
        }

        void hold() {
            holding = true;
        }

        void letGo() {
            holding = false;
            for (Message message = held.poll(); message != null; message = held.poll()) {
                protocol.getUpProtocol().up(message);
            }
        }
    }
}
