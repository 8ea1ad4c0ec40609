package io.understudy.network.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.detection.FailureLog;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.wire.WireTap;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.TimeScheduler;
import org.jgroups.util.TimeScheduler3;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads of a channel that run as long as it, when there is no memory, or no thread, for a moment. */
@Tag("cluster")
class ChannelThreadsTest {

    @TempDir
    private Path directory;

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private JChannel channel;
    private BasicTCP transport;

    @BeforeEach
    void make() throws Exception {
        make(LoopbackCluster.configs(1).get(0));
    }

    private void make(UnderstudyConfig config) throws Exception {
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
        acceptsAfterAnError();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theyAreWithAStackOfOnesOwn(boolean virtual) throws Exception {
        channel.close();
        int port = LoopbackCluster.freePorts(1).get(0);
        String xml = Files.readString(Path.of("../docs/design/stack.xml"))
                .replace("bind_port=\"7800\"", "bind_port=\"" + port + (virtual ? "\" use_vthreads=\"true\"" : "\""))
                .replace("127.0.0.1[7800]", "127.0.0.1[" + port + "]");
        Path file = Files.writeString(directory.resolve("stack.xml"), xml);
        make(UnderstudyConfig.builder()
                .set(Setting.BIND_ADDRESS, "127.0.0.1")
                .set(Setting.JGROUPS_STACK, file.toString())
                .build());
        assertEquals(virtual && Util.virtualThreadsAvailable(), transport.useVirtualThreads());
        acceptsAfterAnError();
    }

    private void acceptsAfterAnError() throws Exception {
        channel.connect("test");
        TcpServer server = (TcpServer) transport.getValue("srv");
        int port = ((IpAddress) server.localAddress()).getPort();
        server.setBufferedInputStreamSize(Integer.MAX_VALUE);
        try (Socket failing = WireTap.connect(port, "127.0.0.1", 1)) {
            Await.until(Await.LIMIT, failing::toString, () -> metrics.value(Counter.FAILURES_SURVIVED) > 0);
        }
        server.setBufferedInputStreamSize(8192);
        int before = server.getNumConnections();
        try (Socket next = WireTap.connect(port, "127.0.0.1", 1)) {
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
