package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.convergence.PullRate;
import io.understudy.config.UnderstudyConfig;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame.States;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jgroups.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which pulls are slow enough for requests to go on beside them: told by the answers, which are small then. */
@Tag("cluster")
@Timeout(300)
class JoinPaceTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int MANY = 3 * PullRate.UNNOTICED_SESSIONS;
    private static final int FEW = PullRate.UNNOTICED_SESSIONS - 1;
    private static final int BYTES = 1024;

    /** With what sessions take beside their values. */
    private static final int SMALL_ANSWER = PullRate.BESIDE_BYTES * 5 / 4;

    private final List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
    private final ClusterChannel holder = connect(0);
    private final ApplicationGroup held = holder.join("/shop");
    private final ClusterChannel other = connect(1);

    /** The lengths of the answers with sessions that came to the other member. */
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void listen() {
        Await.until(LIMIT, held::waitingFor, held::ready);
        ClusterChannels.onTop(other, new Interference(message -> {
            note(message);
            return List.of(message);
        }));
    }

    @AfterEach
    void close() {
        other.close();
        holder.close();
    }

    private ClusterChannel connect(int node) {
        return ClusterChannels.connect(configs.get(node));
    }

    private void note(Message message) {
        try {
            if (message.hasArray()
                    && WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                            instanceof States) {
                answers.add(message.getLength());
            }
        } catch (WireFormatException e) {
            throw new AssertionError(e);
        }
    }

    /** Sessions that only the holder has: as if the other had been away. */
    private void hold(int from, int to) {
        for (int i = from; i < to; i++) {
            Stamp stamp = holder.clock().next(0);
            SessionDelta session = new SessionDelta(
                    new SessionKey(1 + i * 0x9E3779B97F4A7C15L),
                    true,
                    new Stamped<>(stamp, "id" + i),
                    new Stamped<>(stamp, 1800),
                    stamp,
                    Map.of("value", StampedBytes.of(stamp, new byte[BYTES])),
                    null);
            held.store().merge(session, 0, 0);
        }
    }

    private ApplicationGroup join() {
        ApplicationGroup joiner = other.join("/shop");
        Await.until(LIMIT, joiner::waitingFor, joiner::ready);
        return joiner;
    }

    private int largest() {
        return answers.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    @Test
    void aJoinIsPacedAndTheRepairOfItIsNot() {
        hold(0, MANY);
        ApplicationGroup joined = join();
        assertEquals(MANY, joined.store().liveCount());
        assertTrue(largest() < SMALL_ANSWER, () -> "answers of " + answers);
        answers.clear();
        hold(MANY, 2 * MANY);
        joined.joiner().repair();
        Await.until(LIMIT, () -> "answers of " + answers, () -> joined.store().liveCount() == 2 * MANY);
        assertTrue(largest() > SMALL_ANSWER, () -> "answers of " + answers);
    }

    @Test
    void aSmallStoreIsNotPaced() {
        hold(0, FEW);
        assertEquals(FEW, join().store().liveCount());
        assertTrue(largest() > SMALL_ANSWER, () -> "answers of " + answers);
    }
}
