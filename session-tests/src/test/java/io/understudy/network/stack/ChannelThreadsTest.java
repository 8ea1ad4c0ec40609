package io.understudy.network.stack;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.detection.FailureLog;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.wire.WireTap;
import java.net.Socket;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.util.TimeScheduler;
import org.jgroups.util.TimeScheduler3;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads of a channel that run as long as it, when there is no memory, or no thread, for a moment. */
@Tag("cluster")
class ChannelThreadsTest {

    private final UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private JChannel channel;
    private BasicTCP transport;

    @BeforeEach
    void make() throws Exception {
        channel = ProtocolStack.channel(
                config, metrics, new FailureLog(config.nodeName(), metrics), StackCustomizer.NONE);
        transport = (BasicTCP) channel.getProtocolStack().getTransport();
    }

    @AfterEach
    void close() {
        channel.close();
    }

    /** Each connection to the node would lead nowhere until it is started again. */
    @Test
    void connectionsAreAcceptedAfterOneThatThereWasNoMemoryFor() throws Exception {
        channel.connect("test");
        TcpServer server = (TcpServer) transport.getValue("srv");
        server.setBufferedInputStreamSize(Integer.MAX_VALUE);
        try (Socket failing = WireTap.connect(config.bindPort(), "127.0.0.1", 1)) {
            Await.until(Await.LIMIT, failing::toString, () -> metrics.value(Counter.FAILURES_SURVIVED) > 0);
        }
        server.setBufferedInputStreamSize(8192);
        int before = server.getNumConnections();
        try (Socket next = WireTap.connect(config.bindPort(), "127.0.0.1", 1)) {
            Await.until(Await.LIMIT, next::toString, () -> server.getNumConnections() > before);
        }
    }

    /** As the retransmission of messages is, without which one that is lost stays lost. */
    @Test
    void aRegularTaskRunsOnAlthoughNoThreadCanBeMadeForIt() {
        transport.getThreadPool().setThreadPool(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        AtomicInteger runs = new AtomicInteger();
        runsAgain(
                runs, timer -> timer.scheduleWithFixedDelay(runs::incrementAndGet, 1, 1, TimeUnit.MILLISECONDS, true));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRegularTaskRunsOnAlthoughItAndTheLogThrow(boolean inThePool) {
        AtomicInteger runs = new AtomicInteger();
        Runnable failing = () -> fail(runs);
        runsAgain(runs, timer -> timer.scheduleWithFixedDelay(failing, 1, 1, TimeUnit.MILLISECONDS, inThePool));
    }

    @Test
    void aTaskThatSaysWhenItRunsNextRunsOnAlthoughItAndTheLogThrow() {
        AtomicInteger runs = new AtomicInteger();
        TimeScheduler.Task failing = new TimeScheduler.Task() {
            @Override
            public long nextInterval() {
                return 1;
            }

            @Override
            public void run() {
                fail(runs);
            }
        };
        runsAgain(runs, timer -> timer.scheduleWithDynamicInterval(failing, true));
    }

    private static void fail(AtomicInteger runs) {
        runs.incrementAndGet();
        throw new OutOfMemoryError() {
            @Override
            public String getMessage() { // Which the log calls.
                throw this;
            }
        };
    }

    private void runsAgain(AtomicInteger runs, Function<TimeScheduler, Future<?>> schedule) {
        TimeScheduler timer = transport.getTimer();
        timer.start();
        try {
            assertNotNull(schedule.apply(timer));
            Await.until(Await.LIMIT, () -> runs + " runs", () -> runs.get() > 2);
        } finally {
            timer.stop();
        }
    }

    @Test
    void theThreadOfTheTimerKeepsNoProgramFromItsEnd() throws Exception {
        channel.connect("test");
        var runner = TimeScheduler3.class.getDeclaredField("runner");
        runner.setAccessible(true);
        assertTrue(((Thread) runner.get(transport.getTimer())).isDaemon());
    }
}
