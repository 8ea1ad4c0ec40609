package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Due;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.MovedTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole clusters, and single nodes, that stop and start again, each with a directory of its own. */
@Tag("cluster")
@Timeout(300)
class RestartTest {

    private static final Duration LIMIT = Await.LIMIT;

    @TempDir
    private Path directory;

    private final MovedTime time = new MovedTime();
    private final Map<Integer, Understudy> nodes = new HashMap<>();
    private final Map<Integer, ReplicatedSessions> sessions = new HashMap<>();
    private List<UnderstudyConfig> configs = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.values().forEach(Understudy::close);
    }

    private void configure(int count) {
        configure(count, "wait 1s");
    }

    /** @param startAlone long enough for the others if they are started, too */
    private void configure(int count, String startAlone) {
        configs = new ArrayList<>();
        List<Integer> ports = LoopbackCluster.freePorts(count);
        for (int i = 0; i < count; i++) {
            configs.add(UnderstudyConfig.builder()
                    .clusterName("restart")
                    .nodeName("node" + i)
                    .bind("127.0.0.1", ports.get(i))
                    .hosts(ports.stream().map(port -> "127.0.0.1:" + port).toArray(String[]::new))
                    .set(Setting.START_ALONE, startAlone)
                    .set(Setting.ACK_TIMEOUT, LoopbackCluster.ACK_TIMEOUT)
                    .set(Setting.WARM_UP, "off")
                    .set(Setting.KEEP_SESSIONS, "on")
                    .set(Setting.KEEP_DIRECTORY, directory(i).toString())
                    .build());
        }
    }

    private Path directory(int node) {
        return directory.resolve("node" + node);
    }

    /** One that others are there for looks for them as long as it takes. */
    private void begin(int node) {
        UnderstudyConfig config = nodes.isEmpty()
                ? configs.get(node)
                : configs.get(node).with(Map.of(Setting.START_ALONE.key(), LoopbackCluster.NOT_ALONE));
        Understudy started = NodeStart.start(config, time, StackCustomizer.NONE);
        nodes.put(node, started);
        sessions.put(node, started.join("/shop", getClass()::getClassLoader));
    }

    private void start(int... which) {
        for (int node : which) {
            begin(node);
        }
        for (int node : which) {
            Await.until(
                    LIMIT,
                    nodes.get(node)::readiness,
                    () -> nodes.get(node).readiness().ready());
        }
    }

    private void stop(int... which) {
        for (int node : which) {
            sessions.remove(node).close();
            nodes.remove(node).close();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private LiveSession on(int node, String id) {
        return find(sessions.get(node), id);
    }

    @Test
    void aSingleNodeFindsAllOfItsSessionsAgain() throws Exception {
        configure(1);
        start(0);
        for (int i = 0; i < 1000; i++) {
            put(sessions.get(0).create("s" + i, 1800), "n", i);
        }
        put(sessions.get(0).create("ended", 1800), "n", 0);
        on(0, "ended").invalidate();
        on(0, "s1").rename("renamed").await();
        stop(0);
        Path file = files().get(0);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        start(0);
        for (int i = 2; i < 1000; i++) {
            assertEquals(i, on(0, "s" + i).attributes().get("n"));
        }
        assertEquals(1, on(0, "renamed").attributes().get("n"));
        assertNull(sessions.get(0).find("s1"), "the old id is over");
        assertNull(sessions.get(0).find("ended"));
        assertEquals(1001, nodes.get(0).metrics().value(Counter.SESSIONS_RESTORED), "1000 sessions, one tombstone");
        assertEquals(List.of(), files(), "used up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 1", "1 0"})
    void aWholeClusterIsStoppedAndStartedInAnyOrder(String order) throws Exception {
        configure(2, LoopbackCluster.NOT_ALONE);
        start(0, 1);
        for (int i = 0; i < 100; i++) {
            assertEquals(Outcome.ACKNOWLEDGED, put(sessions.get(i % 2).create("s" + i, 1800), "n", i));
        }
        stop(0);
        assertEquals(List.of(), files(), "another goes on");
        assertEquals(Outcome.DEGRADED, put(on(1, "s1"), "n", -1));
        stop(1);
        assertEquals(1, files().size());
        assertTrue(files().get(0).startsWith(directory(1)), files()::toString);
        start(order.charAt(0) - '0', order.charAt(2) - '0');
        for (int node = 0; node < 2; node++) {
            assertEquals(-1, on(node, "s1").attributes().get("n"));
            for (int i = 2; i < 100; i++) {
                assertEquals(i, on(node, "s" + i).attributes().get("n"));
            }
        }
        assertEquals(List.of(), files());
    }

    @Test
    void ofMembersThatStopAtOnceExactlyOneKeepsTheSessions() throws Exception {
        for (int round = 0; round < 3; round++) {
            configure(3, LoopbackCluster.NOT_ALONE);
            start(0, 1, 2);
            for (int i = 0; i < 20; i++) {
                assertEquals(Outcome.ACKNOWLEDGED, put(sessions.get(i % 3).create(round + "-" + i, 1800), "n", i));
            }
            ExecutorService stopping = Executors.newFixedThreadPool(3);
            for (Understudy node : nodes.values()) {
                stopping.execute(node::close);
            }
            stopping.shutdown();
            assertTrue(stopping.awaitTermination(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            nodes.clear();
            assertEquals(1, files().size(), files()::toString);
            start(0, 1, 2);
            for (int node = 0; node < 3; node++) {
                for (int i = 0; i < 20; i++) {
                    assertEquals(i, on(node, round + "-" + i).attributes().get("n"));
                }
            }
            stop(0, 1, 2);
        }
    }

    /** Two that are ready without it would tell the clients of its sessions that there are none. */
    @Test
    void membersWithoutTheSessionsWaitForTheOneThatKeptThem() throws Exception {
        configure(3, LoopbackCluster.NOT_ALONE);
        start(0, 1, 2);
        assertEquals(Outcome.ACKNOWLEDGED, put(sessions.get(0).create("a", 1800), "n", 1));
        stop(0, 1, 2);
        assertEquals(1, files().size(), files()::toString);
        begin(0);
        begin(1);
        Await.until(
                LIMIT,
                nodes.get(1)::view,
                () -> nodes.get(0).view().contains("(2)")
                        && nodes.get(0).readiness().reason().contains("kept its sessions"));
        assertFalse(nodes.get(1).readiness().ready());
        start(2);
        for (int node = 0; node < 3; node++) {
            Understudy started = nodes.get(node);
            Await.until(LIMIT, started::readiness, () -> started.readiness().ready());
            assertEquals(1, on(node, "a").attributes().get("n"));
        }
    }

    @Test
    void oneNodeAloneIsRestarted() throws Exception {
        configure(2);
        start(0, 1);
        put(sessions.get(0).create("a", 1800), "n", 1);
        stop(0);
        put(on(1, "a"), "n", 2);
        start(0);
        assertEquals(2, on(0, "a").attributes().get("n"));
        assertEquals(List.of(), files());
    }

    @Test
    void anOldFileBringsNothingBackThatEndedOrChangedSince() throws Exception {
        configure(2);
        start(0);
        for (String id : List.of("ended", "changed", "untouched")) {
            put(sessions.get(0).create(id, 1800), "n", 1);
        }
        stop(0);
        Path file = files().get(0);
        byte[] old = Files.readAllBytes(file);
        start(0);
        on(0, "ended").invalidate();
        put(on(0, "changed"), "n", 2);
        // As if both had been last, each on its side of a split; this one has a session more than the other.
        Files.createDirectories(directory(1));
        Files.write(directory(1).resolve(file.getFileName()), old);
        time.advance(Duration.ofMinutes(20));
        start(1);
        for (int node = 0; node < 2; node++) {
            assertNull(sessions.get(node).find("ended"), "ended on node " + node);
            assertEquals(2, on(node, "changed").attributes().get("n"));
            assertEquals(1, on(node, "untouched").attributes().get("n"));
        }
        assertEquals(List.of(), files());
    }

    @Test
    void sessionsThatOnlyTheFileHasReachThoseWhoWentOnWithoutIt() throws Exception {
        configure(2);
        start(1);
        put(sessions.get(1).create("kept", 1800), "n", 1);
        stop(1);
        start(0);
        put(sessions.get(0).create("new", 1800), "n", 2);
        assertNull(sessions.get(0).find("kept"));
        start(1);
        assertEquals(1, on(1, "kept").attributes().get("n"));
        assertEquals(2, on(1, "new").attributes().get("n"));
        Await.until(LIMIT, () -> "node 0 lacks it", () -> sessions.get(0).find("kept") != null);
    }

    @Test
    void theTimeOfTheStopIsIdleTimeWhateverTheClockDid() throws Exception {
        configure(1);
        start(0);
        put(sessions.get(0).create("short", 600), "n", 1);
        put(sessions.get(0).create("long", 6000), "n", 1);
        stop(0);
        time.advance(Duration.ofMinutes(20));
        start(0);
        assertEquals(List.of(on(0, "short")), Due.of(sessions.get(0), 1));
        stop(0);
        time.step(Duration.ofHours(-5));
        start(0);
        assertEquals(List.of(on(0, "short")), Due.of(sessions.get(0), 1), "back is not before");
    }

    @ParameterizedTest
    @ValueSource(strings = {"flipped", "cut", "empty", "other", "future version", "too old", "switched off"})
    void aFileThatIsNotWhatItShouldBeIsKeptAsideAndTheStartGoesOn(String what) throws Exception {
        configure(1);
        start(0);
        put(sessions.get(0).create("a", -1), "n", 1);
        stop(0);
        Path file = files().get(0);
        byte[] bytes = Files.readAllBytes(file);
        switch (what) {
            case "flipped" -> bytes[bytes.length / 2] ^= 1;
            case "cut" -> bytes = Arrays.copyOf(bytes, bytes.length - 3);
            case "empty" -> bytes = new byte[0];
            case "other" -> bytes = "something else".getBytes(StandardCharsets.UTF_8);
            case "future version" -> bytes[8] = 2;
            case "too old" -> time.advance(Duration.ofHours(25));
            default ->
                configs.set(
                        0,
                        UnderstudyConfig.builder()
                                .clusterName("restart")
                                .bind("127.0.0.1", configs.get(0).bindPort())
                                .set(Setting.KEEP_DIRECTORY, directory(0).toString())
                                .build());
        }
        Files.write(file, bytes);
        start(0);
        assertNull(sessions.get(0).find("a"));
        assertEquals(List.of(file.resolveSibling(file.getFileName() + ".unused")), files());
        put(sessions.get(0).create("b", 1800), "n", 1);
        assertEquals(1, on(0, "b").attributes().get("n"));
    }

    @Test
    void aStartNamesADirectoryThatCanNotBeWrittenTo() throws Exception {
        configure(1);
        Files.writeString(directory(0), "a file in its place");
        ConfigException e = assertThrows(ConfigException.class, () -> start(0));
        assertTrue(String.valueOf(e.getMessage()).contains("setting 'keepDirectory' is '" + directory(0)), e::toString);
    }

    @Test
    void aLinkToADirectoryIsADirectory(@TempDir Path elsewhere) throws Exception {
        configure(1);
        Files.createSymbolicLink(directory(0), elsewhere);
        start(0);
        put(sessions.get(0).create("a", 1800), "n", 1);
        stop(0);
        start(0);
        assertEquals(1, on(0, "a").attributes().get("n"));
    }

    @Test
    void aDirectoryThatIsGoneStopsNoNode() throws Exception {
        configure(1);
        start(0);
        put(sessions.get(0).create("a", 1800), "n", 1);
        Files.delete(directory(0));
        Files.writeString(directory(0), "a file in its place");
        stop(0);
        Files.delete(directory(0));
        start(0);
        assertNull(sessions.get(0).find("a"));
    }

    /** Clients without a session may be sent to a node that is not ready yet. */
    @Test
    void whatWasMadeBeforeTheFileWasReadIsOnTheNodeThatReadItToo() {
        configure(2, LoopbackCluster.NOT_ALONE);
        start(0, 1);
        assertEquals(Outcome.ACKNOWLEDGED, put(sessions.get(0).create("old", 1800), "user", "ann"));
        stop(0, 1);
        begin(0); // It has no file, and waits for who has.
        put(sessions.get(0).create("new", 1800), "user", "bob");
        begin(1);
        for (int node = 0; node < 2; node++) {
            Understudy member = nodes.get(node);
            Await.until(LIMIT, member::readiness, () -> member.readiness().ready());
            assertNotNull(sessions.get(node).find("old"), member.config().nodeName());
            assertNotNull(sessions.get(node).find("new"), member.config().nodeName());
        }
    }
}
