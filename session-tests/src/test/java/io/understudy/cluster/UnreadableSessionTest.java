package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that hold a session which the others can't read, as no writer lets one in today. */
@Tag("cluster")
@Timeout(300)
class UnreadableSessionTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** Several answers of sessions, and several unreadable ones in one of them. */
    private static final int SESSIONS = 2000;

    private static final List<Integer> BAD = List.of(0, 700, 701, 1500, SESSIONS - 1);

    @TempDir
    private Path directory;

    private final List<ClusterChannel> channels = new ArrayList<>();
    private final List<ApplicationGroup> groups = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ClusterChannel::close);
    }

    private void start(UnderstudyConfig config) {
        ClusterChannel channel = ClusterChannels.connect(config);
        channels.add(channel);
        ApplicationGroup group = channel.join("/shop");
        groups.add(group);
        Await.until(LIMIT, group::waitingFor, group::ready);
    }

    /** Puts a session into a member's store, past what checks names. */
    private void hold(int node, int number, String... names) {
        Stamp stamp = channels.get(node).clock().next(0);
        SessionKey key = new SessionKey(number * 0x9E3779B97F4A7C15L);
        SessionDelta session = new SessionDelta(
                key,
                true,
                new Stamped<>(stamp, "s" + number),
                new Stamped<>(stamp, 1800),
                stamp,
                Map.of(names[0], StampedBytes.of(stamp, new byte[300]), names[1], StampedBytes.of(stamp, new byte[9])),
                null);
        groups.get(node).store().merge(session, 0, 0);
    }

    /** On the wire the second is before the first. */
    private void holdBad(int node, int number) {
        hold(node, number, "draft:hello", "draft:\uD83D");
    }

    private boolean has(int node, int number) {
        return groups.get(node).store().header("s" + number) != null;
    }

    private long leftOut(int node) {
        return channels.get(node).services().metrics().value(Counter.SESSIONS_UNREADABLE);
    }

    private void assertHasAllButBad(int node) {
        for (int i = 0; i < SESSIONS; i++) {
            assertEquals(!BAD.contains(i), has(node, i), "session s" + i);
        }
    }

    @Test
    void aJoinerLeavesItOutAndIsReady() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        try (LogLines log = new LogLines("io.understudy")) {
            start(configs.get(0));
            for (int i = 0; i < SESSIONS; i++) {
                if (BAD.contains(i)) {
                    holdBad(0, i);
                } else {
                    hold(0, i, "a", "b");
                }
            }
            start(configs.get(1));
            assertHasAllButBad(1);
            List<String> told = log.with("WARNING", groups.get(1).label(), "is left out here");
            assertEquals(BAD.size(), told.size(), () -> "one for each: " + told);
            assertEquals(List.of(), log.with("a frame of"), "nor is the frame told of");
            assertTrue(leftOut(1) >= BAD.size());
        }
    }

    @Test
    void membersThatCompareLeaveItOut() {
        Map<Setting, String> often = Map.of(Setting.RECONCILE_INTERVAL, "200ms");
        LoopbackCluster.configs(2, often).forEach(this::start);
        holdBad(0, 1);
        for (int i = 2; i < 50; i++) {
            hold(0, i, "a", "b");
        }
        Await.until(LIMIT, () -> "not on the other", () -> has(1, 49));
        hold(0, 50, "a", "b");
        Await.until(LIMIT, () -> "not compared again", () -> has(1, 50));
        assertFalse(has(1, 1));
        assertTrue(leftOut(1) >= 2, "each time");
    }

    @Test
    void aRestartLeavesItOut() throws Exception {
        UnderstudyConfig config = LoopbackCluster.configs(
                        1, Map.of(Setting.KEEP_SESSIONS, "on", Setting.KEEP_DIRECTORY, directory.toString()))
                .get(0);
        start(config);
        for (int i = 0; i < 50; i++) {
            if (i == 20) {
                holdBad(0, i);
            } else {
                hold(0, i, "a", "b");
            }
        }
        channels.remove(0).close();
        groups.remove(0);
        try (LogLines log = new LogLines("io.understudy")) {
            start(config);
            for (int i = 0; i < 50; i++) {
                assertEquals(i != 20, has(0, i), "session s" + i);
            }
            assertEquals(1, leftOut(0));
            assertEquals(1, log.with("WARNING", "is left out here").size());
            assertEquals(1, log.with("WARNING", "renamed to", ".unused").size(), "for whoever wants to look into it");
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(
                    List.of(true),
                    files.map(file -> file.toString().endsWith(".unused")).toList());
        }
    }
}
