package io.understudy;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.replica.TimeSource;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that can't start, as frameworks try it again and again. */
@Tag("cluster")
class FailedStartTest {

    /** Begins last, when the other protocols have begun. */
    private static final class Failing extends Protocol {
        @Override
        public void start() throws Exception {
            throw new IOException("it can't begin");
        }
    }

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "auto"})
    void aStartAtATakenPortLeavesNoThreads(String transport) throws Exception {
        UnderstudyConfig config = config(transport);
        try (ServerSocket taken = new ServerSocket(config.bindPort(), 1, InetAddress.getLoopbackAddress())) {
            assertTrue(taken.isBound());
            assertThrows(ConfigException.class, () -> NodeStart.start(config));
        }
        assertNoThreads();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp", "auto"})
    void aStartThatFailsHalfwayLeavesNeitherThreadsNorPorts(String transport) {
        UnderstudyConfig config = config(transport);
        assertThrows(
                IllegalStateException.class,
                () -> NodeStart.start(config, TimeSource.SHARED_PROCESS, protocols -> {
                    List<Protocol> changed = new ArrayList<>(protocols);
                    changed.add(new Failing());
                    return changed;
                }));
        assertNoThreads();
        NodeStart.start(config).close();
    }

    private static UnderstudyConfig config(String transport) {
        return LoopbackCluster.configs(1, Map.of(Setting.TRANSPORT, transport)).get(0);
    }

    private void assertNoThreads() {
        Await.until(
                Await.LIMIT,
                () -> "threads are left: " + threads(),
                () -> threads().isEmpty());
    }

    /** Threads since then that name the node or its cluster. */
    private Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.contains("node1") || name.contains("test-"))
                .collect(Collectors.toSet());
    }
}
