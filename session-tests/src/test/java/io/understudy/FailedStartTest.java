package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.replica.TimeSource;
import io.understudy.testkit.Await;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

    private static final int STARTS = 10;

    @TempDir
    private static Path certificates;

    private static KeyTool keyTool;

    @TempDir
    private Path temporary;

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    @BeforeAll
    static void makeKeys() {
        keyTool = new KeyTool(certificates);
    }

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

    /** What is wrong with the files that the settings name. */
    private enum Fault {
        NO_KEYS,
        TORN_KEYS,
        NO_TRUST,
        TORN_TRUST,
        OTHER_PASSWORD
    }

    /** After the directories for sessions were tried. */
    @ParameterizedTest
    @EnumSource
    void aStartWithUnusableCertificatesLeavesNothing(Fault fault) throws Exception {
        UnderstudyConfig config = overTls(fault == Fault.OTHER_PASSWORD ? "other" : KeyTool.PASSWORD);
        spoil(fault);
        assertLeavesNothing(() -> assertThrows(ConfigException.class, () -> NodeStart.start(config)));
        NodeStart.start(overTls(KeyTool.PASSWORD)).close();
    }

    /** The files are read by then, and the node's server and timers have begun. */
    @ParameterizedTest
    @EnumSource(names = {"NO_KEYS", "TORN_KEYS", "NO_TRUST", "TORN_TRUST"})
    void aTlsStartThatFailsHalfwayLeavesNothing(Fault fault) throws Exception {
        UnderstudyConfig config = overTls(KeyTool.PASSWORD);
        assertLeavesNothing(() -> {
            restore();
            assertThrows(
                    IllegalStateException.class,
                    () -> NodeStart.start(config, TimeSource.SHARED_PROCESS, protocols -> {
                        spoil(fault);
                        List<Protocol> changed = new ArrayList<>(protocols);
                        changed.add(new Failing());
                        return changed;
                    }));
        });
        restore();
        NodeStart.start(config).close();
    }

    @Test
    void aTlsStartAtATakenPortLeavesNothing() throws Exception {
        UnderstudyConfig config = overTls(KeyTool.PASSWORD);
        try (ServerSocket taken = new ServerSocket(config.bindPort(), 1, InetAddress.getLoopbackAddress())) {
            assertTrue(taken.isBound());
            assertLeavesNothing(() -> assertThrows(ConfigException.class, () -> NodeStart.start(config)));
        }
        NodeStart.start(config).close();
    }

    private UnderstudyConfig overTls(String password) {
        restore();
        return LoopbackCluster.configs(
                        1,
                        Map.of(
                                Setting.TRANSPORT,
                                "tcp",
                                Setting.TLS_KEY_STORE,
                                keys().toString(),
                                Setting.TLS_KEY_STORE_PASSWORD,
                                password,
                                Setting.TLS_TRUST_STORE,
                                trust().toString(),
                                Setting.TLS_TRUST_STORE_PASSWORD,
                                KeyTool.PASSWORD,
                                Setting.KEEP_SESSIONS,
                                "on",
                                Setting.KEEP_DIRECTORY,
                                directory("kept").toString(),
                                Setting.SPILL_DIRECTORY,
                                directory("spilled").toString()))
                .get(0);
    }

    private Path keys() {
        return temporary.resolve("keys.p12");
    }

    private Path trust() {
        return temporary.resolve("trust.p12");
    }

    /** Below which the node's files are, if there are any. */
    private Path directory(String name) {
        return temporary.resolve("nodes").resolve(name);
    }

    private void restore() {
        KeyTool.put(keyTool.node("ca", "node"), keys());
        KeyTool.put(keyTool.trust("ca"), trust());
    }

    private void spoil(Fault fault) {
        try {
            switch (fault) {
                case NO_KEYS -> Files.delete(keys());
                case NO_TRUST -> Files.delete(trust());
                case TORN_KEYS -> tear(keys());
                case TORN_TRUST -> tear(trust());
                case OTHER_PASSWORD -> {}
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void tear(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }

    /** Neither threads nor files, and no file or socket that is open. */
    private void assertLeavesNothing(Runnable start) throws IOException {
        start.run(); // The first one opens archives of classes.
        long open = openFiles();
        for (int i = 0; i < STARTS; i++) {
            start.run();
        }
        assertNoThreads();
        Await.until(
                Await.LIMIT,
                () -> (openFiles() - open) + " files and sockets are open more than after the first start",
                () -> openFiles() - open < STARTS);
        try (Stream<Path> files = Files.walk(temporary.resolve("nodes"))) {
            assertEquals(List.of(), files.filter(Files::isRegularFile).toList());
        }
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
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
