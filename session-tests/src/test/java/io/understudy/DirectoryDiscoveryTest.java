package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.StartedNodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that find each other by a directory alone. */
@Tag("cluster")
@Timeout(300)
class DirectoryDiscoveryTest {

    private static final Duration LIMIT = Await.LIMIT;

    /**
     * A node that finds nobody has joined after its join timeout of a second; a tenth of what trying to join dead
     * members takes.
     */
    private static final Duration STARTED = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private StartedNodes nodes(Map<Setting, String> settings) {
        return nodes(directory, settings);
    }

    private static StartedNodes nodes(Path directory, Map<Setting, String> settings) {
        Map<Setting, String> all = new EnumMap<>(Setting.class);
        all.putAll(settings);
        all.put(Setting.DISCOVERY_DIRECTORY, directory.toString());
        return new StartedNodes(all);
    }

    private List<Path> entries(StartedNodes nodes) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(nodes.cluster()))) {
            return files.filter(file -> file.toString().endsWith(".list")).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "auto", "sealed"})
    void nodesFindEachOtherAndLeaveNothing(String kind) throws IOException {
        Map<Setting, String> settings = kind.equals("sealed")
                ? Map.of(Setting.SECRET, "a secret of the tests")
                : Map.of(Setting.TRANSPORT, kind);
        Path cluster;
        try (StartedNodes nodes = nodes(settings)) {
            nodes.start("first");
            nodes.awaitOne();
            nodes.start("a name of several words");
            nodes.start("third");
            nodes.awaitOne();
            nodes.replicate();
            Await.until(LIMIT, () -> directory, () -> count(nodes) == 3);
            nodes.stop("first");
            nodes.awaitOne();
            nodes.start("fourth");
            nodes.awaitOne();
            nodes.replicate();
            cluster = directory.resolve(nodes.cluster());
        }
        Await.that("nothing is left", () -> {
            try (Stream<Path> left = Files.list(cluster)) {
                return left.findAny().isEmpty();
            }
        });
    }

    private long count(StartedNodes nodes) {
        try {
            return entries(nodes).size();
        } catch (NoSuchFileException e) {
            return 0; // The first to look makes the directory.
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aKilledNodesEntryChangesNothing() throws IOException {
        try (StartedNodes nodes = nodes(Map.of())) {
            int port = LoopbackCluster.freePorts(1).get(0);
            nodes.start("killed", "127.0.0.1", port);
            nodes.awaitOne();
            Await.until(LIMIT, () -> directory, () -> count(nodes) == 1);
            Path entry = entries(nodes).get(0);
            byte[] left = Files.readAllBytes(entry);
            nodes.stop("killed");
            Files.write(entry, left); // What it would have left had it been killed.
            nodes.start("other");
            nodes.awaitOne();
            assertTrue(Files.exists(entry), "for a minute");
            nodes.start("again", "127.0.0.1", port);
            nodes.awaitOne();
            nodes.replicate();
            Await.until(LIMIT, () -> "its address has another now", () -> Files.notExists(entry));
        }
    }

    @Test
    void entriesOfDeadNodesDoNotDelayTheStart() throws IOException {
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Socket> filling = fill(deaf);
            try (StartedNodes nodes = nodes(Map.of())) {
                Path cluster = Files.createDirectories(directory.resolve(nodes.cluster()));
                int closed = LoopbackCluster.freePorts(1).get(0);
                for (int i = 0; i < 50; i++) {
                    Files.writeString(
                            cluster.resolve(UUID.randomUUID() + ".list"),
                            "dead" + i + " " + UUID.randomUUID() + " 127.0.0." + (i + 2) + ":"
                                    + (i % 2 == 0 ? closed : deaf.getLocalPort()) + " T\n");
                }
                Files.writeString(cluster.resolve("rubbish.list"), "what\nis this? ");
                long began = System.nanoTime();
                nodes.start("first");
                Duration first = Duration.ofNanos(System.nanoTime() - began);
                nodes.awaitOne();
                began = System.nanoTime();
                nodes.start("second");
                Duration second = Duration.ofNanos(System.nanoTime() - began);
                nodes.awaitOne();
                nodes.replicate();
                System.out.println("with 50 dead entries started after " + first + " and " + second);
                assertTrue(first.compareTo(STARTED) < 0, () -> "the first after " + first);
                assertTrue(second.compareTo(STARTED) < 0, () -> "the second after " + second);
            } finally {
                for (Socket socket : filling) {
                    socket.close();
                }
            }
        }
    }

    /** Connections until no more are answered: what a machine does that is not there. */
    private static List<Socket> fill(ServerSocket deaf) throws IOException {
        List<Socket> filling = new ArrayList<>();
        while (true) {
            Socket socket = new Socket();
            filling.add(socket);
            try {
                socket.connect(new InetSocketAddress(deaf.getInetAddress(), deaf.getLocalPort()), 300);
            } catch (SocketTimeoutException e) {
                return filling;
            }
        }
    }

    @Test
    void aDirectoryThatIsGoneIsToldOfOnceAndUsedAgainWhenItIsBack() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        Path file = Files.createFile(directory.resolve("file"));
        Path named = Files.createSymbolicLink(directory.resolve("named"), shared);
        try (LogLines log = new LogLines("io.understudy.discovery");
                StartedNodes nodes = nodes(named, Map.of())) {
            nodes.start("first");
            nodes.awaitOne();
            exchange(named, file);
            Await.until(
                    LIMIT,
                    () -> "no warning",
                    () -> !log.with("WARNING first - can't find other members").isEmpty());
            exchange(named, shared);
            nodes.start("second");
            nodes.awaitOne();
            nodes.replicate();
            Await.until(
                    LIMIT,
                    () -> "nothing",
                    () -> !log.with("INFO first - finds other members", "again").isEmpty());
            assertEquals(1, log.with("WARNING first").size());
        }
    }

    /** In one step: a node never finds nothing there, where it would make a directory. */
    private static void exchange(Path link, Path target) throws IOException {
        Path next = Files.createSymbolicLink(link.resolveSibling(link.getFileName() + ".new"), target);
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void aDirectoryThatCantBeUsedIsRefusedByName() throws IOException {
        Path missing = directory.resolve("missing");
        assertRefused(missing, "which does not exist: it must be a directory on a file system that all nodes share");
        assertRefused(Files.createFile(directory.resolve("file")), "which is not a directory: ");
        assertRefused(Path.of("/proc/self"), "which can't be written to ");
    }

    private static void assertRefused(Path given, String why) {
        UnderstudyConfig config = UnderstudyConfig.builder()
                .set(Setting.DISCOVERY_DIRECTORY, given.toString())
                .build();
        String message = assertThrows(ConfigException.class, () -> Understudy.start(config))
                .getMessage();
        assertTrue(message.startsWith("setting 'discoveryDirectory' is '" + given + "', " + why), message);
    }
}
